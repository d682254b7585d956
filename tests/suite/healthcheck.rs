//! WIRE-36: `recipelog-site healthcheck`, for images without a shell or curl.

use std::io::Write;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::process::Output;
use std::thread;

use crate::certified_key::{CertifiedKey, TlsServer, command_with};
use crate::command_line::assert_fails;
use crate::executable::{FREE_PORT, Server, command};
use crate::folder::Folder;
use crate::port::ClosedPort;
use crate::socket_path::SocketPath;

pub fn health(address: &str) -> Output {
    command(&["healthcheck", "--listen", address]).output().expect("the executable starts")
}

#[test]
fn the_health_check_succeeds_only_if_a_server_responds() {
    let server = Server::start(&[]);
    assert_eq!(health(&server.address.to_string()).status.code(), Some(0));
    let closed = ClosedPort::new();
    let output = health(&closed.address().to_string());
    assert_eq!(output.status.code(), Some(1));
    let console = String::from_utf8(output.stderr).unwrap();
    assert!(console.contains("no response from") && console.lines().count() == 1, "{console}");
}

#[test]
fn the_health_check_fails_after_two_seconds_without_a_response() {
    // The kernel completes connections to both sockets, and no process responds.
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let path = SocketPath::new("silent");
    let _unix = UnixListener::bind(&path).unwrap();
    let (tcp, unix) = (tcp.local_addr().unwrap().to_string(), format!("unix:{}", path.display()));
    let server = Server::start(&[]);
    let answers = ["--listen", &server.address.to_string()];
    for (output, silent) in [
        (health(&tcp), &tcp),
        (health(&unix), &unix),
        (health_with(&[], &tcp), &tcp),
        (health_with(&answers, &tcp), &tcp),
    ] {
        assert_eq!(output.status.code(), Some(1));
        let console = String::from_utf8(output.stderr).unwrap();
        let line = format!("no response from {silent} within 1.8s; start the server");
        assert!(console.contains(&line), "{console}");
    }
}

#[test]
fn the_health_check_waits_for_the_whole_status_line_and_shows_it_without_control_characters() {
    for (status_line, code) in [("HTTP/1.1 200 OK\r\n", 0), ("HTTP/1.1 503 \x1b[31mno\r\n", 1)] {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap().to_string();
        let output = thread::scope(|scope| {
            scope.spawn(|| {
                let (mut stream, _) = server.accept().unwrap();
                stream.set_nodelay(true).unwrap();
                for byte in status_line.bytes() {
                    stream.write_all(&[byte]).unwrap();
                }
            });
            health(&address)
        });
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(!output.stderr.contains(&0x1b), "{output:?}");
    }
}

