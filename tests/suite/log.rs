//! WIRE-29: one line per request, which no request can forge. Requests never wait
//! for the log.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;

use memchr::memmem;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::client::Connection;
use crate::support::files::socket_path;
use crate::support::http2_client::Event::Response;
use crate::support::http2_client::{INITIAL_WINDOW_SIZE, get, reset, setting};
use crate::support::process::{Lines, Server, object, wait_until};
use crate::support::tls::{TlsServer, http2};

#[tokio::test]
async fn requests_with_http_2_are_logged_with_the_bytes_that_were_sent() {
    let mut site = TlsServer::start(&["--access-log", "json"]);
    let lines = Lines::of(site.server.output());
    let mut client = http2(&site, &setting(INITIAL_WINDOW_SIZE, 100)).await;
    // A request that breaks the rules of HTTP/2 has no line (WIRE-19).
    client.send([get(1, "/?\""), get(3, "/none")].concat()).await;
    assert_eq!(client.content_length().await, Some(14));
    let line = object(&lines);
    assert_eq!(line["request"], "GET /none HTTP/2.0", "{line}");
    assert_eq!(line["host"], "a.example", "{line}");
    assert_eq!((&line["status"], &line["bytes"]), (&404.into(), &14.into()), "{line}");

    client.send(get(9, "/og.png")).await;
    assert_eq!(client.event().await, Response(9, 200));
    while client.frame().await.expect("content").payload.len() < 100 {}
    client.send(reset(9)).await;
    let line = object(&lines);
    assert_eq!((&line["status"], &line["bytes"]), (&200.into(), &100.into()), "{line}");
    assert!(line["duration"].as_f64().is_some(), "{line}");
}

/// A server with `options`, and its standard output.
fn logging(options: &[&str]) -> (Server, Lines) {
    let mut server = Server::start(options);
    let output = Lines::of(server.output());
    (server, output)
}

