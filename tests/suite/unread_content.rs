//! WIRE-3, WIRE-18 and WIRE-19 in memory: responses that the client does not take at once,
//! while content of a request is missing or is not read.

use std::time::Duration;

use memchr::memmem;
use recipelog_site::server::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{sleep, timeout};

use crate::http2::LARGE;
use crate::time_limits::{STREAM_BYTES, connect};

/// Sends `request`, and reads up to the end of the connection. Waits before it reads, and
/// again while the end of the first response fills the stream.
async fn received(request: &str) -> String {
    let (mut client, _server) = connect();
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
    String::from_utf8(received).unwrap()
}

/// The content behind the head of the first response.
fn content(received: &str) -> &str {
    received.split_once("\r\n\r\n").expect("a head").1
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn a_response_is_complete_although_the_content_of_its_request_is_not_read() {
    for fields in [
        "Content-Length: 5\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Content-Length: 5\r\nExpect: 100-continue\r\n",
        "Content-Length: 5\r\nConnection: upgrade\r\nUpgrade: websocket\r\n",
        "Connection: close, upgrade\r\nUpgrade: websocket\r\n",
        "Connection: close\r\n",
    ] {
        let received =
            received(&format!("GET /large.txt HTTP/1.1\r\nHost: a\r\n{fields}\r\n")).await;
        assert_eq!(content(&received).len(), LARGE, "{fields}");
    }
}

#[tokio::test(flavor = "local", start_paused = true)]
async fn a_rejection_behind_a_response_that_is_read_late_arrives() {
    let large = "GET /large.txt HTTP/1.1\r\nHost: a\r\n\r\n";
    for (request, status) in [
        ("nonsense\r\n\r\n", "HTTP/1.1 400 "),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 405 "),
        ("GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "),
    ] {
        let received = received(&format!("{large}{request}")).await;
        assert_eq!(content(&received)[LARGE..].get(..status.len()), Some(status), "{request}");
    }
}