#[test]
fn the_health_check_of_all_interfaces_tries_both_loopback_addresses_and_no_other_check_does() {
    // The server listens on 127.0.0.1 only, as on a machine without `::1`.
    let server = Server::start(&[]);
    let output = health(&format!("[::]:{}", server.address.port()));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let server = Server::of(command(&["--listen", "127.0.0.2:0"]));
    let output = health(&server.address.to_string());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// The output of a health check of a server that has a certificate and listens for TLS on `tls`.
fn health_with(options: &[&str], tls: &str) -> Output {
    let own = ["--tls-cert", "unused.pem", "--tls-key", "unused.pem"];
    let mut command = command(&[&["healthcheck", "--tls-listen", tls], options, &own].concat());
    command.output().expect("the executable starts")
}

#[test]
fn the_health_check_speaks_tls_and_needs_no_plain_listener() {
    let site = TlsServer::start(&[]);
    let tls = site.tls_address().to_string();
    let output = health_with(&[], &tls);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    // If there is a plain listener too, both listeners are checked.
    let site = TlsServer::start(&[&FREE_PORT[..], &["--origin", "https://a.example"]].concat());
    let plain = site.server.address.to_string();
    let origin = ["--listen", &plain, "--origin", "https://a.example"];
    let output = health_with(&origin, &site.tls_address().to_string());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let closed_port = ClosedPort::new();
    let closed = closed_port.address().to_string();
    for (plain, tls) in [(&*plain, &*closed), (&closed, &tls)] {
        let output = health_with(&["--listen", plain], tls);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let console = String::from_utf8(output.stderr).unwrap();
        assert!(console.contains(&closed) && console.lines().count() == 1, "{console}");
    }
    // A server of plain HTTP on the port of HTTPS fails the check.
    let server = Server::start(&[]);
    assert_eq!(health_with(&[], &server.address.to_string()).status.code(), Some(1));
}

#[test]
fn the_health_check_of_an_origin_with_an_ip_address_succeeds() {
    let site = TlsServer::start(&FREE_PORT);
    let (plain, tls) = (site.server.address.to_string(), site.tls_address().to_string());
    for origin in ["https://[::1]:28443", "https://[::1]", "https://127.0.0.1:28443"] {
        let output = health_with(&["--listen", &plain, "--origin", origin], &tls);
        assert_eq!(output.status.code(), Some(0), "{origin}: {output:?}");
    }
}

#[test]
fn a_health_check_with_the_wrong_protocol_or_port_names_the_option_to_set() {
    let text = |output: Output| {
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let console = String::from_utf8(output.stderr).unwrap();
        assert_eq!(console.lines().count(), 1, "{console}");
        console
    };
    // HTTP on a port of HTTPS.
    let site = TlsServer::start(&[]);
    let address = site.tls_address().to_string();
    let console = text(health(&address));
    assert!(console.contains(&format!("{address} speaks TLS")), "{console}");
    assert!(console.contains("--tls-listen"), "{console}");
    // HTTPS on a port of HTTP, and on a port without a server.
    let server = Server::start(&[]);
    let closed = ClosedPort::new();
    for address in [server.address, closed.address()] {
        let console = text(health_with(&[], &address.to_string()));
        assert!(console.contains("set --tls-listen to its address"), "{console}");
    }
}

#[test]
fn the_health_check_fails_if_the_certificate_has_expired_or_expires_sooner_than_wanted() {
    for (last_year, time, expected) in [
        (2020, "1d", "has expired on 01 Jan 2020"),
        (4000, "1000000d", "expires on 01 Jan 4000"),
        (4000, "14d", ""),
    ] {
        let folder = Folder::new();
        let files = CertifiedKey::between(2000, last_year).write(folder.path());
        let server = Server::of(command_with(&files, &[]));
        let output = health_with(&["--expires-within", time], &server.tls_address.to_string());
        let console = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some((!expected.is_empty()).into()), "{console}");
        assert!(console.contains(expected), "{console}");
        assert_eq!(console.lines().count(), usize::from(!expected.is_empty()), "{console}");
    }
}

/// If the check failed, a restart of the server would only repeat the order.
#[test]
fn the_health_check_passes_before_the_first_certificate_of_an_authority() {
    let folder = Folder::new();
    let state = folder.path().join("state");
    // No process can listen on port 0.
    let authority = ["--acme-domain", "a.example", "--acme-directory", "https://127.0.0.1:0/a"];
    let free = ["--tls-listen", "127.0.0.1:0", "--listen", "127.0.0.1:0"];
    let authority = [&authority[..], &["--acme-dir", state.to_str().unwrap()]].concat();
    let server = Server::of(command(&[&authority[..], &free].concat()));
    let (plain, tls) = (server.address.to_string(), server.tls_address.to_string());
    let health_of = |plain: &str, options: &[&str]| {
        let listen = ["--listen", plain, "--tls-listen", &tls];
        command(&[&["healthcheck"], &authority[..], &listen, options].concat()).output().unwrap()
    };
    let output = health_of(&plain, &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let closed = ClosedPort::new();
    assert_eq!(health_of(&closed.address().to_string(), &[]).status.code(), Some(1));
    // A monitor asks for a certificate.
    assert_eq!(health_of(&plain, &["--expires-within", "1d"]).status.code(), Some(1));
    let without_tls = ["healthcheck", "--listen", &plain, "--expires-within", "1d"];
    assert_fails(command(&without_tls), 1, "--expires-within needs HTTPS");
    // Without an authority, a missing certificate is an error.
    let output = health_with(&["--listen", &plain], &tls);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let console = String::from_utf8(output.stderr).unwrap();
    assert!(console.contains("has no certificate"), "{console}");
}
