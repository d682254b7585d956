//! One line per request on standard output (WIRE-29). A thread of its own writes it, so it never
//! delays a request.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::thread;
use std::time::{Instant, SystemTime};

use clap::ValueEnum;
use http::header::{HOST, HeaderMap, HeaderName, HeaderValue, REFERER, USER_AGENT};
use http::{Request, StatusCode, Version};

use super::limits::{LOG_MAX_BYTES, LOG_VALUE_MAX_BYTES};
use super::peer::Peer;
use crate::host_name::without_brackets;
use crate::output::{LAST_LINES_TIMEOUT, LineQueue, TOO_SLOW, report, standard_output};
use crate::problem::Problem;

/// The format of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// No line at all.
    Off,
    /// Apache's combined log format.
    Combined,
    /// One JSON object (RFC 8259).
    Json,
}

/// The access log.
#[derive(Debug)]
pub struct AccessLog {
    format: Format,
    trusted_proxies: usize,
    queue: Arc<LineQueue>,
}

impl AccessLog {
    /// Starts the thread that writes to standard output; `None` if the log is off. With `trusted_proxies` above zero, the
    /// outermost of that many proxies tells the client's address, in X-Forwarded-For.
    pub fn start(format: Format, trusted_proxies: usize) -> io::Result<Option<Arc<Self>>> {
        if format == Format::Off {
            return Ok(None);
        }
        let queue = Arc::new(LineQueue::new(LOG_MAX_BYTES));
        let (output, writer) = (standard_output()?, Arc::clone(&queue));
        thread::Builder::new().name("access-log".to_owned()).spawn(move || {
            if let Err(error) = writer.write_to(output, report_loss) {
                let remedy = "restart the server to begin it again";
                let problem = Problem::new("the access log ends", remedy);
                report(problem.because(format!("standard output: {error}")));
            }
        })?;
        Ok(Some(Arc::new(Self { format, trusted_proxies, queue })))
    }

    /// Writes the remaining lines, for at most a second. Later lines are ignored.
    pub fn finish(&self) {
        self.queue.close();
        let lost = self.queue.flush(LAST_LINES_TIMEOUT);
        if lost > 0 {
            report_loss(lost, TOO_SLOW);
        }
    }
}

fn report_loss(lost: u64, reason: &str) {
    let what = format!("{lost} access log lines lost");
    let problem = Problem::new(what, "read standard output faster, or free disk space");
    report(problem.because(format!("standard output: {reason}")));
}

/// A request that is being answered. Dropping it writes its line.
#[derive(Debug)]
pub(super) struct Entry {
    log: Arc<AccessLog>,
    begun: Instant,
    /// The line up to the number of bytes.
    before: String,
    taken: u64,
    /// The line between the number of bytes and the duration, which `json` has.
    after: String,
}

