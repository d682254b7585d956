//! One line a request on standard output.
//!
//! A thread of its own writes the lines. Serving hands them over and never
//! waits: where the reader of standard output stalls, lines are lost, counted
//! and reported.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use http::header::{HeaderMap, HeaderName, HeaderValue, REFERER, USER_AGENT};
use http::{Request, Response};
use http_body::Body;

use super::listener::Peer;

/// Lines that wait for the writer: a second of a busy day.
const LINES_WAITING_MAX: usize = 8192;

/// How often losses are reported at most.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// How long the end of the process waits for the lines that are left.
const LAST_LINES_TIMEOUT: Duration = Duration::from_secs(1);

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// What a line looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Apache's combined log format, and the duration in seconds behind it.
    Combined,
    /// One JSON object (RFC 8259).
    Json,
}

/// The log of a running server. Dropping it writes what is left, for at most
/// a second.
#[derive(Debug)]
pub struct AccessLog {
    format: Format,
    trusted_proxies: usize,
    lines: Option<SyncSender<String>>,
    lost: Arc<AtomicU64>,
    written: Mutex<Receiver<()>>,
}

impl AccessLog {
    /// Starts the writer. With `trusted_proxies` above zero, a client's address
    /// is the one that the outermost of so many proxies put into
    /// X-Forwarded-For.
    pub fn start(format: Format, trusted_proxies: usize) -> io::Result<Self> {
        let (lines, waiting) = mpsc::sync_channel(LINES_WAITING_MAX);
        let (done, written) = mpsc::channel();
        let lost = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&lost);
        thread::Builder::new().name("access-log".to_owned()).spawn(move || {
            write_lines(&waiting, &counter);
            // The log may have been given up already.
            let _ = done.send(());
        })?;
        Ok(Self { format, trusted_proxies, lines: Some(lines), lost, written: Mutex::new(written) })
    }

    pub(super) fn record<B, C: Body>(&self, entry: Entry<'_, B>, response: &Response<C>) {
        let Some(lines) = &self.lines else { return };
        if lines.try_send(self.line(&entry, response)).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn line<B, C: Body>(&self, entry: &Entry<'_, B>, response: &Response<C>) -> String {
        let request = entry.request;
        let headers = request.headers();
        let client = client(headers, self.trusted_proxies, entry.peer);
        let (time, duration) = (Timestamp(entry.time), entry.begun.elapsed().as_secs_f64());
        let bytes = response.body().size_hint().exact().unwrap_or_default();
        let (method, target) = (request.method(), request.uri());
        let (version, status) = (request.version(), response.status().as_u16());
        let field = |name: HeaderName| headers.get(name).map_or(&b""[..], HeaderValue::as_bytes);
        let mut line = String::with_capacity(256);
        let written = match self.format {
            Format::Combined => {
                let quoted = |value: &[u8]| {
                    Quoted(if value.is_empty() { b"-" } else { value }.to_vec(), r"\x")
                };
                let (referrer, agent) = (quoted(field(REFERER)), quoted(field(USER_AGENT)));
                let request_line = quoted(format!("{method} {target} {version:?}").as_bytes());
                writeln!(
                    line,
                    "{client} - - [{time}] {request_line} {status} {bytes} {referrer} {agent} {duration:.6}",
                    time = time.common_log(),
                )
            }
            Format::Json => {
                let quoted = |value: &[u8]| Quoted(value.to_vec(), r"\u00");
                writeln!(
                    line,
                    "{{\"time\":\"{time}\",\"client\":\"{client}\",\"request\":{request},\"status\":{status},\
                     \"bytes\":{bytes},\"referrer\":{referrer},\"user_agent\":{agent},\"duration\":{duration:.6}}}",
                    time = time.rfc_3339(),
                    request = quoted(format!("{method} {target} {version:?}").as_bytes()),
                    referrer = quoted(field(REFERER)),
                    agent = quoted(field(USER_AGENT)),
                )
            }
        };
        debug_assert!(written.is_ok(), "a String takes whatever is written");
        line
    }
}

