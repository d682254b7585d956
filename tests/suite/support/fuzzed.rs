//! What the targets of tests/fuzz do with an input, and what they assert. The suite does the same with the inputs of
//! tests/fuzz/corpus.

use std::sync::LazyLock;
use std::time::Duration;

use http::{HeaderName, HeaderValue, Method, Request, Uri, Version};
use recipelog_site::http::{Arrival, Front, respond as respond_to};
use recipelog_site::server::{AccessLog, Format, Limits, Peer, Service, serve_connection};
use recipelog_site::site::{Settings, Site};
use recipelog_site::tls::{Certificate, day, not_after};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt, duplex};
use tokio::runtime::{Builder, LocalOptions};
use tokio::task::{spawn_local, yield_now};
use tokio::time::{sleep, timeout};

use super::heap::allocated;
use super::http2_client::{
    Client, END_HEADERS, HEADERS, INITIAL_WINDOW_SIZE, WHOLE, begin, fields, frame, setting,
    status, window_update,
};
use super::promises::{STATUSES, assert_kept, is_field};

const ORIGIN: &str = "https://a.example";

static FRONT: LazyLock<Front> = LazyLock::new(|| {
    let origin = ORIGIN.parse().ok();
    Front { origin, ..Site::embedded(&Settings::default()).into() }
});

/// The site, with an access log whose lines are made, but not written.
static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let log = AccessLog::start(Format::Json, 1).expect("a thread").expect("a log");
    log.finish();
    Service::new(Site::embedded(&Settings::default()).into(), None, Some(log))
});

/// Capacity of the pipe. Responses are longer, so the server has to wait.
const PIPE_BYTES: usize = 4096;

/// Longer than the sum of all time limits. The clock is paused, and advances to the next timer when all tasks wait.
const CONVERSATION_TIMEOUT: Duration = Duration::from_secs(600);

/// The head of a request as text: method and target in the first line, then one field per line. It arrives over TLS,
/// and over plain HTTP, which is redirected.
pub fn respond(input: &[u8]) {
    let Some(request) = request(input) else { return };
    for arrival in [Arrival::Tls { server_name: None }, Arrival::Plain] {
        let (head, body) = respond_to(&FRONT, arrival, true, &request).into_parts();
        let content = body.into_inner().unwrap_or_default();
        assert_kept(&FRONT.site, &request, head.status, &head.headers, &content);
        let location = head.headers.get("location").filter(|_| matches!(arrival, Arrival::Plain));
        let path = location.and_then(|it| it.as_bytes().strip_prefix(ORIGIN.as_bytes()));
        assert!(location.is_none() || path.is_some_and(|path| path.starts_with(b"/")));
    }
}

fn request(head: &[u8]) -> Option<Request<()>> {
    let mut lines = head.split(|&byte| byte == b'\n');
    let first = lines.next()?;
    let space = first.iter().position(|&byte| byte == b' ')?;
    let mut request = Request::new(());
    *request.method_mut() = Method::from_bytes(&first[..space]).ok()?;
    *request.uri_mut() = Uri::try_from(&first[space + 1..]).ok()?;
    for line in lines {
        let colon = line.iter().position(|&byte| byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        let value = HeaderValue::from_bytes(line[colon + 1..].trim_ascii()).ok()?;
        request.headers_mut().append(name, value);
    }
    Some(request)
}

/// Bytes as a chain and its key, as a certificate in DER, and as the issuer of a certificate.
pub fn certificate(input: &[u8]) {
    const LEAF: &str = include_str!("../texts/old_algorithms.pem");
    const KEY: &str = include_str!("../texts/old_algorithms_key.pem");
    let chain = [LEAF.as_bytes(), input].concat();
    for (chain, key) in [(input, input), (&chain, KEY.as_bytes())] {
        if let Ok(certificate) = Certificate::from_pem(chain, key) {
            let _ = day(certificate.not_after);
            assert!(certificate.problems.iter().all(|problem| problem.contains("; ")));
        }
    }
    let _ = not_after(&input.into());
}

/// Runs a conversation on a paused clock. It has to end.
fn converse<F: Future>(conversation: F) -> F::Output {
    let mut runtime = Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true);
    runtime.build_local(LocalOptions::default()).expect("a runtime").block_on(async {
        timeout(CONVERSATION_TIMEOUT, conversation).await.expect("every connection ends")
    })
}

fn served(stream: tokio::io::DuplexStream, version: Version) -> impl Future<Output = ()> {
    let peer = Peer::Tcp(([127, 0, 0, 1], 1).into());
    serve_connection(stream, peer, SERVICE.clone(), Limits::DEFAULT, version)
}

/// A connection with HTTP/1.1. The first byte sets the size of the chunks of the other bytes.
pub fn connection(input: &[u8]) {
    let Some((&chunk_size, sent)) = input.split_first() else { return };
    let received = converse(async {
        let (client, stream) = duplex(PIPE_BYTES);
        let (mut reader, mut writer) = tokio::io::split(client);
        let send = async {
            for chunk in sent.chunks(usize::from(chunk_size) + 1) {
                // The server may have closed the connection.
                if writer.write_all(chunk).await.is_err() {
                    return;
                }
                yield_now().await;
            }
            let _ = writer.shutdown().await;
        };
        let mut received = Vec::new();
        let receive = reader.read_to_end(&mut received);
        let _ = tokio::join!(served(stream, Version::HTTP_11), send, receive);
        received
    });
    assert_responses(&received);
}

