//! HTTP.md line 26: how many connections the executable has at once.

use std::thread;
use std::time::Duration;

use crate::executable::Server;
use crate::wire::Connection;

#[test]
fn idle_connections_do_not_keep_others_from_being_served() {
    let server = Server::start(&["--idle-timeout", "60s"]);
    let mut idle: Vec<Connection> = (0..2000).map(|_| Connection::open(server.address)).collect();
    for connection in &mut idle {
        assert_eq!(connection.get("/healthz").status, 200);
    }
    for _ in 0..100 {
        assert_eq!(Connection::open(server.address).get("/privacy").status, 200);
    }
    // And none of them was given up for it.
    for connection in &mut idle {
        assert_eq!(connection.get("/healthz").status, 200);
    }
}

#[test]
fn connections_beyond_the_cap_wait_and_are_all_served() {
    let server = Server::start(&["--max-connections", "8"]);
    let mut connections: Vec<Connection> =
        (0..100).map(|_| Connection::open(server.address)).collect();
    for connection in &mut connections {
        connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    }
    for connection in &mut connections {
        assert_eq!(connection.reply().expect("an answer").status, 200);
    }
}

#[test]
fn no_more_connections_are_served_at_once_than_the_cap_allows() {
    let server = Server::start(&["--max-connections", "2", "--idle-timeout", "60s"]);
    let mut first = Connection::open(server.address);
    let mut second = Connection::open(server.address);
    first.get("/healthz");
    second.get("/healthz");
    let mut third = Connection::open(server.address);
    third.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    third.stream.set_read_timeout(Some(Duration::from_millis(300))).expect("a time above zero");
    assert!(third.reply().is_err(), "a third connection was served beside two others");
    third.stream.set_read_timeout(Some(crate::executable::PATIENCE)).expect("a time above zero");
    drop(first);
    assert_eq!(third.reply().expect("an answer").status, 200);
    assert_eq!(second.get("/healthz").status, 200);
}

#[cfg(unix)]
#[test]
fn a_full_table_of_open_files_is_waited_out() {
    let server = Server::start_with_open_files(64, &["--max-connections", "4096"]);
    let mut connections: Vec<Connection> =
        (0..200).map(|_| Connection::open(server.address)).collect();
    for connection in &mut connections[..10] {
        assert_eq!(connection.get("/healthz").status, 200);
    }
    thread::sleep(Duration::from_millis(300));
    // Whoever leaves makes room for another, until all have been served.
    for mut connection in connections {
        assert_eq!(connection.get("/healthz").status, 200);
    }
    assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
}

#[cfg(target_os = "linux")]
#[test]
fn waiting_for_a_place_costs_no_processor_time() {
    let server = Server::start_with_open_files(64, &[]);
    let _connections: Vec<Connection> =
        (0..200).map(|_| Connection::open(server.address)).collect();
    let before = processor_ticks(&server);
    thread::sleep(Duration::from_secs(1));
    let ticks = processor_ticks(&server) - before;
    assert!(ticks < 20, "{ticks} hundredths of a second within one");
}

/// User and system time of the process, in hundredths of a second (proc(5)).
#[cfg(target_os = "linux")]
fn processor_ticks(server: &Server) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.id())).expect("a process");
    let after_name = stat.rsplit_once(") ").expect("a name in brackets").1;
    after_name.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("digits")).sum()
}
