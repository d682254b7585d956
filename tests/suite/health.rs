//! WIRE-36: `recipelog-site healthcheck`, for images without a shell or curl.

use std::io::Write;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::tempdir;

use crate::support::clock::assert_takes;
use crate::support::files::socket_path;
use crate::support::process::{
    CLOSED, FREE_PORT, Server, assert_healthy, assert_rejected, check, command,
};
use crate::support::tls::{CertifiedKey, TlsServer, command_with};

/// The health check of a server that has a certificate and listens for TLS on `tls`.
fn check_with(options: &[&str], tls: &str) -> Command {
    let own = ["--tls-cert", "unused.pem", "--tls-key", "unused.pem"];
    command(&[&["healthcheck", "--tls-listen", tls], options, &own].concat())
}

#[test]
fn the_health_check_asks_the_first_address_of_each_protocol() {
    let site = TlsServer::start(&[&FREE_PORT[..], &["--origin", "https://a.example"]].concat());
    let (plain, tls) = (site.server.address.to_string(), site.server.tls_address.to_string());
    let (plain, tls) = (&*plain, &*tls);
    let (open_first, closed_first) = (format!("{plain},{CLOSED}"), format!("{CLOSED},{plain}"));
    assert_healthy(check(&open_first));
    assert_rejected(check(&closed_first), 1, &["no response from"]);
    // HTTP on a port of HTTPS.
    assert_rejected(check(tls), 1, &[&format!("{tls} speaks TLS; set --tls-listen")]);
    for (options, tls, problem) in [
        (&[][..], tls, None),
        (&["--listen", plain], tls, None),
        (&["--listen", plain, "--origin", "https://[::1]:28443"], tls, None),
        (&["--listen", plain], CLOSED, Some("set --tls-listen to its address")),
        (&["--listen", CLOSED], tls, Some("set --listen or --port to its address")),
        // HTTPS on a port of HTTP.
        (&[], plain, Some("does not speak TLS; set --listen to it, or --tls-listen to the HTTPS")),
    ] {
        let check = check_with(options, tls);
        if let Some(problem) = problem {
            assert_rejected(check, 1, &[problem]);
        } else {
            assert_healthy(check);
        }
    }
}

#[test]
fn the_health_check_fails_after_1_8_seconds_without_a_response() {
    // The kernel completes connections to both sockets, and no process responds.
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let (_folder, path, unix) = socket_path();
    let _listener = UnixListener::bind(&path).unwrap();
    let tcp = tcp.local_addr().unwrap().to_string();
    let server = Server::start(&[]);
    let answers = ["--listen", &server.address.to_string()];
    let checks: [(&dyn Fn() -> Command, _); 4] = [
        (&|| check(&tcp), &tcp),
        (&|| check(&unix), &unix),
        (&|| check_with(&[], &tcp), &tcp),
        (&|| check_with(&answers, &tcp), &tcp),
    ];
    for (check, silent) in checks {
        let line = format!("no response from {silent} within 1.8s; start the server");
        assert_takes(&line, Duration::from_millis(1800), || {
            let begun = Instant::now();
            assert_rejected(check(), 1, &[&line]);
            begun.elapsed()
        });
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
            check(&address).output().unwrap()
        });
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(!output.stderr.contains(&0x1b), "{output:?}");
    }
}

#[test]
fn only_the_health_check_of_all_interfaces_tries_both_loopback_addresses() {
    // The server listens on 127.0.0.1 only, as on a machine without `::1`.
    let server = Server::start(&[]);
    assert_healthy(check(&format!("[::]:{}", server.address.port())));
    let server = Server::of(command(&["--listen", "127.0.0.2:0"]));
    assert_healthy(check(&server.address.to_string()));
}

#[test]
fn the_health_check_fails_if_the_certificate_has_expired() {
    let folder = tempdir().unwrap();
    let files = CertifiedKey::between(2000, 2020).write(folder.path());
    let server = Server::of(command_with(&files, &[]));
    let check = check_with(&["--expires-within", "1d"], &server.tls_address.to_string());
    assert_rejected(check, 1, &["has expired on 01 Jan 2020"]);
}

/// If the check failed, a restart of the server would only repeat the order.
#[test]
fn the_health_check_passes_before_the_first_certificate_of_an_authority() {
    let folder = tempdir().unwrap();
    let state = folder.path().join("state");
    let authority = ["--acme-domain", "a.example", "--acme-directory", "https://127.0.0.1:0/a"];
    let authority = [&authority[..], &["--acme-dir", state.to_str().unwrap()]].concat();
    let tls = ["--tls-listen", "127.0.0.1:0"];
    let server = Server::start(&[&authority[..], &tls].concat());
    let (plain, tls) = (server.address.to_string(), server.tls_address.to_string());
    let check_of = |plain: &str, options: &[&str]| {
        let listen = ["--listen", plain, "--tls-listen", &tls];
        command(&[&["healthcheck"], &authority[..], &listen, options].concat())
    };
    assert_healthy(check_of(&plain, &[]));
    assert_rejected(check_of(CLOSED, &[]), 1, &["no response from"]);
    // A monitor asks for a certificate. Without an authority, a missing one is an error.
    let soon = ["--expires-within", "1d"];
    assert_rejected(check_of(&plain, &soon), 1, &["has no certificate"]);
    assert_rejected(check_with(&["--listen", &plain], &tls), 1, &["has no certificate"]);
    let without_tls = [&["healthcheck", "--listen", &plain], &soon[..]].concat();
    assert_rejected(command(&without_tls), 2, &["--expires-within needs HTTPS; add --tls-cert"]);
}
