//! DECISION-53: responses to HTTP/2 requests that arrive together.

use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use recipelog_site::server::{Limits, Peer, Transport, serve_http2_connection};
use recipelog_site::site::{File, Settings, Site};
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf};

use crate::duplex::Duplex;
use crate::http2_client::{Client, DATA, END_STREAM, get};

/// Files and their lengths.
const FILES: [(&str, usize); 3] = [("a.txt", 20), ("b.txt", 500), ("c.txt", 9_000)];

/// Maximum bytes of content in a TLS record (RFC 8446 §5.1).
const RECORD_BYTES: usize = 16 * 1024;

/// A stream that records the length of each write.
struct Recorded {
    inner: Duplex,
    writes: Arc<Mutex<Vec<usize>>>,
}

impl Transport for Recorded {
    fn has_unread_data(&self) -> bool {
        false
    }
}

impl AsyncRead for Recorded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl AsyncWrite for Recorded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.inner).poll_write(context, content);
        if let Poll::Ready(Ok(count)) = written {
            self.writes.lock().unwrap().push(count);
        }
        written
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        contents: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let contents: Vec<&[u8]> = contents.iter().map(|content| &**content).collect();
        self.poll_write(context, &contents.concat())
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

/// Sends requests for `paths` together. Returns the lengths of the server's writes, and
/// the content of each stream. The socket takes `capacity` bytes at a time.
async fn exchange(paths: &[&str], capacity: usize) -> (Vec<usize>, Vec<Vec<u8>>) {
    let (stream, server) = tokio::io::duplex(capacity);
    let writes = Arc::<Mutex<Vec<usize>>>::default();
    let recorded = Recorded { inner: Duplex(server), writes: Arc::clone(&writes) };
    let peer = Peer::Tcp(SocketAddr::from(([127, 0, 0, 1], 1)));
    let files = FILES.map(|(path, _)| File::new(path, content(path)));
    let site = Arc::new(Site::new(files, &Settings::default(), None));
    tokio::spawn(serve_http2_connection(recorded, peer, site, Limits::DEFAULT));
    let mut client: Client<DuplexStream> = Client { stream };
    client.begin(&[]).await;
    // The settings of the server, and its acknowledgement of the client's.
    client.frame().await.unwrap();
    client.frame().await.unwrap();
    writes.lock().unwrap().clear();

    let streams: Vec<u32> = (1..).step_by(2).take(paths.len()).collect();
    let requests: Vec<u8> =
        streams.iter().zip(paths).flat_map(|(&id, path)| get(id, &format!("/{path}"))).collect();
    client.send(requests).await;
    let mut contents = vec![Vec::new(); paths.len()];
    let mut open = paths.len();
    while open > 0 {
        let frame = client.frame().await.unwrap();
        if frame.kind == DATA {
            contents[(frame.stream / 2) as usize].extend(frame.payload);
            open -= usize::from(frame.flags & END_STREAM != 0);
        }
    }
    let writes = writes.lock().unwrap().clone();
    (writes, contents)
}

fn content(path: &str) -> Vec<u8> {
    let (_, length) = FILES.into_iter().find(|(known, _)| *known == path).unwrap();
    (0..length).map(|position: usize| b'a' + (position % 26) as u8).collect()
}

#[tokio::test(start_paused = true)]
async fn responses_to_requests_that_arrive_together_leave_in_as_few_writes_as_there_are_records() {
    for paths in [&["b.txt"][..], &["a.txt"; 10], &["b.txt"; 10], &["c.txt"; 5]] {
        let (writes, contents) = exchange(paths, 64 * 1024).await;
        let (last, full) = writes.split_last().unwrap();
        assert!(full.iter().all(|&length| length == RECORD_BYTES), "{paths:?} {writes:?}");
        assert!(*last <= RECORD_BYTES, "{paths:?} {writes:?}");
        for (path, received) in paths.iter().zip(contents) {
            assert_eq!(received, content(path), "{path}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn collected_responses_are_complete_if_the_socket_takes_them_in_parts() {
    let paths = ["b.txt", "c.txt", "a.txt", "c.txt"];
    for capacity in [400, 5_000, 20_000] {
        let (_, contents) = exchange(&paths, capacity).await;
        for (path, received) in paths.iter().zip(contents) {
            assert_eq!(received, content(path), "{path}, {capacity} bytes at a time");
        }
    }
}
