//! `recipelog-site healthcheck`: sends a request to the running server, for images
//! without a shell or curl (DECISION-36).

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::cli::Cli;
use crate::server::{ListenAddress, reachable};
use crate::site::HEALTH_PATH;

/// Maximum time of the whole check, including name resolution: less than 2 s, a
/// common timeout of service managers.
const TIMEOUT: Duration = Duration::from_millis(1_800);

const REMEDY: &str = "start the server, or set --listen or --port to its address";

/// Maximum number of bytes of the status line that are read.
const STATUS_LINE_MAX_BYTES: u64 = 256;

/// Requests `HEALTH_PATH` from the first address to listen on. Any response other
/// than 200 is an error.
#[inline(never)]
pub fn healthcheck(cli: &Cli) -> Result<ExitCode, String> {
    let addresses = cli.listening.addresses();
    let address = addresses.into_iter().next().ok_or("no address to check; set --listen")?;
    let name = address.to_string();
    let (sender, receiver) = mpsc::channel();
    // In a thread, because name resolution has no time limit.
    thread::spawn(move || sender.send(request_status_line(&address)));
    let status_line = receiver
        .recv_timeout(TIMEOUT)
        .map_err(|_| format!("no response from {name} within {TIMEOUT:?}; {REMEDY}"))?
        .map_err(|error| format!("no response from {name}: {error}; {REMEDY}"))?;
    if status_line.starts_with("HTTP/1.1 200 ") {
        Ok(ExitCode::SUCCESS)
    } else {
        let status_line = status_line.lines().next().unwrap_or_default();
        // Another program may listen there, so its response can contain any bytes.
        let shown = status_line.escape_debug();
        Err(format!("{name} responds to {HEALTH_PATH} with \"{shown}\"; {REMEDY}"))
    }
}

fn request_status_line(address: &ListenAddress) -> io::Result<String> {
    match address {
        ListenAddress::Tcp(address) => exchange(TcpStream::connect(&*reachable(address)?)?),
        #[cfg(unix)]
        ListenAddress::Unix(path) => exchange(UnixStream::connect(path)?),
        #[cfg(not(unix))]
        ListenAddress::Unix(_) => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// Sends one request and reads the status line of the response.
fn exchange(mut stream: impl Read + Write) -> io::Result<String> {
    write!(stream, "GET {HEALTH_PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut line = Vec::new();
    BufReader::new(stream.take(STATUS_LINE_MAX_BYTES)).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).into_owned())
}
