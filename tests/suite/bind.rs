//! `--listen` and `--port`: address families, several sockets, several workers.

use std::net::{Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::process::Stdio;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;

use recipelog_site::server::{BoundSockets, ListenAddress, Scheme};

use crate::certified_key::CertifiedKey;
use crate::child_process::{DEADLINE, Running, assert_rejected};
use crate::executable::{FREE_PORT, Server, command, command_with_limit, command_without_threads};
use crate::folder::Folder;
use crate::port::free_port;
use crate::wire::Connection;

/// True if this machine has an IPv6 loopback address.
fn has_ipv6() -> bool {
    TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok()
}

fn loopback_addresses(port: u16) -> Vec<SocketAddr> {
    let mut addresses = vec![([127, 0, 0, 1], port).into()];
    if has_ipv6() {
        addresses.push((Ipv6Addr::LOCALHOST, port).into());
    }
    addresses
}

#[test]
fn every_notation_for_all_interfaces_serves_both_families() {
    let port = free_port();
    let (any_v4, any_v6) = (format!("0.0.0.0:{port}"), format!("[::]:{port}"));
    let (by_number, by_name) = (port.to_string(), format!("localhost:{port}"));
    for options in [
        &["--port", &by_number][..],
        &["--listen", &any_v6],
        &["--listen", &any_v4, "--listen", &any_v6],
        &["--listen", &any_v6, "--listen", &any_v4],
        &["--listen", &by_name],
    ] {
        for threads in ["1", "3"] {
            let mut command = command(options);
            command.args(["--threads", threads]);
            let server = Server::of(command);
            let addresses = if options.contains(&by_name.as_str()) {
                by_name.to_socket_addrs().expect("a name of this machine").collect()
            } else {
                loopback_addresses(port)
            };
            for address in addresses {
                let status = Connection::open(address).get("/healthz").status;
                assert_eq!(status, 200, "{options:?} {address}");
            }
            drop(server);
        }
    }
}

#[test]
fn a_port_that_another_instance_serves_is_an_error() {
    let first = Server::start(&["--threads", "3"]);
    let address = first.address.to_string();
    for threads in ["1", "3"] {
        let output = command(&["--listen", &address, "--threads", threads]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains("already in use"), "{text}");
    }
}

/// The instances are threads of this process: the kernel compares users, not processes.
#[test]
fn one_of_several_instances_that_start_together_serves_a_port() {
    for _ in 0..20 {
        let address = format!("127.0.0.1:{}", free_port());
        let addresses = [(Scheme::Http, ListenAddress::Tcp(address))];
        let start = Barrier::new(4);
        let bound: usize = thread::scope(|scope| {
            let instances: Vec<_> = (0..4)
                .map(|_| {
                    scope.spawn(|| {
                        let runtime = Builder::new_current_thread().build().unwrap();
                        start.wait();
                        runtime.block_on(BoundSockets::bind(&addresses, 64))
                    })
                })
                .collect();
            // The sockets of each are open until all have ended.
            let results: Vec<_> = instances.into_iter().map(|one| one.join().unwrap()).collect();
            results.iter().filter(|result| result.is_ok()).count()
        });
        assert_eq!(bound, 1);
    }
}

#[test]
fn listen_addresses_that_overlap_are_reported_as_such() {
    let port = free_port();
    for (first, second) in [
        ("localhost", "127.0.0.1"),
        ("127.0.0.1", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", "0.0.0.0"),
        ("[::]", "127.0.0.1"),
    ] {
        let listen = format!("{first}:{port},{second}:{port}");
        let line = format!("{second}:{port}: it overlaps with another address; remove one");
        assert_rejected(command(&["--listen", &listen, "--threads", "2"]), 1, &[&line]);
    }
    // An address for HTTPS, too.
    let folder = Folder::new();
    let [certificate, key] = CertifiedKey::new().write(folder.path());
    for (plain, tls) in [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "[::]")] {
        let (plain, tls) = (format!("{plain}:{port}"), format!("{tls}:{port}"));
        let mut command = command(&["--listen", &plain, "--tls-listen", &tls]);
        command.arg("--tls-cert").arg(&certificate).arg("--tls-key").arg(&key);
        assert_rejected(command, 1, &["it overlaps with another address", "with --tls-listen"]);
    }
}

/// Waits for `count` workers: the server is ready before all threads have started.
fn wait_for_workers(server: &Server, count: usize) {
    let workers = || -> usize {
        let folder = format!("/proc/{}/task", server.id());
        let threads = std::fs::read_dir(folder).expect("a process").flatten();
        let named = threads.filter(|thread| {
            let name = std::fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
            name.starts_with("worker-") || name.starts_with("recipelog")
        });
        named.count()
    };
    let begun = Instant::now();
    while workers() != count {
        assert!(begun.elapsed() < DEADLINE, "{} workers", workers());
        thread::sleep(Duration::from_millis(10));
    }
}

/// DECISION-10.
#[test]
fn the_limit_on_open_files_is_raised_for_the_workers() {
    let options = ["--threads", "64", "--max-connections", "100"];
    wait_for_workers(&Server::of(command_with_limit("-S -n 256", &options)), 64);
}

#[test]
fn fewer_workers_and_connections_than_requested_are_reported() {
    let mut command = command_with_limit("-n 80", &["--threads", "16"]);
    let mut server = Running(command.stderr(Stdio::piped()).spawn().unwrap());
    let line = "the limit of 80 open files allows 3 workers and 30 connections; raise it to 4224";
    server.console().line_with(line);
}

#[test]
fn a_limit_on_threads_is_reported_in_one_line() {
    let output = command_without_threads(&FREE_PORT).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let console = String::from_utf8(output.stderr).unwrap();
    assert!(console.contains("; raise the limit on threads"), "{console}");
    assert_eq!(console.lines().count(), 1, "{console}");
}

#[test]
fn every_worker_answers() {
    // Opening 300 connections can take long on a busy machine.
    let server = Server::start(&["--threads", "4", "--header-timeout", "5m"]);
    wait_for_workers(&server, 4);
    // The kernel distributes connections over four backlogs. If one of them were
    // not served, all 300 connections would be answered in only one of 10^37 runs.
    let mut connections: Vec<Connection> =
        (0..300).map(|_| Connection::open(server.address)).collect();
    for connection in &mut connections {
        assert_eq!(connection.get("/healthz").status, 200);
    }
}