/// Asserts that `received` is responses, the last of which may be cut off.
fn assert_responses(mut received: &[u8]) {
    while let Some(end) = received.windows(4).position(|end| end == b"\r\n\r\n") {
        let (head, rest) = received.split_at(end + 4);
        let head = std::str::from_utf8(head).expect("our fields are ASCII");
        let mut lines = head.trim_end().split("\r\n");
        let line = lines.next().expect("a status line");
        let number = line.strip_prefix("HTTP/1.").and_then(|line| line.get(2..5)?.parse().ok());
        let number: u16 = number.unwrap_or_else(|| panic!("{line}"));
        assert!(STATUSES.contains(&number) || number == 431, "{line}");
        let mut length = 0;
        for line in lines {
            let (name, value) = line.split_once(": ").expect("a field");
            let is_of_connection = matches!(name, "date" | "connection");
            assert!(is_field(name) || is_of_connection, "{line}");
            if name == "content-length" {
                length = value.parse().expect("a number");
            }
        }
        // A response to HEAD has no content, and no content begins with a status line.
        let has_content = !rest.starts_with(b"HTTP/1.");
        received = if has_content { rest.get(length..).unwrap_or_default() } else { rest };
    }
}

/// A connection with HTTP/2. The input is a list of frames: each begins with what it is, its stream and a size.
pub fn http2(input: &[u8]) {
    LazyLock::force(&SERVICE);
    let mut bytes = input.iter().copied();
    let Some(window) = bytes.next() else { return };
    converse(async {
        let before = allocated();
        let (client, stream) = duplex(PIPE_BYTES);
        let served = spawn_local(served(stream, Version::HTTP_2));
        let (reader, mut writer) = tokio::io::split(client);
        let received = spawn_local(assert_frames(reader));
        let settings = [setting(1, 0), setting(INITIAL_WINDOW_SIZE, u32::from(window) << 8)];
        let mut next = Some(begin(&settings.concat()));
        let (mut sent, mut heads) = (0, 0);
        while let Some(message) = next {
            // The server may have closed the connection.
            if writer.write_all(&message).await.is_err() {
                break;
            }
            sent += message.len();
            heads += usize::from(message.get(3) == Some(&HEADERS));
            yield_now().await;
            next = next_message(&mut bytes);
        }
        // Until then, the server has done all that it can.
        sleep(Duration::from_millis(1)).await;
        let kept = allocated().saturating_sub(before);
        let most = 128 * 1024 + 5 * sent + 4096 * heads.min(228);
        assert!(kept <= most, "{sent} bytes with {heads} heads keep {kept} bytes");
        let _ = writer.shutdown().await;
        let _ = served.await;
        received.await.expect("frames");
    });
}

/// The next bytes that the client sends; `None` at the end of `bytes`.
fn next_message(bytes: &mut impl Iterator<Item = u8>) -> Option<Vec<u8>> {
    const PATHS: [&str; 6] = ["/", "/healthz", "/none", "/og.png", "/privacy/?a=b", "*"];
    const METHODS: [&str; 4] = ["GET", "HEAD", "POST", "OPTIONS"];
    let [what, stream, size] = [bytes.next()?, bytes.next()?, bytes.next()?];
    let id = u32::from(stream) * 2 + 1;
    let number = usize::from(size);
    Some(match what & 15 {
        kind @ 0..=9 => {
            let (flags, id) = (bytes.next()?, if stream % 2 == 0 { 0 } else { id });
            frame(kind, flags, id, &bytes.take(number).collect::<Vec<u8>>())
        }
        kind @ 10..=12 => {
            let field = "a".repeat(number * 64);
            let mut block = fields(&[
                (":method", METHODS[usize::from(what >> 4) % METHODS.len()]),
                (":scheme", "https"),
                (":authority", "a.example"),
                (":path", PATHS[number % PATHS.len()]),
            ]);
            let start = block.len();
            block.extend(fields(&[("x", &field)]));
            // The client keeps no table, or the field becomes an entry (RFC 7541 §6.2.1, §6.3).
            match kind {
                10 => block.insert(0, 0x20),
                11 => block[start] = 0x40,
                _ => {}
            }
            frame(HEADERS, if what & 0x80 == 0 { WHOLE } else { END_HEADERS }, id, &block)
        }
        13 => bytes.take(number).collect(),
        14 => window_update(if stream % 2 == 0 { 0 } else { id }, u32::from(size) << 8 | 1),
        _ => Vec::new(),
    })
}

/// Reads the frames of the server to the end of the connection.
async fn assert_frames(reader: impl AsyncRead + Unpin) {
    let mut client = Client { stream: tokio::io::join(reader, tokio::io::sink()) };
    while let Some(frame) = client.frame().await {
        assert!(frame.payload.len() <= 16 * 1024 && frame.kind <= 9, "{frame:?}");
        if frame.kind == HEADERS {
            let status = status(&frame.payload);
            assert!(STATUSES.contains(&status) || status == 431, "{status}");
            assert!(frame.stream % 2 == 1 && frame.flags & END_HEADERS != 0, "{frame:?}");
        }
    }
}
