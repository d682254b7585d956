//! `recipelog-site healthcheck`: asks the running server whether it serves,
//! for images that have no shell and no curl.

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

/// Of the whole question, looking a name up included: below the two seconds
/// after which a supervisor asks again.
const TIMEOUT: Duration = Duration::from_millis(1_800);

/// The longest status line that is read, in bytes.
const STATUS_LINE_MAX_BYTES: u64 = 256;

/// Asks the first of the addresses that `--listen` names. The error says why
/// the server does not serve.
#[inline(never)]
pub fn healthcheck(cli: &Cli) -> Result<ExitCode, String> {
    let addresses = cli.listening.addresses();
    let address = addresses.into_iter().next().ok_or("no address to ask")?;
    let name = address.to_string();
    let (answer, answered) = mpsc::channel();
    // Apart, because not every step of it can be given a time limit.
    thread::spawn(move || answer.send(ask(&address)));
    let answer = answered
        .recv_timeout(TIMEOUT)
        .map_err(|_| format!("{name} does not answer within {TIMEOUT:?}"))?
        .map_err(|error| format!("{name} does not answer: {error}"))?;
    if answer.starts_with("HTTP/1.1 200 ") {
        Ok(ExitCode::SUCCESS)
    } else {
        let status = answer.lines().next().unwrap_or("nothing");
        // Whoever answers there may be anybody.
        Err(format!("{name} answers {HEALTH_PATH} with {}", status.escape_debug()))
    }
}

fn ask(address: &ListenAddress) -> io::Result<String> {
    match address {
        ListenAddress::Tcp(address) => exchange(TcpStream::connect(&*reachable(address)?)?),
        #[cfg(unix)]
        ListenAddress::Unix(path) => exchange(UnixStream::connect(path)?),
        #[cfg(not(unix))]
        ListenAddress::Unix(_) => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// Sends one request and reads the first line of its answer.
fn exchange(mut stream: impl Read + Write) -> io::Result<String> {
    write!(stream, "GET {HEALTH_PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut line = Vec::new();
    BufReader::new(stream.take(STATUS_LINE_MAX_BYTES)).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).into_owned())
}