impl Entry {
    /// An entry for a request that arrived at `begun` and is answered with `status`. `None` for a
    /// request that could not be parsed.
    pub(super) fn new<B>(
        log: Arc<AccessLog>,
        request: Option<&Request<B>>,
        status: StatusCode,
        peer: Peer,
        begun: Instant,
    ) -> Self {
        let none = HeaderMap::new();
        let headers = request.map_or(&none, Request::headers);
        let format = log.format;
        let field = |name: HeaderName| headers.get(name).map_or(&b""[..], HeaderValue::as_bytes);
        let time = timestamp(SystemTime::now(), format);
        let client = client_address(headers, log.trusted_proxies, peer);
        let authority = request.and_then(|request| request.uri().authority());
        let host = authority.map_or_else(|| field(HOST), |host| host.as_str().as_bytes());
        let host = quoted(host, format);
        let request = quoted(request.map_or_else(String::new, request_line).as_bytes(), format);
        let status = status.as_u16();
        let [referrer, user_agent] = [REFERER, USER_AGENT].map(|name| quoted(field(name), format));
        let (before, after) = match format {
            Format::Json => (
                format!(
                    r#"{{"time":"{time}","client":"{client}","host":{host},"request":{request},"status":{status},"bytes":"#
                ),
                format!(r#","referrer":{referrer},"user_agent":{user_agent},"duration":"#),
            ),
            _ => (
                format!("{client} - - [{time}] {request} {status} "),
                format!(" {referrer} {user_agent}"),
            ),
        };
        Self { log, begun, before, taken: 0, after }
    }

    /// Records that hyper or h2 took `count` more bytes of the response's content. They count as sent
    /// (WIRE-29).
    pub(super) fn add_taken(&mut self, count: usize) {
        self.taken += count as u64;
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let Self { log, begun, before, taken, after } = self;
        let duration = match log.format {
            Format::Json => format!("{:.6}}}", begun.elapsed().as_secs_f64()),
            _ => String::new(),
        };
        log.queue.push(&format!("{before}{taken}{after}{duration}\n"));
    }
}

/// Method, target and version.
fn request_line<B>(request: &Request<B>) -> String {
    let (method, target, version) = (request.method(), request.uri(), request.version());
    match target.path_and_query() {
        // In HTTP/2, the scheme and the authority are fields of their own.
        Some(target) if version == Version::HTTP_2 => format!("{method} {target} {version:?}"),
        _ => format!("{method} {target} {version:?}"),
    }
}

/// Marks a value that was cut off.
const CUT: &str = "...";

/// `value` in double quotes. Quotes, backslashes and bytes that are not printable ASCII become a
/// prefix and two hexadecimal digits, so no request can end a field or forge a line.
fn quoted(value: &[u8], format: Format) -> String {
    let (value, prefix) = match format {
        Format::Json => (value, r"\u00"),
        _ if value.is_empty() => (&b"-"[..], r"\x"),
        _ => (value, r"\x"),
    };
    let mut quoted = String::from('"');
    for &byte in value {
        let is_literal = matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        let end = quoted.len();
        if is_literal {
            quoted.push(byte.into());
        } else {
            quoted.push_str(&format!("{prefix}{byte:02x}"));
        }
        if quoted.len() > 1 + LOG_VALUE_MAX_BYTES {
            quoted.truncate(end);
            quoted.push_str(CUT);
            break;
        }
    }
    quoted.push('"');
    quoted
}

/// `time` in UTC: `20/Nov/2026:12:21:53 +0000`, or `2026-11-20T12:21:53Z` (RFC 3339).
fn timestamp(time: SystemTime, format: Format) -> String {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    // `Fri, 20 Nov 2026 12:21:53 GMT`
    let date = httpdate::fmt_http_date(time);
    let mut parts = date.split(' ').skip(1);
    let [day, month, year, time] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    match format {
        Format::Json => {
            let month = MONTHS.find(month).unwrap_or_default() / 3 + 1;
            format!("{year}-{month:02}-{day}T{time}Z")
        }
        _ => format!("{day}/{month}/{year}:{time} +0000"),
    }
}

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address that the outermost of `trusted_proxies` added to X-Forwarded-For, or the peer's. A
/// client can forge the addresses to the left of it.
fn client_address(headers: &HeaderMap, trusted_proxies: usize, peer: Peer) -> String {
    let lines = headers.get_all(X_FORWARDED_FOR).iter();
    // Not as text, because a client can put other bytes in front of what proxies add.
    let members = lines.flat_map(|line| line.as_bytes().split(|&byte| byte == b','));
    let added = trusted_proxies.checked_sub(1).and_then(|others| members.rev().nth(others));
    added
        .and_then(forwarded_address)
        .map_or_else(|| peer.to_string(), |address| address.to_canonical().to_string())
}

/// An address as proxies write it: alone, in brackets, or with a port.
fn forwarded_address(member: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(member).ok()?.trim();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    without_brackets(text).parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_cut_off_and_marked() {
        const MAX: usize = LOG_VALUE_MAX_BYTES;
        for (format, escaped) in [(Format::Combined, r"\xff"), (Format::Json, r"\u00ff")] {
            let room = MAX - escaped.len();
            for (plain, others, end) in
                [(room, 1, escaped), (room + 1, 1, "..."), (MAX, 0, ""), (MAX, 70_000, "...")]
            {
                let value = [vec![b'a'; plain], vec![b'\xff'; others]].concat();
                assert_eq!(quoted(&value, format), format!("\"{}{end}\"", "a".repeat(plain)));
            }
        }
    }

    #[test]
    fn the_client_is_the_address_that_the_outermost_trusted_proxy_added() {
        // A socket for both families reports IPv4 like this.
        let peer = Peer::Tcp("[::ffff:127.0.0.1]:9".parse().unwrap());
        let members: [(&[u8], Option<&str>); 9] = [
            (b"203.0.113.7", Some("203.0.113.7")),
            (b"203.0.113.7:51234", Some("203.0.113.7")),
            (b"::ffff:203.0.113.7", Some("203.0.113.7")),
            (b"2001:db8::1", Some("2001:db8::1")),
            (b"[2001:db8::1]", Some("2001:db8::1")),
            (b"[2001:db8::1]:51234", Some("2001:db8::1")),
            (b"\"not an address\"", None),
            (b"\xff", None),
            (b"", None),
        ];
        for seed in 0..2000 {
            let mut random = fastrand::Rng::with_seed(seed);
            let sent = random.choose_multiple(members, seed as usize % 6);
            let mut lines: Vec<Vec<u8>> = Vec::new();
            for (member, _) in &sent {
                match lines.last_mut().filter(|_| random.bool()) {
                    Some(line) => line.extend([b", ", *member].concat()),
                    None => lines.push(member.to_vec()),
                }
            }
            let value = |line: &Vec<u8>| (X_FORWARDED_FOR, HeaderValue::from_bytes(line).unwrap());
            let headers: HeaderMap = lines.iter().map(value).collect();
            let trusted = random.usize(0..4);
            let added = trusted.checked_sub(1).and_then(|others| sent.iter().rev().nth(others));
            let expected = added.and_then(|(_, address)| *address).unwrap_or("127.0.0.1");
            assert_eq!(client_address(&headers, trusted, peer), expected, "{headers:?} {trusted}");
        }
    }
}
