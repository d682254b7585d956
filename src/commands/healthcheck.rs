//! `recipelog-site healthcheck`: sends a request to the running server, for images without a shell
//! or curl (WIRE-36).

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::cli::Config;
use crate::problem::Problem;
use crate::server::{ListenAddress, Scheme, reachable};
use crate::site::HEALTH_PATH;
use crate::tls::{self, day};

/// Maximum time of the whole check, including name resolution: less than 2 s, a common timeout of
/// service managers.
const TIMEOUT: Duration = Duration::from_millis(1_800);

/// The beginning of the response to a request in plain HTTP on a port of HTTPS (WIRE-30).
const BAD_REQUEST: &str = "HTTP/1.1 400 ";

/// The remedy for a certificate that the server lacks or has to renew.
const SEE_SERVER: &str = "see the server's messages";

/// Maximum number of bytes of the status line that are read.
const STATUS_LINE_MAX_BYTES: u64 = 256;

/// Requests `HEALTH_PATH` from the first address of each scheme. Any response other than 200 is an
/// error, and so is a certificate that has expired or will soon.
///
/// With ACME, the certificate may be missing while the plain port answers: the server is still
/// obtaining the first one, and a restart would only repeat the order. With `--expires-within`, a
/// missing certificate is an error, because a monitor asks for its last day.
#[inline(never)]
pub fn healthcheck(config: &Config) -> Result<(), Problem> {
    let first = |expected| config.addresses.iter().find(|(scheme, _)| *scheme == expected);
    let (plain, tls) = (first(Scheme::Http), first(Scheme::Https));
    let needs_certificate = config.expires_within.is_some();
    let may_have_none = plain.is_some() && config.https.acme.is_used() && !needs_certificate;
    let deadline = Instant::now() + TIMEOUT;
    for (scheme, address) in plain.into_iter().chain(tls) {
        let (sender, receiver) = mpsc::channel();
        let (scheme, checked, config) = (*scheme, address.clone(), config.clone());
        // In a thread, because name resolution has no time limit.
        thread::Builder::new()
            .spawn(move || sender.send(request(scheme, &checked, &config, may_have_none)))
            .map_err(Problem::of_process("cannot start a thread"))?;
        let left = deadline.saturating_duration_since(Instant::now());
        receiver.recv_timeout(left).unwrap_or_else(|_| {
            let what = format!("no response from {address} within {TIMEOUT:?}");
            Err(Problem::new(what, remedy(scheme, ErrorKind::Other)))
        })?;
    }
    Ok(())
}

/// Sends the request. A missing certificate is an error unless the server `may_have_none`.
fn request(
    scheme: Scheme,
    address: &ListenAddress,
    config: &Config,
    may_have_none: bool,
) -> Result<(), Problem> {
    let answer = match address {
        ListenAddress::Unix(path) => UnixStream::connect(path).and_then(status_line),
        ListenAddress::Tcp(host, port) => {
            let connected = reachable(host, *port).and_then(|found| TcpStream::connect(&*found));
            connected.and_then(|stream| match scheme {
                Scheme::Http => status_line(stream),
                Scheme::Https => tls_status_line(stream, config),
            })
        }
    };
    let (line, end) = match answer {
        Ok(answer) => answer,
        Err(error) => {
            return match error.get_ref().and_then(|error| error.downcast_ref()) {
                Some(rustls::Error::AlertReceived(_)) if may_have_none => Ok(()),
                Some(rustls::Error::AlertReceived(_)) => {
                    Err(Problem::new(format!("{address} has no certificate"), SEE_SERVER))
                }
                Some(rustls::Error::InvalidMessage(_)) => Err(Problem::new(
                    format!("{address} does not speak TLS"),
                    "set --listen to it, or --tls-listen to the HTTPS port",
                )),
                _ => Err(Problem::of(format!("no response from {address}"), error, |error| {
                    remedy(scheme, error.kind())
                })),
            };
        }
    };
    let now = SystemTime::now();
    let latest = now + config.expires_within.unwrap_or_default();
    if let Some(end) = end.filter(|end| *end < latest) {
        let problem = if end < now { "has expired" } else { "expires" };
        let what = format!("the certificate of {address} {problem} on {}", day(end));
        return Err(Problem::new(what, SEE_SERVER));
    }
    if line.starts_with("HTTP/1.1 200 ") {
        Ok(())
    } else if line.starts_with(BAD_REQUEST) {
        let remedy = "set --tls-listen to it, and add the server's --tls-cert and --tls-key, or \
                      --acme-domain";
        Err(Problem::new(format!("{address} speaks TLS"), remedy))
    } else {
        let what = format!("{address} responds to {HEALTH_PATH} with \"{}\"", line.trim_end());
        Err(Problem::new(what, remedy(scheme, ErrorKind::Other)))
    }
}

/// What the operator can do without a response.
fn remedy(scheme: Scheme, kind: ErrorKind) -> String {
    match kind {
        ErrorKind::PermissionDenied => "let this user connect to it".to_owned(),
        _ => format!("start the server, or set {} to its address", scheme.options()),
    }
}

/// The status line of the response, and the end of the certificate, if the server has one.
type Answer = (String, Option<SystemTime>);

/// The certificate may be of any authority and for any name: the server is on this machine. Only
/// its expiry is checked.
fn tls_status_line(mut stream: TcpStream, config: &Config) -> io::Result<Answer> {
    let host = config.host().unwrap_or("localhost");
    let mut tls = tls::unverified_client(host, &[]).map_err(io::Error::other)?;
    tls.complete_io(&mut stream)?;
    let chain = tls.peer_certificates().unwrap_or_default();
    let end = chain.first().and_then(|certificate| tls::not_after(certificate));
    let (line, _) = status_line(rustls::StreamOwned::new(tls, stream))?;
    Ok((line, end))
}

/// Sends one request and reads the status line of the response.
fn status_line(mut stream: impl Read + Write) -> io::Result<Answer> {
    let request =
        format!("GET {HEALTH_PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    // In one write: a server that rejects the first part would close the connection before the
    // second one, and its response would not be read.
    stream.write_all(request.as_bytes())?;
    let mut line = Vec::new();
    BufReader::new(stream.take(STATUS_LINE_MAX_BYTES)).read_until(b'\n', &mut line)?;
    Ok((String::from_utf8_lossy(&line).into_owned(), None))
}
