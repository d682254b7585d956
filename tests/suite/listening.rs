//! WIRE-28 and `--listen`, `--port`: address families, workers, limits of the process, Unix-domain sockets, and the
//! protocols of systemd.

use std::fs;
use std::net::{Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::process::{Command, Stdio};

use rustix::process::Signal;
use socket2::{Domain, Socket, Type};
use tempfile::tempdir;

use crate::support::client::Connection;
use crate::support::files::socket_path;
use crate::support::process::{
    DEADLINE, FREE_PORT, Running, Server, assert_healthy, assert_rejected, check, command,
    command_with_limit, free_port, skip, wait_until,
};
use crate::support::tls::{CertifiedKey, NAMES, presented_for};

#[test]
fn every_notation_for_all_interfaces_serves_both_families() {
    let (port, has_ipv6) = (free_port(), TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok());
    let loopback: [SocketAddr; 2] =
        [([127, 0, 0, 1], port).into(), (Ipv6Addr::LOCALHOST, port).into()];
    let by_name = format!("localhost:{port}").to_socket_addrs().expect("a name of this machine");
    let by_name: Vec<_> = by_name.collect();
    for options in [
        "--port PORT",
        "--listen [::]:PORT",
        // The first is one of all interfaces.
        "--listen 127.0.0.1:PORT,0.0.0.0:PORT,[::]:PORT",
        "--listen [::]:PORT --listen 0.0.0.0:PORT",
        "--listen localhost:PORT",
    ] {
        for threads in ["1", "3"] {
            let options =
                format!("{options} --threads {threads}").replace("PORT", &port.to_string());
            let server = Server::of(command(&options.split(' ').collect::<Vec<_>>()));
            let families = &loopback[..1 + usize::from(has_ipv6)];
            let addresses = if options.contains("localhost") { &by_name } else { families };
            // The last address is the one for the network, if the machine has one.
            for address in addresses.iter().chain([&server.address]) {
                assert_healthy(check(&address.to_string()));
            }
        }
    }
}

/// A kernel without IPv6, as a library that the C library of the executable asks first.
const WITHOUT_IPV6: &str = "#include <errno.h>\n#include <sys/socket.h>\n#include <sys/syscall.h>\n
    long syscall(long, ...);
    int socket(int family, int type, int protocol) {
        if (family == AF_INET6) return errno = EAFNOSUPPORT, -1;
        return syscall(SYS_socket, family, type, protocol);
    }";

#[test]
fn all_interfaces_are_served_over_ipv4_if_the_kernel_has_no_ipv6() {
    let folder = tempdir().unwrap();
    let [source, library] = ["socket.c", "socket.so"].map(|name| folder.path().join(name));
    std::fs::write(&source, WITHOUT_IPV6).unwrap();
    let arguments = ["-shared", "-fPIC", "-o"];
    let status = Command::new("cc").args(arguments).args([&library, &source]).status().unwrap();
    assert!(status.success(), "cc: {status}");
    let port = free_port();
    for listen in ["[::]:PORT", "[::]:PORT,0.0.0.0:PORT", "0.0.0.0:PORT,[::]:PORT"] {
        let mut command = command(&["--listen", &listen.replace("PORT", &port.to_string())]);
        command.env("LD_PRELOAD", &library);
        assert_healthy(check(&Server::of(command).address.to_string()));
    }
}

/// Another program would take a share of the connections, or those of browsers that prefer IPv6.
#[test]
fn no_other_program_shares_a_port() {
    for threads in ["1", "3"] {
        let server = Server::start(&["--threads", threads]);
        let address = server.address.to_string();
        let second = command(&["--listen", &address, "--threads", threads]);
        assert_rejected(second, 1, &["already in use"]);
        let other = Socket::new(Domain::for_address(server.address), Type::STREAM, None).unwrap();
        other.set_reuse_port(true).unwrap();
        assert!(threads == "3" || other.bind(&server.address.into()).is_err());
    }
    let Ok(other) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)) else {
        return skip("this machine has no IPv6");
    };
    let port = other.local_addr().unwrap().port().to_string();
    assert_rejected(command(&["--port", &port]), 1, &["already in use"]);
}

#[test]
fn the_limit_on_open_files_is_raised_for_the_workers_without_a_report() {
    let quiet = ["--origin", "https://a.example", "--support-email", "cook@kitchen.example"];
    let options = [&["--threads", "64", "--max-connections", "100"][..], &quiet].concat();
    let none = ([0, 0, 0, 0], 0).into();
    let server = Server::starting(command_with_limit("-S -n 256", &options), none, none);
    for expected in ["the contact form sends nothing", "ready on "] {
        let line = server.console.next().expect("a line");
        assert!(line.contains(expected), "{line}");
    }
    // The server is ready before all threads have started. One more writes the lines on standard error.
    wait_until("the start of all workers", || server.threads("comm").count() > 64);
}

