//! WIRE-28 and the protocols of systemd: passed sockets and notifications.

use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::process::{Command, Stdio};

use rustix::process::Signal;
use tempfile::tempdir;

use crate::certified_key::CertifiedKey;
use crate::child_process::{DEADLINE, assert_rejected};
use crate::executable::{FREE_PORT, Server, command};
use crate::healthcheck::{assert_healthy, check};
use crate::unix_socket::socket_path;
use crate::wire::Connection;

#[test]
fn systemd_is_notified_of_readiness_and_of_the_drain() {
    use std::os::linux::net::SocketAddrExt;
    let (_folder, path, _) = socket_path();
    let path_name = path.to_str().unwrap();
    let abstract_name = format!("recipelog-notify-{}", std::process::id());
    let address = std::os::unix::net::SocketAddr::from_abstract_name(&abstract_name).unwrap();
    for (notified, name) in [
        (UnixDatagram::bind(&path).unwrap(), path_name),
        (UnixDatagram::bind_addr(&address).unwrap(), &format!("@{abstract_name}")),
    ] {
        notified.set_read_timeout(Some(DEADLINE)).unwrap();
        let mut state = [0; 64];
        let mut command = command(&FREE_PORT);
        command.env("NOTIFY_SOCKET", name);
        let mut server = Server::of(command);
        let length = notified.recv(&mut state).unwrap();
        assert_eq!(&state[..length], b"READY=1");
        server.signal(Signal::TERM);
        let length = notified.recv(&mut state).unwrap();
        assert_eq!(&state[..length], b"STOPPING=1");
        assert!(server.wait().0.success());
    }
    let mut command = command(&FREE_PORT);
    command.env("NOTIFY_SOCKET", "/none");
    Server::of(command).line_with("cannot notify NOTIFY_SOCKET: No such file or directory");
}

/// The server with `options`. A shell acts as systemd: it gets one or two sockets as standard input and
/// output, passes them on as descriptors 3 and 4 with `variables`, and replaces itself with the server, so
/// that LISTEN_PID is right.
fn with_passed<const N: usize>(
    sockets: [OwnedFd; N],
    variables: &str,
    options: &[&str],
) -> Command {
    let mut shell = Command::new("/bin/sh");
    let script = format!(
        "exec 3<&0 4<&1 </dev/null >/dev/null; LISTEN_FDS={N} {variables} exec \"$0\" \"$@\""
    );
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_recipelog-site")]).args(options);
    let mut sockets = sockets.into_iter().map(Stdio::from);
    let [input, output] = [(); 2].map(|()| sockets.next().unwrap_or(Stdio::null()));
    shell.env_clear().stdin(input).stdout(output);
    shell
}

#[test]
fn a_passed_socket_is_served_by_all_workers_and_over_a_restart() {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let [first, next] = [0, 1].map(|_| socket.try_clone().unwrap());
    let mut server = Server::of(with_passed([first.into()], "LISTEN_PID=$$", &[]));
    assert_eq!(server.address, address);
    for _ in 0..50 {
        assert_eq!(Connection::open(address).get("/privacy").status, 200);
    }
    server.signal(Signal::TERM);
    assert!(server.wait().0.success());

    // During a restart, connections wait in the socket, which systemd keeps open.
    let mut waiting = [(); 100].map(|()| Connection::open(address));
    for connection in &mut waiting {
        connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    let _next = Server::of(with_passed([next.into()], "LISTEN_PID=$$", &[]));
    for mut connection in waiting {
        assert_eq!(connection.reply().expect("a response").status, 200);
    }
}

#[test]
fn sockets_for_another_process_or_for_none_are_left_alone() {
    // The server is not process 1 here, as it can be in a container.
    for process in ["LISTEN_PID=1", "LISTEN_PID=", ""] {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let other = socket.local_addr().unwrap();
        let server = Server::of(with_passed([socket.into()], process, &FREE_PORT));
        assert_ne!(server.address, other, "{process}");
        assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
    }
}

#[test]
fn a_passed_socket_that_cannot_be_served_is_an_error() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let connected = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let udp = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let sockets: [(OwnedFd, &str); 3] = [
        (connected.into(), "does not listen"),
        (udp.into(), "; pass a TCP or Unix socket"),
        (UnixStream::pair().unwrap().0.into(), "does not listen"),
    ];
    for (socket, part) in sockets {
        assert_rejected(with_passed([socket], "LISTEN_PID=$$", &["--port", "0"]), 1, &[part]);
    }
}

#[test]
fn a_passed_unix_socket_is_named_and_served() {
    let (_folder, path, name) = socket_path();
    let socket = UnixListener::bind(&path).unwrap();
    let server = Server::of(with_passed([socket.into()], "LISTEN_PID=$$", &[]));
    assert_eq!(server.ready, name);
    assert_healthy(check(&name));
}

fn two_sockets() -> [TcpListener; 2] {
    [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap())
}

#[tokio::test]
async fn passed_sockets_that_are_named_https_are_served_with_tls() {
    let folder = tempdir().unwrap();
    let certified = CertifiedKey::new();
    let [certificate, key] = certified.write(folder.path());
    let own = ["--tls-cert", certificate.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
    let sockets = two_sockets();
    let [plain, tls] = [0, 1].map(|index: usize| sockets[index].local_addr().unwrap());
    let start = |sockets: [TcpListener; 2], names: &str, options: &[&str]| {
        let variables = format!("LISTEN_PID=$$ LISTEN_FDNAMES={names}");
        with_passed(sockets.map(OwnedFd::from), &variables, options)
    };
    let server = Server::of(start(sockets, "http:https", &own));
    assert_eq!((server.address, server.tls_address), (plain, tls));
    assert_eq!(Connection::open(plain).get("/healthz").status, 200);
    certified.connect(tls, b"h2").await;

    for (names, options, part) in [
        ("http:https", &[][..], "set ACME_DOMAIN"),
        ("http:http", &own, "set FileDescriptorName=https"),
    ] {
        assert_rejected(start(two_sockets(), names, options), 1, &[part]);
    }
}
