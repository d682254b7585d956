//! `recipelog-site healthcheck`: asks the running server whether it serves,
//! for images that have no shell and no curl.

use std::io::{self, Read, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::time::Duration;

use crate::cli::Cli;
use crate::server::{ListenAddress, reachable};
use crate::site::HEALTH_PATH;

/// For each of connecting, writing and reading: together below the two seconds
/// after which a supervisor asks again.
const STEP_TIMEOUT: Duration = Duration::from_millis(600);

/// Asks the first of the addresses that `--listen` names. The error says why
/// the server does not serve.
pub fn healthcheck(cli: &Cli) -> Result<ExitCode, String> {
    let addresses = cli.listening.addresses();
    let address = addresses.first().ok_or("no address to ask")?;
    let answer = ask(address).map_err(|error| format!("{address} does not answer: {error}"))?;
    if answer.starts_with("HTTP/1.1 200 ") {
        Ok(ExitCode::SUCCESS)
    } else {
        let status = answer.lines().next().unwrap_or("nothing");
        Err(format!("{address} answers {HEALTH_PATH} with {status}"))
    }
}

fn ask(address: &ListenAddress) -> io::Result<String> {
    match address {
        ListenAddress::Tcp(address) => {
            let mut result = Err(io::Error::from(io::ErrorKind::AddrNotAvailable));
            for address in reachable(address)? {
                result = TcpStream::connect_timeout(&address, STEP_TIMEOUT);
                if result.is_ok() {
                    break;
                }
            }
            let stream = result?;
            stream.set_read_timeout(Some(STEP_TIMEOUT))?;
            stream.set_write_timeout(Some(STEP_TIMEOUT))?;
            exchange(stream)
        }
        #[cfg(unix)]
        ListenAddress::Unix(path) => {
            let stream = UnixStream::connect(path)?;
            stream.set_read_timeout(Some(STEP_TIMEOUT))?;
            stream.set_write_timeout(Some(STEP_TIMEOUT))?;
            exchange(stream)
        }
        #[cfg(not(unix))]
        ListenAddress::Unix(_) => Err(io::ErrorKind::Unsupported.into()),
    }
}

/// Sends one request and reads the beginning of its answer.
fn exchange(mut stream: impl Read + Write) -> io::Result<String> {
    write!(stream, "GET {HEALTH_PATH} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = [0; 256];
    loop {
        match stream.read(&mut answer) {
            Ok(length) => return Ok(String::from_utf8_lossy(&answer[..length]).into_owned()),
            // signal(7): a read with a time limit ends so when the process is
            // stopped and continued, as by a machine that is frozen.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
