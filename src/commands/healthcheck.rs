//! `recipelog-site healthcheck`: sends a request to the running server, for images
//! without a shell or curl (HTTP-36, DECISION-36).

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::cli::Cli;
use crate::server::{ListenAddress, Scheme, reachable};
use crate::site::HEALTH_PATH;
use crate::tls::{self, day};

/// Maximum time of the whole check, including name resolution: less than 2 s, a
/// common timeout of service managers.
const TIMEOUT: Duration = Duration::from_millis(1_800);

/// The beginning of an alert, with which TLS answers a request in plain HTTP (RFC 8446 §5.1).
const TLS_ALERT: &str = "\x15\x03";

/// Maximum number of bytes of the status line that are read.
const STATUS_LINE_MAX_BYTES: u64 = 256;

/// Requests `HEALTH_PATH` from the first address of each scheme. Any response other
/// than 200 is an error, and so is a certificate that has expired.
///
/// With ACME, a missing certificate is no error if the plain port answers: the server is
/// still obtaining the first one, and a restart would only begin that again.
#[inline(never)]
pub fn healthcheck(cli: &Cli) -> Result<ExitCode, String> {
    let addresses = cli.addresses();
    let first = |expected| addresses.iter().find(|(scheme, _)| *scheme == expected);
    let host =
        cli.origin().map_or_else(|| "localhost".to_owned(), |origin| origin.host().to_owned());
    let deadline = Instant::now() + TIMEOUT;
    let mut is_answered = false;
    for (scheme, address) in [first(Scheme::Http), first(Scheme::Https)].into_iter().flatten() {
        match check(*scheme, address, &host, deadline) {
            Err(Problem::NoCertificate) if is_answered && cli.is_acme() => {}
            result => result.map_err(|problem| explain(&problem, *scheme, address))?,
        }
        is_answered = true;
    }
    if is_answered {
        Ok(ExitCode::SUCCESS)
    } else {
        Err("no address to check; set --listen".to_owned())
    }
}

/// The reason why a check failed.
enum Problem {
    NoThread(io::Error),
    NoResponse(io::Error),
    Timeout,
    /// The server rejected the handshake with an alert.
    NoCertificate,
    Expired(SystemTime),
    UnexpectedResponse(String),
}

fn explain(problem: &Problem, scheme: Scheme, address: &ListenAddress) -> String {
    let remedy = match scheme {
        Scheme::Http => "start the server, or set --listen or --port to its address",
        Scheme::Https => "start the server, or set --tls-listen to its address",
    };
    match problem {
        Problem::NoThread(error) => {
            format!("cannot check {address}: {error}; raise the limit on threads")
        }
        Problem::NoResponse(error) => format!("no response from {address}: {error}; {remedy}"),
        Problem::Timeout => format!("no response from {address} within {TIMEOUT:?}; {remedy}"),
        Problem::NoCertificate => {
            format!("{address} has no certificate; see the server's messages")
        }
        Problem::Expired(end) => format!(
            "the certificate of {address} has expired on {}; see the server's messages",
            day(*end)
        ),
        Problem::UnexpectedResponse(line) if line.starts_with(TLS_ALERT) => format!(
            "{address} speaks TLS; set --tls-listen to it, with the certificate's options of the \
             server"
        ),
        Problem::UnexpectedResponse(line) => {
            // Another program may listen there, so its response can contain any bytes.
            let shown = line.escape_debug();
            format!("{address} responds to {HEALTH_PATH} with \"{shown}\"; {remedy}")
        }
    }
}

fn check(
    scheme: Scheme,
    address: &ListenAddress,
    host: &str,
    deadline: Instant,
) -> Result<(), Problem> {
    let (sender, receiver) = mpsc::channel();
    let (address, host) = (address.clone(), host.to_owned());
    // In a thread, because name resolution has no time limit.
    thread::Builder::new()
        .spawn(move || sender.send(request_status_line(scheme, &address, &host)))
        .map_err(Problem::NoThread)?;
    let left = deadline.saturating_duration_since(Instant::now());
    let line = receiver.recv_timeout(left).map_err(|_| Problem::Timeout)??;
    if line.starts_with("HTTP/1.1 200 ") {
        Ok(())
    } else {
        Err(Problem::UnexpectedResponse(line.lines().next().unwrap_or_default().to_owned()))
    }
}

fn request_status_line(
    scheme: Scheme,
    address: &ListenAddress,
    host: &str,
) -> Result<String, Problem> {
    Ok(match address {
        ListenAddress::Tcp(address) => {
            let stream = TcpStream::connect(&*reachable(address)?)?;
            match scheme {
                Scheme::Http => exchange(stream)?,
                Scheme::Https => exchange_securely(stream, host)?,
            }
        }
        #[cfg(unix)]
        ListenAddress::Unix(path) => exchange(UnixStream::connect(path)?)?,
        #[cfg(not(unix))]
        ListenAddress::Unix(_) => return Err(io::Error::from(io::ErrorKind::Unsupported).into()),
    })
}

/// As [`exchange`], over TLS. The certificate may be of any authority and for any
/// name: the server is on this machine. Only its expiry is checked.
fn exchange_securely(mut stream: TcpStream, host: &str) -> Result<String, Problem> {
    let mut tls = tls::unverified_client(host).map_err(io::Error::other)?;
    if let Err(error) = tls.complete_io(&mut stream) {
        let is_rejected = error
            .get_ref()
            .and_then(|error| error.downcast_ref())
            .is_some_and(|error| matches!(error, rustls::Error::AlertReceived(_)));
        return Err(if is_rejected { Problem::NoCertificate } else { error.into() });
    }
    let chain = tls.peer_certificates().unwrap_or_default();
    let end = chain.first().and_then(|certificate| tls::not_after(certificate));
    match end {
        Some(end) if end < SystemTime::now() => Err(Problem::Expired(end)),
        _ => Ok(exchange(rustls::StreamOwned::new(tls, stream))?),
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::NoResponse(error)
    }
}

/// Sends one request and reads the status line of the response.
fn exchange(mut stream: impl Read + Write) -> io::Result<String> {
    let request =
        format!("GET {HEALTH_PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    // In one write: a server that rejects the first part would close the connection
    // before the second one, and its response would not be read.
    stream.write_all(request.as_bytes())?;
    let mut line = Vec::new();
    BufReader::new(stream.take(STATUS_LINE_MAX_BYTES)).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).into_owned())
}
