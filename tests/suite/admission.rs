//! WIRE-26, WIRE-28: which connections are open, which one is closed for a new one, which are accepted in the
//! drain, and accept errors.

use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tokio::time::timeout;

use crate::support::client::Connection;
use crate::support::clock::assert_takes;
use crate::support::files::socket_path;
use crate::support::http2_client::Event::{Closed, Response};
use crate::support::http2_client::get;
use crate::support::process::{
    DEADLINE, FREE_PORT, Server, assert_healthy, check, command_with_limit,
};
use crate::support::tls::{TlsServer, http2};

const VISITOR: [u8; 4] = [127, 0, 0, 1];
const ATTACKER: [u8; 4] = [127, 0, 0, 2];
const OTHER: [u8; 4] = [127, 0, 0, 3];

/// What a client sends behind its first request, to occupy the connection.
const IDLE: &str = "";
const PARTIAL_HEAD: &str = "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ";
/// Responses that the client does not read.
const UNREAD: &str =
    "GET /og.png HTTP/1.1\r\nHost: a\r\n\r\nGET /og.png HTTP/1.1\r\nHost: a\r\n\r\n";

fn open(behind: &str, source: [u8; 4], site: &TlsServer) -> Connection {
    let mut connection = Connection::open_from(source, site.server.address, Some(2048));
    let port = connection.stream.local_addr().expect("an address").port();
    // Only the log regards the address in this field, here a different one each time.
    let client = format!("X-Forwarded-For: 10.{}.{}.1", port >> 8, port & 0xff);
    connection.send(format!("GET /healthz HTTP/1.1\r\nHost: a\r\n{client}\r\n\r\n"));
    // The response shows that the server has accepted the connection.
    assert_eq!(connection.reply().expect("a response").status, 200);
    connection.send(behind);
    connection
}

/// Makes the order certain: the server records the time of progress to the millisecond.
fn pause() {
    thread::sleep(Duration::from_millis(5));
}

/// A server whose time limits end no connection while a visitor waits for a response.
fn start(max_connections: &str, options: &[&str]) -> TlsServer {
    let limits = ["--idle-timeout", "5m", "--header-timeout", "5m", "--write-timeout", "5m"];
    let max = ["--max-connections", max_connections];
    TlsServer::start(&[&max, &limits[..], &FREE_PORT, options].concat())
}

fn assert_visitors_are_answered(address: SocketAddr) {
    for _ in 0..5 {
        let mut visitor = Connection::open_from(VISITOR, address, None);
        assert_eq!(visitor.get("/privacy").status, 200);
    }
    assert_healthy(check(&address.to_string()));
}

#[test]
fn visitors_or_with_proxies_the_health_check_are_answered_although_others_hold_every_connection() {
    for attack in [Some(IDLE), Some(PARTIAL_HEAD), Some(UNREAD), None] {
        let hold = |count, source, site: &TlsServer| -> Vec<Connection> {
            let connect = || match attack {
                Some(behind) => open(behind, source, site),
                // A connection counts during its handshake, too.
                None => Connection::open_from(source, site.server.tls_address, None),
            };
            (0..count).map(|_| connect()).collect()
        };
        let site = start("256", &[]);
        let _attackers = hold(300, ATTACKER, &site);
        assert_visitors_are_answered(site.server.address);

        let site = start("64", &["--trust-proxy", "1"]);
        let _proxy = hold(64, ATTACKER, &site);
        // Within its fair share, but beyond the cap.
        let _other = hold(20, OTHER, &site);
        assert_healthy(check(&site.server.address.to_string()));
    }
}

#[tokio::test]
async fn idle_connections_with_http_2_give_way_at_the_cap() {
    let site = start("4", &["--threads", "1"]);
    let mut clients = Vec::new();
    for _ in 0..5 {
        let mut client = http2(&site, &[]).await;
        client.send(get(1, "/healthz")).await;
        assert_eq!(client.event().await, Response(1, 200));
        clients.push(client);
    }
    let event = timeout(DEADLINE, clients[0].event()).await.expect("the longest idle one ends");
    assert_eq!(event, Closed);
}

#[test]
fn the_client_that_holds_most_loses_the_connection_without_progress_for_longest() {
    let site = start("6", &["--threads", "1"]);
    // It has gone without progress for longest, but its client holds fewer.
    let mut fair = open(IDLE, OTHER, &site);
    let mut most = [IDLE, IDLE, PARTIAL_HEAD, IDLE, UNREAD].map(|behind| {
        pause();
        let connection = open(behind, ATTACKER, &site);
        // Until then, the server may not have read what is behind the request.
        site.server.wait_until_idle();
        connection
    });
    pause();
    assert_eq!(most[0].get("/healthz").status, 200);
    most[4].reply().expect("a response");
    let mut visitors = Vec::new();
    for closed in 1..4 {
        visitors.push(open(IDLE, [127, 0, 0, 3 + closed], &site));
        let is_open = [0, 1, 2, 3].map(|index| most[index].is_open());
        assert_eq!(is_open, [0, 1, 2, 3].map(|index| index == 0 || index > usize::from(closed)));
    }
    most[4].reply().expect("the next response");
    assert!(fair.is_open() && Connection::count_open(&mut visitors) == 3);
}

#[test]
fn clients_that_arrive_together_close_one_connection_each() {
    let site = start("10", &["--threads", "4"]);
    let mut fair = [(); 4].map(|()| open(IDLE, OTHER, &site));
    pause();
    let mut most = [(); 6].map(|()| open(IDLE, ATTACKER, &site));
    site.server.signal(Signal::STOP);
    let mut visitors = [4, 5].map(|host| {
        let mut visitor = Connection::open_from([127, 0, 0, host], site.server.address, None);
        visitor.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
        visitor
    });
    site.server.signal(Signal::CONT);
    for visitor in &mut visitors {
        assert_eq!(visitor.reply().expect("a response").status, 200);
    }
    assert_eq!([&mut most[..], &mut fair].map(Connection::count_open), [4, 4]);
}

#[test]
fn only_idle_connections_of_proxies_and_unix_sockets_are_closed_at_the_cap() {
    let site = start("5", &["--trust-proxy", "1", "--threads", "1"]);
    let answer_others = |site: &TlsServer| {
        for _ in 0..20 {
            assert_eq!(Connection::open(site.server.address).get("/healthz").status, 200);
        }
    };
    let mut fair = open(IDLE, OTHER, &site);
    let mut busy = [(); 3].map(|()| open(PARTIAL_HEAD, ATTACKER, &site));
    let mut idle = open(IDLE, ATTACKER, &site);
    answer_others(&site);
    assert!(!idle.is_open());
    let mut late = open(PARTIAL_HEAD, ATTACKER, &site);
    answer_others(&site);
    assert!(fair.is_open(), "closed for a client that holds more");
    for connection in busy.iter_mut().chain([&mut late]) {
        connection.send("\r\n\r\n");
        assert_eq!(connection.reply().expect("a response").status, 200);
    }

    let (_folder, path, listen) = socket_path();
    let site = start("4", &["--listen", &listen, "--threads", "1"]);
    let mut busy = [(); 4].map(|()| {
        let mut connection = Connection::over(UnixStream::connect(&path).expect("a connection"));
        assert_eq!(connection.get("/healthz").status, 200);
        connection.send(PARTIAL_HEAD);
        connection
    });
    answer_others(&site);
    for connection in &mut busy {
        connection.send("\r\n\r\n");
        assert_eq!(connection.reply().expect("a response").status, 200);
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
        assert_visitors_are_answered(server.address);
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
