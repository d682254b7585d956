//! The protocols of systemd, which other service managers speak too: sockets that are passed by
//! `LISTEN_FDS` (sd_listen_fds(3)), and notifications to `NOTIFY_SOCKET` (sd_notify(3)). Without
//! these variables, nothing happens.

use std::env;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::time::Duration;

use socket2::Socket;

use super::listen_address::browsable;
use super::worker_sockets::WorkerSockets;
use crate::output::report;
use crate::problem::Problem;
use crate::server::scheme::Scheme;

/// Name of a socket that HTTPS is served on (`FileDescriptorName=` in systemd.socket(5)).
const HTTPS_NAME: &str = "https";

/// Maximum time that a notification waits for its reader. The first worker and signals wait
/// meanwhile.
const NOTIFY_TIMEOUT: Duration = Duration::from_millis(500);

/// The sockets of `LISTEN_FDS`, and their addresses. An error if one is neither TCP nor
/// Unix-domain, or does not listen.
pub(super) fn passed_sockets() -> Result<(WorkerSockets, Vec<String>), Problem> {
    let (mut listener, mut addresses) = (WorkerSockets::default(), Vec::new());
    // The library ignores sockets for another process, but without this variable, it could take any
    // open file for a socket.
    if env::var_os("LISTEN_PID").is_none_or(|process| process.is_empty()) {
        return Ok((listener, addresses));
    }
    let unusable = |remedy| Problem::new("cannot use a socket of LISTEN_FDS", remedy);
    let failed = |error: io::Error| unusable("pass a TCP or Unix socket").because(error);
    let names = env::var("LISTEN_FDNAMES").unwrap_or_default();
    let mut names = names.split(':');
    let mut passed = listenfd::ListenFd::from_env();
    for index in 0..passed.len() {
        let scheme = if names.next() == Some(HTTPS_NAME) { Scheme::Https } else { Scheme::Http };
        let socket: Socket = if let Ok(Some(socket)) = passed.take_tcp_listener(index) {
            socket.into()
        } else if let Some(socket) = passed.take_unix_listener(index).map_err(failed)? {
            socket.into()
        } else {
            continue;
        };
        // Otherwise each attempt to accept a connection would fail.
        if !socket.is_listener().map_err(failed)? {
            let remedy = "pass a socket after listen(2), with Accept=no";
            return Err(unusable(remedy).because("it does not listen"));
        }
        let address = socket.local_addr().map_err(failed)?;
        match address.as_socket() {
            Some(address) => addresses.extend(browsable(scheme, address)),
            // Abstract sockets have no path.
            None => {
                let path = address.as_pathname().unwrap_or(Path::new("@"));
                addresses.push(format!("unix:{}", path.display()));
            }
        }
        listener.push(scheme, socket).map_err(failed)?;
    }
    Ok((listener, addresses))
}

/// Notifies the service manager of `state`: `READY=1`, or `STOPPING=1` once the drain has begun.
///
/// Written here because `sd-notify` has no abstract sockets, which podman uses.
pub fn notify(state: &str) {
    let Some(name) = env::var_os("NOTIFY_SOCKET").filter(|name| !name.is_empty()) else { return };
    let send = || {
        let socket = UnixDatagram::unbound()?;
        socket.set_write_timeout(Some(NOTIFY_TIMEOUT))?;
        let address = match name.as_bytes() {
            [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
            _ => SocketAddr::from_pathname(&name)?,
        };
        socket.send_to_addr(state.as_bytes(), &address)
    };
    if let Err(error) = send() {
        let remedy = "unset it if no service manager reads it";
        report(Problem::new("cannot notify NOTIFY_SOCKET", remedy).because(error));
    }
}
