//! WIRE-26, WIRE-28: which connections are open, which one is closed for a new one, which are accepted in the
//! drain, and accept errors.

use std::io::{Read, Write};
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

use Attack::{Idle, PartialHead, Silent, SlowRead};
use rustix::process::Signal;
use tokio::time::timeout;

use crate::support::client::{Connection, exchange};
use crate::support::clock::assert_takes;
use crate::support::files::socket_path;
use crate::support::http2_client::Event::{Closed, Response};
use crate::support::http2_client::get;
use crate::support::process::{
    DEADLINE, Server, assert_healthy, check, command_with_limit, wait_until,
};
use crate::support::tls::{TlsServer, http2};

#[tokio::test]
async fn silent_clients_at_the_cap_do_not_keep_others_out() {
    let limits = ["--max-connections", "64", "--header-timeout", "5m", "--idle-timeout", "5m"];
    let site = TlsServer::start(&limits);
    let mut attackers: Vec<Connection> = (0..80)
        .map(|_| Connection::open_from([127, 0, 0, 2], site.server.tls_address, None))
        .collect();
    let mut open = || attackers.iter_mut().map(Connection::is_open).filter(|&open| open).count();
    // Each of them has been accepted.
    wait_until("64 connections", || open() == 64);
    for _ in 0..5 {
        let mut stream = site.connect(b"http/1.1").await;
        let response = exchange(&mut stream, HEAD).await;
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    }
    // A connection counts during its handshake, too.
    wait_until("an attacker's end", || open() < 64);
}

#[tokio::test]
async fn idle_connections_with_http_2_give_way_at_the_cap() {
    let site = TlsServer::start(&["--max-connections", "4", "--threads", "1"]);
    let mut idle = Vec::new();
    for _ in 0..4 {
        let mut client = http2(&site, &[]).await;
        client.send(get(1, "/healthz")).await;
        assert_eq!(client.event().await, Response(1, 200));
        idle.push(client);
    }
    let mut visitor = http2(&site, &[]).await;
    visitor.send(get(1, "/")).await;
    assert_eq!(visitor.event().await, Response(1, 200));
    let event = timeout(DEADLINE, idle[0].event()).await.expect("the longest idle one ends");
    assert_eq!(event, Closed);
}

const HEAD: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

const VISITOR: [u8; 4] = [127, 0, 0, 1];
const ATTACKER: [u8; 4] = [127, 0, 0, 2];
const OTHER: [u8; 4] = [127, 0, 0, 3];

/// How an attacker occupies a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Attack {
    Idle,
    Silent,
    PartialHead,
    SlowRead,
}

impl Attack {
    fn open(self, source: [u8; 4], address: SocketAddr) -> Connection {
        let receive_buffer = (self == SlowRead).then_some(2048);
        let mut connection = Connection::open_from(source, address, receive_buffer);
        if matches!(self, Idle | PartialHead) {
            let port = connection.stream.local_addr().expect("an address").port();
            // Only the log regards the address in this field, here a different one each time.
            let client = format!("X-Forwarded-For: 10.{}.{}.1", port >> 8, port & 0xff);
            connection.send(format!("GET /healthz HTTP/1.1\r\nHost: a\r\n{client}\r\n\r\n"));
            // The response shows that the server has accepted the connection.
            assert_eq!(connection.reply().expect("a response").status, 200);
        }
        match self {
            Idle | Silent => {}
            PartialHead => connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: "),
            SlowRead => connection.send("GET /og.png HTTP/1.1\r\nHost: a\r\n\r\n".repeat(8)),
        }
        connection
    }
}

/// Makes the order certain: the server records the time of progress to the millisecond.
fn pause() {
    thread::sleep(Duration::from_millis(5));
}

/// A server whose time limits end no connection while a visitor waits for a response.
fn start(max_connections: usize, options: &[&str]) -> Server {
    let max = max_connections.to_string();
    let limits = ["--idle-timeout", "5m", "--header-timeout", "5m", "--write-timeout", "5m"];
    Server::start(&[&["--max-connections", &max], &limits[..], options].concat())
}

fn assert_visitors_are_answered(server: &Server, attack: Attack) {
    for _ in 0..5 {
        let mut visitor = Connection::open_from(VISITOR, server.address, None);
        assert_eq!(visitor.get("/privacy").status, 200, "{attack:?}");
    }
    assert_healthy(check(&server.address.to_string()));
}