#[test]
fn a_low_limit_on_open_files_is_reported_and_ends_the_start_if_it_allows_no_connection() {
    let mut server = command_with_limit("-n 80", &["--threads", "2"]);
    let mut server = Running(server.stderr(Stdio::piped()).spawn().unwrap());
    let line = "the limit of 80 open files allows 36 connections; raise it to 4140 (ulimit -n)";
    server.console().line_with(line);
    let parts = ["the limit of 80 open files is too low for 16 workers", "4224", "--threads"];
    assert_rejected(command_with_limit("-n 80", &["--threads", "16"]), 1, &parts);
}

#[test]
fn a_limit_on_threads_that_does_not_allow_all_workers_ends_the_start() {
    use std::os::unix::process::CommandExt;
    let mut command = command_with_limit("-u 3 2>/dev/null || ulimit -p 3", &["--threads", "8"]);
    if rustix::process::geteuid().is_root() {
        command.uid(65_533);
    }
    let mut server = Running(command.stderr(Stdio::piped()).spawn().unwrap());
    server.console().line_with("raise the limit");
    assert_eq!(server.wait().code(), Some(1));
}

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
fn passed_sockets_are_served_by_their_names_and_kinds() {
    let folder = tempdir().unwrap();
    let certified = CertifiedKey::new();
    let [certificate, key] = certified.write(folder.path());
    let own = ["--tls-cert", certificate.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
    let two = || [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let start = |sockets: [TcpListener; 2], names: &str, options: &[&str]| {
        let variables = format!("LISTEN_PID=$$ LISTEN_FDNAMES={names}");
        with_passed(sockets.map(OwnedFd::from), &variables, options)
    };
    let sockets = two();
    let [plain, tls] = sockets.each_ref().map(|socket| socket.local_addr().unwrap());
    let server = Server::of(start(sockets, "http:https", &own));
    assert_eq!(server.ready, format!("http://{plain} and https://{tls}"));
    assert_healthy(check(&plain.to_string()));
    assert_eq!(presented_for(&server, NAMES[0]), Some(certified.der()));
    for (names, options, part) in [
        ("http:https", &[][..], "set ACME_DOMAIN"),
        ("http:http", &own, "set FileDescriptorName=https"),
    ] {
        assert_rejected(start(two(), names, options), 1, &[part]);
    }

    let (_folder, path, name) = socket_path();
    let socket = UnixListener::bind(&path).unwrap();
    let server = Server::of(with_passed([socket.into()], "LISTEN_PID=$$", &[]));
    assert_eq!(server.ready, name);
    assert_healthy(check(&name));
}

#[test]
fn a_unix_socket_is_replaced_only_if_no_process_serves_it() {
    let (_folder, path, listen) = socket_path();
    let mut first = Server::start(&["--listen", &listen]);
    assert_rejected(command(&["--listen", &listen]), 1, &["in use"]);
    first.signal(Signal::KILL);
    first.wait();
    assert!(path.exists());
    drop(Server::start(&["--listen", &listen]));
    // No process listens on a file of somebody else either.
    fs::remove_file(&path).unwrap();
    fs::write(&path, "content").unwrap();
    assert_rejected(command(&["--listen", &listen]), 1, &["in use; stop the process that listens"]);
    assert_eq!(fs::read_to_string(path).unwrap(), "content");
}

#[test]
fn a_drain_does_not_remove_the_socket_of_the_next_instance() {
    let (_folder, path, listen) = socket_path();
    // A partial request keeps the first instance from ending, for up to a tenth of the drain limit.
    let limits = ["--drain-timeout", "10m", "--header-timeout", "5m"];
    let mut first = Server::start(&[&["--listen", &listen], &limits[..]].concat());
    let mut connection = Connection::open(first.address);
    connection.send("GET /healthz HTTP/1.1\r\n");
    first.signal(Signal::TERM);
    wait_until("the removal of the path", || !path.exists());
    let _second = Server::start(&["--listen", &listen]);
    connection.send("Host: a\r\n\r\n");
    assert_eq!(connection.reply().unwrap().status, 200);
    assert!(first.wait().0.success());
    assert_healthy(check(&listen));
}

#[test]
fn an_instance_that_ends_does_not_remove_a_socket_that_replaced_its_own() {
    let (_folder, path, listen) = socket_path();
    let mut first = Server::start(&["--listen", &listen]);
    fs::remove_file(&path).unwrap();
    let _second = Server::of(command(&["--listen", &listen]));
    first.signal(Signal::TERM);
    assert!(first.wait().0.success());
    assert_healthy(check(&listen));
}