impl Drop for AccessLog {
    fn drop(&mut self) {
        self.lines = None;
        if let Ok(written) = self.written.get_mut() {
            // A reader that stalls does not keep the process from ending.
            let _ = written.recv_timeout(LAST_LINES_TIMEOUT);
        }
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(super) struct Entry<'a, B> {
    request: &'a Request<B>,
    peer: Peer,
    time: SystemTime,
    begun: Instant,
}

impl<'a, B> Entry<'a, B> {
    pub(super) fn begin(request: &'a Request<B>, peer: Peer) -> Self {
        Self { request, peer, time: SystemTime::now(), begun: Instant::now() }
    }
}

/// Who asked: the peer, or what the outermost trusted proxy says that it was.
/// Whatever stands further left in the field, anyone can have written.
fn client(headers: &HeaderMap, trusted_proxies: usize, peer: Peer) -> String {
    let forwarded: Vec<&str> = headers
        .get_all(X_FORWARDED_FOR)
        .iter()
        .flat_map(|line| line.to_str().unwrap_or_default().split(','))
        .map(str::trim)
        .collect();
    (trusted_proxies > 0)
        .then(|| forwarded.len().checked_sub(trusted_proxies).map(|place| forwarded[place]))
        .flatten()
        .and_then(|address| address.parse::<IpAddr>().ok())
        .map_or_else(|| peer.to_string(), |address| address.to_string())
}

/// Bytes in quotes, so that no request can end a field or forge a line:
/// quotes, backslashes and whatever is not printable ASCII become the prefix
/// and two hexadecimal digits.
struct Quoted(Vec<u8>, &'static str);

impl std::fmt::Display for Quoted {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_char('"')?;
        for &byte in &self.0 {
            match byte {
                b'"' | b'\\' => write!(formatter, "{}{byte:02x}", self.1)?,
                b' '..=b'~' => formatter.write_char(byte.into())?,
                _ => write!(formatter, "{}{byte:02x}", self.1)?,
            }
        }
        formatter.write_char('"')
    }
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

    /// Day, month, year and time out of `Fri, 20 Nov 2026 12:21:53 GMT`.
    fn parts(&self) -> [String; 4] {
        let date = httpdate::fmt_http_date(self.0);
        let mut parts = date.split(' ').skip(1).map(str::to_owned);
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }
}

fn write_lines(waiting: &Receiver<String>, lost: &AtomicU64) {
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut reported = Instant::now();
    let mut result = Ok(());
    while result.is_ok() {
        let next = match waiting.try_recv() {
            Ok(line) => Ok(line),
            Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) => {
                result = output.flush();
                waiting.recv_timeout(REPORT_INTERVAL)
            }
        };
        match next {
            Ok(line) => result = result.and_then(|()| output.write_all(line.as_bytes())),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if reported.elapsed() >= REPORT_INTERVAL {
            report_losses(lost);
            reported = Instant::now();
        }
    }
    report_losses(lost);
    if let Err(error) = result.and_then(|()| output.flush()) {
        eprintln!("recipelog-site: access log ends, standard output: {error}");
    }
}

fn report_losses(lost: &AtomicU64) {
    let count = lost.swap(0, Ordering::Relaxed);
    if count > 0 {
        eprintln!(
            "recipelog-site: {count} access log lines lost, standard output is read too slowly"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forwarded(lines: &[&str]) -> HeaderMap {
        lines.iter().map(|line| (X_FORWARDED_FOR, line.parse().unwrap())).collect()
    }

    #[test]
    fn the_client_is_who_the_outermost_trusted_proxy_saw() {
        let peer = Peer::Tcp("127.0.0.1:9".parse().unwrap());
        for (lines, trusted, expected) in [
            (&["203.0.113.7"][..], 0, "127.0.0.1"),
            (&["203.0.113.7"], 1, "203.0.113.7"),
            (&["forged, 203.0.113.7"], 1, "203.0.113.7"),
            (&["forged, 203.0.113.7, 198.51.100.2"], 2, "203.0.113.7"),
            (&["forged", "203.0.113.7", "198.51.100.2"], 2, "203.0.113.7"),
            (&["2001:db8::1"], 1, "2001:db8::1"),
            (&["203.0.113.7"], 2, "127.0.0.1"),
            (&["\"not an address\""], 1, "127.0.0.1"),
            (&[], 1, "127.0.0.1"),
        ] {
            assert_eq!(client(&forwarded(lines), trusted, peer), expected, "{lines:?} {trusted}");
        }
    }

    #[test]
    fn no_field_can_end_its_quotes_or_its_line() {
        let quoted = Quoted(b"a\"b\\c\r\nd\x1b[31m\xff".to_vec(), r"\x").to_string();
        assert_eq!(quoted, r#""a\x22b\x5cc\x0d\x0ad\x1b[31m\xff""#);
        let json = Quoted(b"a\"\n\xe9".to_vec(), r"\u00").to_string();
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "a\"\n\u{e9}");
    }

    #[test]
    fn times_are_written_as_each_format_wants_them() {
        let time = Timestamp(SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_177_313));
        assert_eq!(time.common_log(), "20/Nov/2026:12:21:53 +0000");
        assert_eq!(time.rfc_3339(), "2026-11-20T12:21:53Z");
    }
}
