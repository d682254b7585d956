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
    FREE_PORT, Server, assert_healthy, assert_rejected, check, command, run,
};
use crate::support::texts::{assert_outcomes, command_of};
use crate::support::tls::{CertifiedKey, TlsServer, command_with};

/// The health check of a server that has a certificate and listens for TLS on `tls`.
fn check_with(options: &[&str], tls: &str) -> Command {
    let own = ["--tls-cert", "unused.pem", "--tls-key", "unused.pem"];
    command(&[&["healthcheck", "--tls-listen", tls], options, &own].concat())
}

/// The lines have the addresses of a site, of a server with an expired certificate, and of one that orders its first.
#[test]
fn the_health_check_asks_the_first_address_of_each_protocol_and_looks_at_the_certificate() {
    let site = TlsServer::start(&[&FREE_PORT[..], &["--origin", "https://a.example"]].concat());
    let folder = tempdir().unwrap();
    let files = CertifiedKey::between(2000, 2020).write(folder.path());
    let expired = Server::of(command_with(&files, &[]));
    let mut ordering = command_of(
        "--listen 127.0.0.1:0 --tls-listen 127.0.0.1:0 --acme-domain a.example --acme-dir state \
         --acme-directory https://127.0.0.1:0/a",
    );
    ordering.current_dir(folder.path());
    let ordering = Server::of(ordering);
    let addresses = [
        ("PLAIN", site.server.address),
        ("TLS", site.server.tls_address),
        ("EXPIRED", expired.tls_address),
        ("ORDERING", ordering.address),
        ("UNISSUED", ordering.tls_address),
    ];
    let addresses = addresses.map(|(name, address)| (name, address.to_string()));
    assert_outcomes("healthchecks", |line| {
        let line = addresses.iter().fold(line.to_owned(), |line, it| line.replace(it.0, &it.1));
        let (code, _, error) = run(command_of(&format!("healthcheck {line}")));
        let error = addresses.iter().fold(error, |error, it| error.replace(&it.1, it.0));
        format!("{code} {}", error.trim_end()).trim_end().to_owned()
    });
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
