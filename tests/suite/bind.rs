//! `--listen` and `--port`: address families, several sockets, several workers.

use std::io;
use std::net::{Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs};
use std::process::{Command, Stdio};

use socket2::{Domain, Socket, Type};
use tempfile::tempdir;

use crate::child_process::{Running, assert_rejected, wait_until};
use crate::executable::{Server, command, command_with_limit};
use crate::port::free_port;
use crate::wire::Connection;

/// The second address only if this machine has it.
fn loopback_addresses(port: u16) -> Vec<SocketAddr> {
    let has_ipv6 = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok();
    let ipv6 = has_ipv6.then_some((Ipv6Addr::LOCALHOST, port).into());
    [([127, 0, 0, 1], port).into()].into_iter().chain(ipv6).collect()
}

#[test]
fn every_notation_for_all_interfaces_serves_both_families() {
    let port = free_port();
    let (any_v4, any_v6) = (format!("0.0.0.0:{port}"), format!("[::]:{port}"));
    let (by_number, by_name) = (port.to_string(), format!("localhost:{port}"));
    let loopback = format!("127.0.0.1:{port}");
    for options in [
        &["--port", &by_number][..],
        &["--listen", &any_v6],
        &["--listen", &any_v4, "--listen", &any_v6],
        &["--listen", &any_v6, "--listen", &any_v4],
        // It is one of all interfaces.
        &["--listen", &loopback, "--listen", &any_v4, "--listen", &any_v6],
        &["--listen", &by_name],
    ] {
        for threads in ["1", "3"] {
            let server = Server::of(command(&[options, &["--threads", threads]].concat()));
            let addresses: Vec<_> = if options.contains(&by_name.as_str()) {
                by_name.to_socket_addrs().expect("a name of this machine").collect()
            } else {
                loopback_addresses(port)
            };
            // The last address is the one for the network, if the machine has one.
            for address in addresses.into_iter().chain([server.address]) {
                let status = Connection::open(address).get("/healthz").status;
                assert_eq!(status, 200, "{options:?} {address}");
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
        let server = Server::of({
            command.env("LD_PRELOAD", &library);
            command
        });
        assert_eq!(Connection::open(server.address).get("/healthz").status, 200, "{listen}");
    }
}

#[test]
fn a_port_that_another_instance_serves_is_an_error() {
    let first = Server::start(&["--threads", "3"]);
    let address = first.address.to_string();
    for threads in ["1", "3"] {
        let command = command(&["--listen", &address, "--threads", threads]);
        assert_rejected(command, 1, &["already in use"]);
    }
}

/// It would take a share of the connections.
#[test]
fn another_program_cannot_share_the_port_of_a_single_worker() {
    let server = Server::start(&["--threads", "1"]);
    let other = Socket::new(Domain::for_address(server.address), Type::STREAM, None).unwrap();
    other.set_reuse_port(true).unwrap();
    let error = other.bind(&server.address.into()).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
}

/// Browsers that prefer IPv6 would reach the other program.
#[test]
fn a_port_that_another_program_serves_over_ipv6_alone_is_an_error() {
    // A machine may have no IPv6.
    let Ok(other) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)) else { return };
    let port = other.local_addr().unwrap().port().to_string();
    assert_rejected(command(&["--port", &port]), 1, &["already in use"]);
}

/// Waits for `count` workers: the server is ready before all threads have started.
fn wait_for_workers(server: &Server, count: usize) {
    // The first worker is the main thread.
    let workers = || 1 + server.threads("comm").filter(|name| name.starts_with("worker-")).count();
    wait_until("the start of all workers", || workers() == count);
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
    wait_for_workers(&server, 64);
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
