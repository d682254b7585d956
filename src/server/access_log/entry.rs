//! The entry of one request, from its head to the last byte of its response, and the
//! fields of its line (HTTP-29).

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use http::header::{HeaderName, HeaderValue, REFERER, USER_AGENT};
use http::{Request, StatusCode, Version};

use super::escape::push_quoted;
use super::forwarded::client_address;
use super::sink::{Format, Sink};
use super::timestamp::Timestamp;
use crate::server::client::Peer;

/// A request that is being answered. Dropping it writes its line.
#[derive(Debug)]
pub struct Entry {
    sink: Arc<Sink>,
    /// The line without the two figures that are known last.
    line: String,
    /// Offset in `line` at which the number of bytes sent is inserted.
    bytes_at: usize,
    begun: Instant,
    sent: u64,
}

/// The fields of a line that come from the request.
struct Facts<'a> {
    client: String,
    request_line: &'a [u8],
    status: StatusCode,
    referrer: &'a [u8],
    user_agent: &'a [u8],
}

impl Entry {
    /// An entry for a request that is answered with `status`.
    pub(super) fn of_request<B>(
        sink: Arc<Sink>,
        request: &Request<B>,
        status: StatusCode,
        peer: Peer,
        begun: Instant,
    ) -> Self {
        let headers = request.headers();
        let field = |name: HeaderName| headers.get(name).map_or(&b""[..], HeaderValue::as_bytes);
        let (method, target, version) = (request.method(), request.uri(), request.version());
        let request_line = match target.path_and_query() {
            // In HTTP/2, the scheme and the authority are fields of their own.
            Some(target) if version == Version::HTTP_2 => format!("{method} {target} {version:?}"),
            _ => format!("{method} {target} {version:?}"),
        };
        let facts = Facts {
            client: client_address(headers, sink.trusted_proxies, peer),
            request_line: request_line.as_bytes(),
            status,
            referrer: field(REFERER),
            user_agent: field(USER_AGENT),
        };
        Self::new(sink, &facts, begun)
    }

    /// An entry for a request that could not be parsed.
    pub(super) fn of_rejection(sink: Arc<Sink>, status: StatusCode, peer: Peer) -> Self {
        let facts = Facts {
            client: peer.to_string(),
            request_line: b"",
            status,
            referrer: b"",
            user_agent: b"",
        };
        Self::new(sink, &facts, Instant::now())
    }

    fn new(sink: Arc<Sink>, facts: &Facts<'_>, begun: Instant) -> Self {
        let mut line = String::with_capacity(256);
        let time = Timestamp(SystemTime::now());
        let (client, status) = (&facts.client, facts.status.as_u16());
        let bytes_at;
        match sink.format {
            Format::Combined => {
                let push = |line: &mut String, value: &[u8]| {
                    push_quoted(line, if value.is_empty() { b"-" } else { value }, r"\x");
                };
                push_formatted(&mut line, format_args!("{client} - - [{}] ", time.common_log()));
                push(&mut line, facts.request_line);
                push_formatted(&mut line, format_args!(" {status} "));
                bytes_at = line.len();
                line.push(' ');
                push(&mut line, facts.referrer);
                line.push(' ');
                push(&mut line, facts.user_agent);
                line.push(' ');
            }
            Format::Json => {
                let push = |line: &mut String, value: &[u8]| push_quoted(line, value, r"\u00");
                let time = time.rfc_3339();
                let head =
                    format_args!("{{\"time\":\"{time}\",\"client\":\"{client}\",\"request\":");
                push_formatted(&mut line, head);
                push(&mut line, facts.request_line);
                push_formatted(&mut line, format_args!(",\"status\":{status},\"bytes\":"));
                bytes_at = line.len();
                line.push_str(",\"referrer\":");
                push(&mut line, facts.referrer);
                line.push_str(",\"user_agent\":");
                push(&mut line, facts.user_agent);
                line.push_str(",\"duration\":");
            }
        }
        line.shrink_to_fit();
        Self { sink, line, bytes_at, begun, sent: 0 }
    }

    /// Records that `count` more bytes of the response's content were sent.
    pub fn add_sent(&mut self, count: usize) {
        self.sent += count as u64;
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        push_formatted(&mut line, format_args!("{:.6}", self.begun.elapsed().as_secs_f64()));
        line.push_str(match self.sink.format {
            Format::Combined => "\n",
            Format::Json => "}\n",
        });
        let mut digits = String::new();
        push_formatted(&mut digits, format_args!("{}", self.sent));
        let (before, after) = line.split_at(self.bytes_at);
        self.sink.buffer.push(&[before, &digits, after]);
    }
}

fn push_formatted(line: &mut String, text: std::fmt::Arguments<'_>) {
    let written = line.write_fmt(text);
    debug_assert!(written.is_ok(), "a String takes any text");
}
