//! WIRE-29: one line per request, which no request can forge. Requests never wait
//! for the log.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use memchr::memmem;
use rustix::process::Signal;
use serde_json::{Map, Value, json};

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

/// A request whose line is more than 1.5 kB long.
fn long_request() -> String {
    let long = "a".repeat(2000);
    let fields = format!("Host: a\r\nReferer: {long}\r\nUser-Agent: {long}");
    format!("GET /robots.txt?{long} HTTP/1.1\r\n{fields}\r\n\r\n")
}

/// Number of long requests: their lines do not fit into the buffers of the log and a pipe.
const FLOOD: usize = 8_000;

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
        let mut stream = TcpStream::connect(server.address).expect("a connection");
        stream.write_all(sent.as_bytes()).expect("the server reads");
        stream.shutdown(Shutdown::Write).expect("a connection");
        assert_eq!(stream.read_to_end(&mut Vec::new()).expect("the end"), 0, "{sent}");
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
    let line = output.next().expect("a line");
    assert!(line.starts_with("{\"time\":"), "{line}");
    let mut object: Map<String, Value> = serde_json::from_str(&line).expect("JSON");
    let [time, duration] = ["time", "duration"].map(|name| object.remove(name).expect(name));
    assert!(time.as_str().is_some_and(|it| it.starts_with("20") && it.ends_with('Z')), "{time}");
    assert!(duration.as_f64().is_some_and(|seconds| seconds > 0.0), "{duration}");
    let expected = json!({
        "host": "a:80",
        "client": "203.0.113.7",
        "request": "HEAD / HTTP/1.1",
        "status": 200,
        "bytes": 0,
        "referrer": "http://b/",
        "user_agent": "tester\"\\\t\u{ff}",
    });
    assert_eq!(Value::from(object), expected);

    Connection::open(server.address).send("nonsense\r\n\r\n");
    let line: Value = serde_json::from_str(&output.next().expect("a line")).expect("JSON");
    let names = ["host", "referrer", "request", "user_agent"];
    assert!(names.iter().all(|name| line[name] == ""), "{line}");
}

#[test]
fn a_stalled_reader_loses_lines_but_no_request() {
    // `output` is read only after the requests.
    let mut server = Server::start(&["--access-log", "combined"]);
    let output = server.output();
    let mut connection = Connection::open(server.address);
    for _ in 0..FLOOD {
        connection.send(long_request());
        assert_eq!(connection.reply().unwrap().status, 200);
    }
    drop(connection);
    let reading = std::thread::spawn(move || {
        BufReader::new(output).lines().map_while(Result::ok).map(|line| line.len() + 1).collect()
    });
    let report = server.line_with("access log lines lost");
    let mut lost = count_in(&report);
    server.signal(Signal::TERM);
    assert!(server.wait().0.success());
    let last_lines = server.console.rest();
    let reports = last_lines.iter().filter(|line| line.contains("lost"));
    lost += reports.map(|line| count_in(line)).sum::<usize>();
    let lengths: Vec<usize> = reading.join().expect("the reader ends");
    let written = lengths.len();
    // 4 MiB waited, and the writer held up to as many.
    assert!((4_000_000..9_000_000).contains(&lengths.iter().sum::<usize>()), "{written} lines");
    // The last line may be cut off. It then counts both as written and as lost.
    let total = written + lost;
    assert!(total == FLOOD || total == FLOOD + 1, "{written} written, {lost} lost");
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

fn count_in(report: &str) -> usize {
    let words = report.split_whitespace();
    words.filter_map(|word| word.parse().ok()).next().unwrap_or_else(|| panic!("{report}"))
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
    let begun = Instant::now();
    server.signal(Signal::TERM);
    assert_eq!(server.wait().0.code(), Some(1));
    assert!(begun.elapsed() >= Duration::from_secs(1), "too early: {begun:?}");
    server.line_with("cut off");
    let mut received = Vec::new();
    stream.read_to_end(&mut received).expect("the end of the connection");
    let lines: Vec<Value> = output
        .rest()
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .inspect(|line: &Value| assert_eq!(line["client"], "unix:"))
        .collect();
    let head = memmem::find(&received, b"\r\n\r\n").expect("a head") + 4;
    let taken = (received.len() - lines.len() * head) as u64;
    let durations = lines.iter().filter_map(|line| line["duration"].as_f64());
    assert!(durations.fold(0.0, f64::max) >= 1.0, "{lines:?}");
    let logged = lines.iter().filter_map(|line| line["bytes"].as_u64()).sum();
    // The buffer of the connection has 32 KiB.
    assert!((taken..=taken + 32 * 1024).contains(&logged), "{taken} taken: {lines:?}");
}