#[test]
fn a_combined_line_is_exactly_the_combined_format() {
    let (server, output) = logging(&["--access-log", "combined"]);
    let fields = "Host: a\r\nReferer: http://b/\r\nUser-Agent: tester\r\n\r\n";
    let request = format!("GET http://c/none?a=1#b HTTP/1.1\r\n{fields}");
    let long = format!("GET / HTTP/1.1\r\nHost: a\r\nX: {}\r\n\r\n", "a".repeat(200_000));
    // Neither is a request: the preface of HTTP/2, and the beginning of a head.
    for sent in ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTT"] {
        let mut connection = Connection::open(server.address);
        connection.send(sent);
        connection.stream.shutdown(Shutdown::Write).expect("a connection");
        assert!(connection.ends_here(), "{sent}");
    }
    // Neither has a health check.
    assert_eq!(Connection::open(server.address).get("/healthz?a").status, 200);
    let forging = b"OPTIONS / HTTP/1.1\r\nHost: a\r\nReferer: \"\r\n\
                    User-Agent: x\" 200\\\t\xff\x80\r\n\r\n";
    for (request, expected) in [
        (request.as_bytes(), r#"] "GET http://c/none?a=1 HTTP/1.1" 404 14 "http://b/" "tester""#),
        // Requests that cannot be parsed.
        (b"nonsense\r\n\r\n", r#"] "-" 400 0 "-" "-""#),
        (long.as_bytes(), r#"] "-" 431 0 "-" "-""#),
        // No request forges a line.
        (forging, r#"] "OPTIONS / HTTP/1.1" 204 0 "\x22" "x\x22 200\x5c\x09\xff\x80""#),
    ] {
        let mut connection = Connection::open(server.address);
        connection.send(request);
        connection.reply().expect("a response");
        let line = output.next().expect("a line");
        assert!(line.starts_with("127.0.0.1 - - [") && line.ends_with(expected), "{line}");
    }
}

#[test]
fn a_json_line_is_an_object_with_the_same_values() {
    let (server, output) = logging(&["--access-log", "json", "--trust-proxy", "1"]);
    let mut connection = Connection::open(server.address);
    connection.send(
        b"HEAD / HTTP/1.1\r\nHost: a:80\r\nX-Forwarded-For: 6.6.6.6, 203.0.113.7\r\n\
          Referer: http://b/\r\nUser-Agent: tester\"\\\t\xff\r\n\r\n",
    );
    assert_eq!(connection.head().unwrap().status, 200);
    let mut line = object(&output);
    line.as_object_mut()
        .expect("an object")
        .retain(|name, _| !["time", "duration"].contains(&&**name));
    let expected = json!({
        "host": "a:80",
        "client": "203.0.113.7",
        "request": "HEAD / HTTP/1.1",
        "status": 200,
        "bytes": 0,
        "referrer": "http://b/",
        "user_agent": "tester\"\\\t\u{ff}",
    });
    assert_eq!(line, expected);

    Connection::open(server.address).send("nonsense\r\n\r\n");
    let line = object(&output);
    let names = ["host", "referrer", "request", "user_agent"];
    assert!(names.iter().all(|name| line[name] == ""), "{line}");
}

#[test]
fn a_stalled_reader_loses_lines_but_no_request() {
    // Their lines do not fit into the buffers of the log and a pipe, which is read only after the requests.
    const FLOOD: usize = 8_000;
    let mut server = Server::start(&["--access-log", "combined"]);
    let output = server.output();
    let mut connection = Connection::open(server.address);
    let long = "a".repeat(2000);
    let fields = format!("Host: a\r\nReferer: {long}\r\nUser-Agent: {long}");
    for _ in 0..FLOOD {
        connection.send(format!("GET /robots.txt?{long} HTTP/1.1\r\n{fields}\r\n\r\n"));
        assert_eq!(connection.reply().unwrap().status, 200);
    }
    drop(connection);
    let output = Lines::of(output);
    let mut reports = vec![server.line_with("access log lines lost")];
    server.signal(Signal::TERM);
    assert!(server.wait().0.success());
    reports.extend(server.console.rest());
    let counts = reports.iter().filter(|report| report.contains("lost")).map(|report| {
        let mut words = report.split_whitespace();
        words.find_map(|word| word.parse::<usize>().ok()).expect("a number")
    });
    let (lost, written) = (counts.sum::<usize>(), output.rest());
    // 4 MiB waited, and the writer held up to as many.
    let bytes: usize = written.iter().map(String::len).sum();
    assert!((4_000_000..9_000_000).contains(&bytes), "{bytes} bytes");
    // The last line may be cut off. It then counts both as written and as lost.
    assert!([FLOOD, FLOOD + 1].contains(&(written.len() + lost)), "{} {lost}", written.len());
}

#[test]
fn closing_the_log_pipe_ends_the_log_with_one_line() {
    let mut server = Server::start(&["--access-log", "json"]);
    drop(server.output());
    let mut connection = Connection::open(server.address);
    // A child process that another test starts has the pipe, too, until it executes its program.
    wait_until("the end of the log", || {
        assert_eq!(connection.get("/robots.txt").status, 200);
        let line = server.console.arrived();
        line.is_some_and(|it| it.contains("the access log ends: standard output: Broken pipe"))
    });
    drop(connection);
    server.assert_reported_nothing();
}

#[test]
fn a_response_that_the_drain_cuts_off_is_logged_with_the_bytes_that_were_sent() {
    let (_folder, path, listen) = socket_path();
    let options = ["--access-log", "json", "--drain-timeout", "1s", "--listen", &listen];
    let (mut server, output) = logging(&options);
    // This client can read what the socket took even after the end of the server.
    let mut stream = UnixStream::connect(&path).expect("a connection");
    let requests = "GET /og.png HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20);
    stream.write_all(requests.as_bytes()).expect("the server reads");
    server.wait_until_idle();
    server.signal(Signal::TERM);
    assert_eq!(server.wait().0.code(), Some(1));
    server.line_with("cut off");
    let mut received = Vec::new();
    stream.read_to_end(&mut received).expect("the end of the connection");
    let lines = output.rest();
    let lines = lines.iter().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let lines: Vec<Value> = lines.collect();
    assert!(lines.iter().all(|line| line["client"] == "unix:"), "{lines:?}");
    let durations = lines.iter().filter_map(|line| line["duration"].as_f64());
    assert!(durations.fold(0.0, f64::max) >= 1.0, "{lines:?}");
    let head = memmem::find(&received, b"\r\n\r\n").expect("a head") + 4;
    let taken = (received.len() - lines.len() * head) as u64;
    let logged = lines.iter().filter_map(|line| line["bytes"].as_u64()).sum();
    // The buffer of the connection has 32 KiB.
    assert!((taken..=taken + 32 * 1024).contains(&logged), "{taken} taken: {lines:?}");
}
