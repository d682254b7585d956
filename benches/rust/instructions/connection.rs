//! Connections in memory, whose client has prepared everything that it sends.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use recipelog_site::server::{self, Limits, Peer, Transport};
use recipelog_site::site::{Settings, Site};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::requests::{BROWSER_CODINGS, USER_AGENT};

const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// Serves a connection with `requests` HTTP/1.1 requests for the landing page.
pub fn http1(requests: usize) -> impl FnMut() {
    let request = format!(
        "GET / HTTP/1.1\r\nHost: recipelog.example\r\nUser-Agent: {USER_AGENT}\r\n\
         Accept: {ACCEPT}\r\nAccept-Encoding: {BROWSER_CODINGS}\r\n\r\n"
    );
    serve(vec![request.into_bytes(); requests], |client, peer, site| {
        server::serve_connection(client, peer, site, Limits::DEFAULT)
    })
}

/// Serves a connection with `requests` HTTP/2 requests for the landing page. Like
/// that of a browser, its first request adds its fields to the dynamic table (RFC 7541
/// §2.3.2), and all others refer to them.
pub fn http2(requests: usize) -> impl FnMut() {
    let mut preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    // SETTINGS_INITIAL_WINDOW_SIZE, and a WINDOW_UPDATE of the connection (RFC 9113
    // §6.5.2, §6.9), so that no response waits.
    preface.extend(frame(4, 0, 0, &[0, 4, 0x7f, 0xff, 0xff, 0xff]));
    preface.extend(frame(8, 0, 0, &(0x7fff_ffff_u32 - 0xffff).to_be_bytes()));

    // Indexes of the static table (RFC 7541 appendix A): GET, https, "/"; then the
    // names :authority, user-agent, accept, accept-encoding, whose values are added.
    let pseudo = [0x82, 0x87, 0x84];
    let mut first = pseudo.to_vec();
    for (name, value) in
        [(1, "recipelog.example"), (58, USER_AGENT), (19, ACCEPT), (16, BROWSER_CODINGS)]
    {
        first.push(0x40 | name);
        first.push(u8::try_from(value.len()).expect("fewer than 127 characters"));
        first.extend(value.as_bytes());
    }
    // The dynamic table starts at 62 with the field that was added last.
    let later = [&pseudo[..], &[0x80 | 65, 0x80 | 64, 0x80 | 63, 0x80 | 62]].concat();

    let heads = std::iter::once(first).chain(std::iter::repeat(later)).take(requests);
    let streams = (1_u32..).step_by(2);
    let sent = std::iter::once(preface)
        .chain(streams.zip(heads).map(|(stream, head)| frame(1, 0x5, stream, &head)))
        .collect();
    serve(sent, |client, peer, site| {
        server::serve_http2_connection(client, peer, site, Limits::DEFAULT)
    })
}

/// A frame of HTTP/2 (RFC 9113 §4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a short payload").to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

fn serve<F: Future<Output = ()>>(
    sent: Vec<Vec<u8>>,
    serve: impl Fn(Client, Peer, Arc<Site>) -> F,
) -> impl FnMut() {
    let site = Arc::new(Site::embedded(&Settings::default()));
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let sent = Arc::new(sent);
    move || {
        let client = Client { sent: Arc::clone(&sent), next: 0, position: 0, is_late: false };
        let peer = Peer::Tcp(([127, 0, 0, 1], 1).into());
        runtime.block_on(serve(client, peer, Arc::clone(&site)));
    }
}

/// A client that sends one part after the other, and closes after the last one.
struct Client {
    sent: Arc<Vec<Vec<u8>>>,
    next: usize,
    /// Bytes of the next part that were read already.
    position: usize,
    /// True if a read of the next part has already returned `Pending`.
    is_late: bool,
}

impl Transport for Client {
    fn has_unread_data(&self) -> bool {
        false
    }
}

impl AsyncRead for Client {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // As on a socket, the next part arrives only after the previous one was read.
        if self.position == 0 && !std::mem::replace(&mut self.is_late, true) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let sent = Arc::clone(&self.sent);
        let Some(part) = sent.get(self.next) else { return Poll::Ready(Ok(())) };
        let rest = &part[self.position..];
        let length = rest.len().min(buffer.remaining());
        buffer.put_slice(&rest[..length]);
        if length < rest.len() {
            self.position += length;
        } else {
            self.next += 1;
            self.position = 0;
            self.is_late = false;
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Client {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(content.len()))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(parts.iter().map(|part| part.len()).sum()))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