#[test]
fn visitors_or_with_proxies_the_health_check_are_answered_although_others_hold_every_connection() {
    for attack in [Idle, Silent, PartialHead, SlowRead] {
        let open = |count, source, server: &Server| {
            let connections = (0..count).map(|_| attack.open(source, server.address));
            connections.collect::<Vec<Connection>>()
        };
        let server = start(256, &[]);
        let _attackers = open(300, ATTACKER, &server);
        assert_visitors_are_answered(&server, attack);

        let server = start(64, &["--trust-proxy", "1"]);
        let _proxy = open(64, ATTACKER, &server);
        // Within its fair share, but beyond the cap.
        let _other = open(20, OTHER, &server);
        assert_healthy(check(&server.address.to_string()));
    }
}

#[test]
fn the_longest_idle_connection_of_the_client_that_holds_most_is_closed_first() {
    let server = start(10, &["--threads", "1"]);
    // These belong to a client that holds fewer connections, although they are idle for longest.
    let mut fair: Vec<Connection> = (0..3).map(|_| Idle.open(OTHER, server.address)).collect();
    let mut most: Vec<Connection> = (0..7)
        .map(|_| {
            pause();
            Idle.open(ATTACKER, server.address)
        })
        .collect();
    // Now `most[0]` has been idle for the shortest time.
    assert_eq!(most[0].get("/healthz").status, 200);
    let mut visitors = Vec::new();
    for closed in 1..4 {
        visitors.push(Idle.open(VISITOR, server.address));
        let open: Vec<bool> = most.iter_mut().map(Connection::is_open).collect();
        let expected: Vec<bool> = (0..7).map(|index| index == 0 || index > closed).collect();
        assert_eq!(open, expected);
    }
    for connection in fair.iter_mut().chain(&mut visitors) {
        assert!(connection.is_open(), "closed for a client that holds more");
    }
}

#[test]
fn clients_that_arrive_together_close_one_connection_each() {
    let server = start(10, &["--threads", "4"]);
    let mut fair: Vec<_> = (0..4).map(|_| Idle.open(OTHER, server.address)).collect();
    pause();
    let mut most: Vec<_> = (0..6).map(|_| Idle.open(ATTACKER, server.address)).collect();
    server.signal(Signal::STOP);
    let mut visitors = [4, 5].map(|host| {
        let mut visitor = Connection::open_from([127, 0, 0, host], server.address, None);
        visitor.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
        visitor
    });
    server.signal(Signal::CONT);
    for visitor in &mut visitors {
        assert_eq!(visitor.reply().expect("a response").status, 200);
    }
    let open = |all: &mut [Connection]| {
        all.iter_mut().map(Connection::is_open).filter(|&open| open).count()
    };
    assert_eq!((open(&mut most), open(&mut fair)), (4, 4));
}

#[test]
fn the_connection_without_progress_for_longest_gives_way() {
    let server = start(4, &["--threads", "1"]);
    let mut idle = Idle.open(ATTACKER, server.address);
    pause();
    let mut head = PartialHead.open(ATTACKER, server.address);
    // Until then, the server may not have read the head.
    server.wait_until_idle();
    pause();
    let mut recent = Idle.open(ATTACKER, server.address);
    pause();
    let mut reading = SlowRead.open(ATTACKER, server.address);
    reading.reply().expect("a response");
    let is_open = |connections: [&mut Connection; 3]| connections.map(Connection::is_open);
    assert_eq!(is_open([&mut idle, &mut head, &mut recent]), [true; 3]);
    let _one = Idle.open(VISITOR, server.address);
    assert_eq!(is_open([&mut idle, &mut head, &mut recent]), [false, true, true]);
    let _two = Idle.open([127, 0, 0, 4], server.address);
    assert_eq!(is_open([&mut idle, &mut head, &mut recent]), [false, false, true]);
    // Each other client holds one connection now; the attacker still holds two.
    let _three = Idle.open([127, 0, 0, 5], server.address);
    assert_eq!(is_open([&mut idle, &mut head, &mut recent]), [false; 3]);
    assert_eq!(reading.reply().expect("the next response").status, 200);
}

