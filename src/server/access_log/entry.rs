//! The entry of one request, from its head to the last byte of its response, and the
//! fields of its line (WIRE-29).

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use http::header::{HeaderName, HeaderValue, REFERER, USER_AGENT};
use http::{Request, StatusCode, Version};

use super::forwarded::client_address;
use super::log::{AccessLog, Format};
use crate::server::peer::Peer;

/// A request that is being answered. Dropping it writes its line.
#[derive(Debug)]
pub struct Entry {
    log: Arc<AccessLog>,
    /// The line without the two figures that are known last.
    line: String,
    /// Offset in `line` at which the number of bytes sent is inserted.
    bytes_at: usize,
    begun: Instant,
    taken: u64,
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
    /// An entry for a request that arrived at `begun` and is answered with `status`.
    pub(in crate::server) fn of_request<B>(
        log: Arc<AccessLog>,
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
            client: client_address(headers, log.trusted_proxies, peer),
            request_line: request_line.as_bytes(),
            status,
            referrer: field(REFERER),
            user_agent: field(USER_AGENT),
        };
        Self::new(log, &facts, begun)
    }

    /// An entry for a request that could not be parsed.
    pub(in crate::server) fn of_rejection(
        log: Arc<AccessLog>,
        status: StatusCode,
        peer: Peer,
    ) -> Self {
        let facts = Facts {
            client: peer.to_string(),
            request_line: b"",
            status,
            referrer: b"",
            user_agent: b"",
        };
        Self::new(log, &facts, Instant::now())
    }

    fn new(log: Arc<AccessLog>, facts: &Facts<'_>, begun: Instant) -> Self {
        let mut line = String::with_capacity(256);
        let time = Timestamp(SystemTime::now());
        let (client, status) = (&facts.client, facts.status.as_u16());
        let bytes_at;
        match log.format {
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
        Self { log, line, bytes_at, begun, taken: 0 }
    }

    /// Records that hyper took `count` more bytes of the response's content. They count as sent (WIRE-29).
    pub fn add_taken(&mut self, count: usize) {
        self.taken += count as u64;
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        push_formatted(&mut line, format_args!("{:.6}", self.begun.elapsed().as_secs_f64()));
        line.push_str(match self.log.format {
            Format::Combined => "\n",
            Format::Json => "}\n",
        });
        let digits = self.taken.to_string();
        let (before, after) = line.split_at(self.bytes_at);
        self.log.queue.push(&[before, &digits, after]);
    }
}

fn push_formatted(line: &mut String, text: std::fmt::Arguments<'_>) {
    let written = line.write_fmt(text);
    debug_assert!(written.is_ok(), "a String takes any text");
}

/// Longest value that is logged whole, in bytes after escaping. The values stay in
/// memory until the response has ended.
const VALUE_MAX_BYTES: usize = 512;

/// Marks a value that was cut off.
const CUT: &str = "...";

/// Appends `value` in double quotes. Quotes, backslashes and bytes that are not
/// printable ASCII become `prefix` and two hexadecimal digits, so that no
/// request can end a field or forge a line.
fn push_quoted(line: &mut String, value: &[u8], prefix: &str) {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    line.push('"');
    let end = line.len() + VALUE_MAX_BYTES;
    for &byte in value {
        let is_literal = matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        let length = if is_literal { 1 } else { prefix.len() + 2 };
        if line.len() + length > end {
            line.push_str(CUT);
            break;
        }
        if is_literal {
            line.push(byte.into());
        } else {
            line.push_str(prefix);
            line.push(DIGITS[usize::from(byte >> 4)].into());
            line.push(DIGITS[usize::from(byte & 0xf)].into());
        }
    }
    line.push('"');
}

/// A moment in UTC, to the second.
struct Timestamp(SystemTime);

impl Timestamp {
    /// `20/Nov/2026:12:21:53 +0000`
    fn common_log(&self) -> String {
        let [day, month, year, time] = self.parts();
        format!("{day}/{month}/{year}:{time} +0000")
    }

    /// `2026-11-20T12:21:53Z`
    fn rfc_3339(&self) -> String {
        const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
        let [day, month, year, time] = self.parts();
        let month = MONTHS.find(&month).unwrap_or_default() / 3 + 1;
        format!("{year}-{month:02}-{day}T{time}Z")
    }

    /// Day, month, year and time of `Fri, 20 Nov 2026 12:21:53 GMT`.
    fn parts(&self) -> [String; 4] {
        let date = httpdate::fmt_http_date(self.0);
        let mut parts = date.split(' ').skip(1).map(str::to_owned);
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn quoted(value: &[u8], prefix: &str) -> String {
        let mut line = String::new();
        push_quoted(&mut line, value, prefix);
        line
    }

    #[test]
    fn a_value_cannot_end_its_quotes_or_its_line() {
        let combined = quoted(b"a\"b\\c\r\nd\x1b[31m\xff", r"\x");
        assert_eq!(combined, r#""a\x22b\x5cc\x0d\x0ad\x1b[31m\xff""#);
        let json = quoted(b"a\"\n\xe9", r"\u00");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "a\"\n\u{e9}");
    }

    #[test]
    fn a_long_value_is_cut_off_and_marked() {
        for prefix in [r"\x", r"\u00"] {
            let escaped = prefix.len() + 2;
            for plain in VALUE_MAX_BYTES - 9..=VALUE_MAX_BYTES {
                let value = [&vec![b'a'; plain][..], b"\xff"].concat();
                let plain = "a".repeat(plain);
                let expected = if plain.len() + escaped <= VALUE_MAX_BYTES {
                    format!("\"{plain}{prefix}ff\"")
                } else {
                    format!("\"{plain}...\"")
                };
                assert_eq!(quoted(&value, prefix), expected);
            }
            let whole = "a".repeat(VALUE_MAX_BYTES);
            assert_eq!(quoted(whole.as_bytes(), prefix), format!("\"{whole}\""));
            let count = VALUE_MAX_BYTES / escaped;
            let cut_off = format!("\"{}...\"", format!("{prefix}ff").repeat(count));
            assert_eq!(quoted(&[b'\xff'; 70_000], prefix), cut_off);
        }
    }

    #[test]
    fn times_have_the_notation_of_each_format() {
        let time = Timestamp(SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_177_313));
        assert_eq!(time.common_log(), "20/Nov/2026:12:21:53 +0000");
        assert_eq!(time.rfc_3339(), "2026-11-20T12:21:53Z");
    }
}
