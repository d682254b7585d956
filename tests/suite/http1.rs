//! WIRE-3, WIRE-13, WIRE-18, WIRE-19, WIRE-20, WIRE-24 and RFC 9112: cases that an HTTP client library cannot send or does not
//! show, as raw bytes over a socket; in memory, responses that the client does not take at once.

use std::net::Shutdown;
use std::time::Duration;

use Then::{Closed, Open};
use memchr::memmem;
use recipelog_site::server::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{sleep, timeout};

use crate::support::client::{Connection, Reply};
use crate::support::process::Server;
use crate::support::site::{LARGE, STREAM_BYTES, connect_in_memory};

/// State of the connection after the responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// It accepts another request.
    Open,
    /// The server has closed it, as the last response announced.
    Closed,
}

/// Name, bytes to send with `|` for CRLF, expected statuses, and the state of the connection after the
/// responses.
type Case<'a> = (&'a str, &'a str, &'a [u16], Then);

fn assert_cases(cases: &[Case<'_>]) {
    let server = Server::start(&[]);
    for (name, sent, statuses, then) in cases {
        let mut connection = Connection::open(server.address);
        connection.send(sent.replace('|', "\r\n"));
        let replies: Vec<Reply> =
            statuses.iter().map(|_| connection.reply().expect(name)).collect();
        let given: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
        assert_eq!(given, *statuses, "{name}");
        for reply in &replies {
            // hyper sends some of them itself.
            let has = ["date", "server"].map(|name| reply.field(name).is_some());
            assert_eq!(has, [true, false], "{name}: {reply:?}");
        }
        let announces_close = replies.last().map(|reply| match &*reply.version {
            "HTTP/1.0" => reply.field("connection").is_none(),
            _ => reply.field("connection") == Some("close"),
        });
        match then {
            Open => {
                assert_eq!(announces_close, Some(false), "{name}: `Connection: close`");
                assert_eq!(connection.get("/healthz").content, b"ok\n", "{name}");
            }
            Closed => {
                assert_ne!(announces_close, Some(false), "{name}: no `Connection: close`");
                assert!(connection.ends_here(), "{name}: bytes after the last response");
            }
        }
    }
}

#[test]
fn a_malformed_head_gets_400_and_the_connection_is_closed_unless_rfc_9112_tolerates_it() {
    assert_cases(&[
        ("obs-fold", "GET / HTTP/1.1|Host: a|X: b| c||", &[400], Closed),
        ("space before a colon", "GET / HTTP/1.1|Host : a||", &[400], Closed),
        ("NUL in a value", "GET / HTTP/1.1|Host: a|X: b\0c||", &[400], Closed),
        ("NUL in the target", "GET /\0 HTTP/1.1|Host: a||", &[400], Closed),
        ("HTTP/0.9", "GET /||", &[400], Closed),
        ("a TLS ClientHello", "\x16\x03\x01\x02\0\x01\0\x01\u{fc}\x03\x03", &[400], Closed),
        ("HTTP/2", "PRI * HTTP/2.0||SM||\0\0\0\x04\0\0\0\0\0", &[], Closed),
        ("an empty target", "GET  HTTP/1.1|Host: a||", &[400], Closed),
        ("two targets", "GET / / HTTP/1.1|Host: a||", &[400], Closed),
        // RFC 9112 §3.2: the asterisk form is only for OPTIONS, the authority form for CONNECT.
        ("asterisk of GET", "GET * HTTP/1.1|Host: a||", &[400], Open),
        ("authority of GET", "GET a:443 HTTP/1.1|Host: a:443||", &[400], Open),
        ("name of GET", "GET a.example HTTP/1.1|Host: a||", &[400], Open),
        ("authority of CONNECT", "CONNECT a:443 HTTP/1.1|Host: a:443||", &[405], Open),
        ("absolute, no Host", "GET http://b/ HTTP/1.1||", &[400], Open),
        ("bare LF", "GET / HTTP/1.1\nHost: a\n\n", &[200], Open),
        ("empty lines first", "||GET / HTTP/1.1|Host: a||", &[200], Open),
        ("tabs around a value", "GET / HTTP/1.1|Host:\t a \t||", &[200], Open),
        ("8-bit bytes in a value", "GET / HTTP/1.1|Host: a|X: ä||", &[200], Open),
    ]);
}

/// An ambiguous length is rejected. RFC 9112 §6.3: Transfer-Encoding overrides Content-Length, and the
/// connection is closed.
#[test]
fn content_is_never_asked_for_or_parsed_as_a_request() {
    const LENGTHS: &str = "Content-Length: 1|Content-Length: 2||ab";
    const BOTH: &str = "Content-Length: 5|Transfer-Encoding: chunked||0||";
    const NEXT: &str = "GET /privacy HTTP/1.1|Host: a||";
    const CHUNKED: &str = "Transfer-Encoding: chunked||";
    let get = |rest: &[&str]| format!("GET / HTTP/1.1|Host: a|{}", rest.concat());
    let post = |rest: &[&str]| format!("POST / HTTP/1.1|Host: a|{}", rest.concat());
    let upgrade = "Connection: Upgrade|Upgrade: websocket|";
    let long = format!("Content-Length: 400000||{}", "a".repeat(400_000));
    let content = ["Content-Length: 34||", NEXT, "GET /none HTTP/1.1|Host: a||"];
    assert_cases(&[
        ("two lengths", &post(&[LENGTHS]), &[400], Closed),
        ("chunked is not last", &post(&["Transfer-Encoding: chunked, gzip||"]), &[400], Closed),
        ("chunked in 1.0", &format!("POST / HTTP/1.0|{CHUNKED}0||"), &[400], Closed),
        ("length and chunks", &get(&[BOTH, NEXT]), &[200], Closed),
        ("malformed chunks", &get(&[CHUNKED, "zz|ab|", NEXT]), &[200], Closed),
        ("a request as content", &get(&content), &[200, 404], Open),
        ("a form", &post(&["Content-Length: 3||a=b"]), &[405], Open),
        ("complete chunks", &post(&[CHUNKED, "3|a=b|0||"]), &[405], Closed),
        ("Expect", &post(&["Expect: 100-continue|Content-Length: 9||"]), &[405], Closed),
        // The response arrives although the client is still sending.
        ("long content", &post(&[&long]), &[405], Closed),
        ("long content with Upgrade", &post(&[upgrade, &long]), &[405], Closed),
        ("Expect without content", &get(&["Expect: 100-continue||"]), &[200], Open),
    ]);
}

#[test]
fn a_head_that_is_too_large_gets_414_or_431() {
    let long = |count: usize| "a".repeat(count);
    let target_of = |bytes: usize| format!("GET /{} HTTP/1.1|Host: a||", long(bytes - 1));
    let with_fields = |count: u32| {
        let fields: String = (1..count).map(|number| format!("X-{number}: a|")).collect();
        format!("GET / HTTP/1.1|Host: a|{fields}|")
    };
    let head_of = |bytes: usize| {
        let rest = "GET / HTTP/1.1\r\nHost: a\r\nX: \r\n\r\n".len();
        format!("GET / HTTP/1.1|Host: a|X: {}||", long(bytes - rest))
    };
    assert_cases(&[
        ("414", &target_of(8193), &[414], Open),
        ("431, a target above the limit of a head", &target_of(17_000), &[431], Closed),
        ("431, a head above the limit", &head_of(16 * 1024 + 1), &[431], Closed),
        ("431, 101 fields", &with_fields(101), &[431], Closed),
        ("100 fields", &with_fields(100), &[200], Open),
        ("431, a request line without an end", &long(200_000), &[431], Closed),
        ("a head within the limit", &head_of(16 * 1024), &[200], Open),
    ]);
}

#[test]
fn a_connection_is_kept_until_the_client_asks_to_close_it_and_with_http_1_0_if_it_asks_to_keep_it()
{
    let upgrade = "GET / HTTP/1.1|Host: a|Connection: Upgrade, HTTP2-Settings|Upgrade: h2c|\
                   HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA||";
    assert_cases(&[
        ("a list", "GET / HTTP/1.1|Host: a|Connection: x, CLOSE||", &[200], Closed),
        ("an upgrade to HTTP/2", upgrade, &[200], Open),
        ("HTTP/1.0", "GET / HTTP/1.0|Host: a||", &[200], Closed),
        ("HTTP/1.0 without Host", "GET / HTTP/1.0||", &[200], Closed),
        ("HTTP/1.0 that is kept", "GET / HTTP/1.0|Connection: keep-alive||", &[200], Open),
    ]);
}

#[test]
fn a_client_that_half_closes_gets_all_responses() {
    let server = Server::start(&[]);
    let mut connection = Connection::open(server.address);
    connection.send("GET /og.png HTTP/1.1\r\nHost: a\r\n\r\n".repeat(40));
    connection.stream.shutdown(Shutdown::Write).expect("an open connection");
    for _ in 0..40 {
        assert_eq!(connection.reply().expect("a response").status, 200);
    }
    assert!(connection.ends_here());
}

/// The client waits before it reads, and again while the end of the first response fills the stream.
#[tokio::test(flavor = "local", start_paused = true)]
async fn a_response_that_is_read_late_is_complete_and_so_is_a_rejection_behind_it() {
    for (rest, behind) in [
        ("Content-Length: 5\r\n\r\n", ""),
        ("Transfer-Encoding: chunked\r\n\r\n", ""),
        ("Content-Length: 5\r\nExpect: 100-continue\r\n\r\n", ""),
        ("Content-Length: 5\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n", ""),
        ("Connection: close, upgrade\r\nUpgrade: websocket\r\n\r\n", ""),
        ("Connection: close\r\n\r\n", ""),
        ("\r\nnonsense\r\n\r\n", "HTTP/1.1 400 "),
        ("\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 405 "),
        ("\r\nGET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "),
    ] {
        let (mut client, _) = connect_in_memory();
        let request = format!("GET /large.txt HTTP/1.1\r\nHost: a\r\n{rest}");
        client.write_all(request.as_bytes()).await.unwrap();
        // The clock is paused: it advances once the server can do no more.
        sleep(Duration::from_secs(1)).await;
        let mut received = vec![0; STREAM_BYTES];
        client.read_exact(&mut received).await.unwrap();
        let head = memmem::find(&received, b"\r\n\r\n").expect("the end of a head") + 4;
        received.resize(head + LARGE - STREAM_BYTES, 0);
        client.read_exact(&mut received[STREAM_BYTES..]).await.expect("the response goes on");
        sleep(Duration::from_secs(1)).await;
        let end = client.read_to_end(&mut received);
        timeout(Limits::DEFAULT.idle_timeout * 2, end).await.expect("the end").unwrap();
        let found = std::str::from_utf8(&received[head + LARGE..]).expect("a head");
        assert!(found.starts_with(behind) && found.is_empty() == behind.is_empty(), "{rest}");
    }
}