#[test]
fn only_idle_connections_of_proxies_and_unix_sockets_are_closed_at_the_cap() {
    let server = start(5, &["--trust-proxy", "1", "--threads", "1"]);
    let mut fair = Idle.open(OTHER, server.address);
    let mut busy: Vec<Connection> =
        (0..3).map(|_| PartialHead.open(ATTACKER, server.address)).collect();
    let mut idle = Idle.open(ATTACKER, server.address);
    for _ in 0..20 {
        assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
    }
    assert!(!idle.is_open());
    busy.push(PartialHead.open(ATTACKER, server.address));
    assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
    assert!(fair.is_open(), "closed for a client that holds more");
    for connection in &mut busy {
        connection.send("\r\n\r\n");
        assert_eq!(connection.reply().expect("a response").status, 200);
    }

    let (_folder, path, listen) = socket_path();
    let server = start(4, &["--listen", &listen, "--threads", "1"]);
    let mut busy: Vec<UnixStream> = (0..4)
        .map(|_| {
            let mut stream = UnixStream::connect(&path).expect("a connection");
            stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").expect("it reads");
            // The response shows that the server has accepted the connection.
            stream.read_exact(&mut [0; 100]).expect("a response");
            stream.write_all(b"GET /healthz HTTP/1.0\r\n").expect("it reads");
            stream
        })
        .collect();
    for _ in 0..20 {
        assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
    }
    for stream in &mut busy {
        stream.write_all(b"\r\n").expect("an open connection");
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response");
        assert!(response.contains("HTTP/1.0 200 OK\r\n"), "{response}");
    }
}

/// At the cap, no client closes its connection: the server has to.
#[test]
fn connections_that_wait_are_answered_at_the_cap_and_at_the_start_of_the_drain() {
    for (is_ending, limit, options, silent) in [
        (false, "-n 4096", &["--max-connections", "1"][..], 0),
        (false, "-n 4096", &["--max-connections", "8"], 0),
        (true, "-n 4096", &["--max-connections", "1", "--threads", "1"], 0),
        (true, "-n 4096", &["--threads", "3"], 0),
        // More connections than open files. The silent ones do not delay the others.
        (true, "-n 80", &["--threads", "1", "--header-timeout", "60s"], 99),
    ] {
        let options = [options, &["--drain-timeout", "70s"]].concat();
        let mut server = Server::of(command_with_limit(limit, &options));
        // A stopped process does not accept.
        server.signal(Signal::STOP);
        let mut waiting = [(); 100].map(|()| Connection::open(server.address));
        for connection in &mut waiting[silent..] {
            connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        if is_ending {
            server.signal(Signal::TERM);
        }
        server.signal(Signal::CONT);
        for connection in &mut waiting[silent..] {
            assert_eq!(connection.reply().expect("a response").status, 200, "{options:?}");
        }
        assert!(!is_ending || server.wait().0.success(), "{options:?}");
    }
}

#[test]
fn new_clients_are_answered_at_the_limit_on_open_files() {
    let many = ["--listen", "127.0.0.1:0"].repeat(9);
    for (limit, options) in
        [("-n 80", &["--threads", "1"][..]), ("-n 240", &[&["--threads", "8"][..], &many].concat())]
    {
        let server = Server::of(command_with_limit(limit, options));
        let connections: Vec<Connection> =
            (0..300).map(|_| Connection::open_from(ATTACKER, server.address, None)).collect();
        assert_visitors_are_answered(&server, Silent);
        // Connections that wait to be accepted would reach the limit in the drain.
        drop(connections);
        server.wait_until_idle();
        server.assert_reported_nothing();
    }
}

/// An accept error is waited out, without using a processor.
#[test]
fn a_connection_that_arrives_at_the_limit_on_open_files_is_answered_later() {
    let server = Server::start(&["--threads", "1"]);
    let mut idle: Vec<Connection> = (0..8).map(|_| Connection::open(server.address)).collect();
    for connection in &mut idle {
        assert_eq!(connection.get("/healthz").status, 200);
    }
    assert_takes("the pause after a failure", Duration::from_secs(1), || {
        let files = std::fs::read_dir(format!("/proc/{}/fd", server.id())).expect("a process");
        let numbers = files.flatten().filter_map(|file| file.file_name().to_str()?.parse().ok());
        let numbers: Vec<u64> = numbers.collect();
        // The kernel assigns the lowest number that is free.
        let usual = server.set_open_files((0..).find(|number| !numbers.contains(number)));
        let begun = Instant::now();
        let mut late = Connection::open(server.address);
        late.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
        let line = server.line_with("cannot accept connections");
        assert!(line.ends_with("; raise the limit on open files; trying again"), "{line}");
        idle.pop();
        assert_eq!(late.reply().expect("a response").status, 200);
        server.set_open_files(usual);
        idle.push(late);
        begun.elapsed()
    });
}
