//! The protocols of systemd, which other service managers speak too: sockets
//! that are passed by `LISTEN_FDS` (sd_listen_fds(3)), and notifications to
//! `NOTIFY_SOCKET` (sd_notify(3)). Without these variables, nothing happens.

#[cfg(unix)]
use std::ffi::OsStr;
use std::io;
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;
#[cfg(unix)]
use std::os::unix::net::{SocketAddr, UnixDatagram};

#[cfg(unix)]
use super::listen_address::{Scheme, browsable};
use super::listener::Listener;
#[cfg(unix)]
use crate::diagnostics::report;

/// Maximum number of passed sockets.
#[cfg(unix)]
const SOCKETS_MAX: usize = 64;

/// Name of a socket that HTTPS is served on (`FileDescriptorName=` in
/// systemd.socket(5)).
#[cfg(unix)]
const HTTPS_NAME: &str = "https";

/// Adds the sockets of `LISTEN_FDS` to `listener`, and their addresses to
/// `addresses`. An error if one is neither TCP nor Unix-domain.
#[cfg(unix)]
pub(super) fn take_sockets(listener: &mut Listener, addresses: &mut Vec<String>) -> io::Result<()> {
    // The library allocates for as many sockets as the variable states.
    let count = std::env::var("LISTEN_FDS").ok().and_then(|count| count.parse::<usize>().ok());
    if count.is_some_and(|count| count > SOCKETS_MAX) {
        return Err(io::Error::other(format!("at most {SOCKETS_MAX} sockets can be passed")));
    }
    // The library removes the variables.
    let names = std::env::var("LISTEN_FDNAMES").unwrap_or_default();
    let mut names = names.split(':');
    let mut passed = listenfd::ListenFd::from_env();
    for index in 0..passed.len() {
        let scheme = if names.next() == Some(HTTPS_NAME) { Scheme::Https } else { Scheme::Http };
        if let Ok(Some(socket)) = passed.take_tcp_listener(index) {
            socket.set_nonblocking(true)?;
            addresses.push(browsable(scheme, socket.local_addr()?));
            listener.push_tcp(scheme, socket);
        } else if let Some(socket) = passed.take_unix_listener(index)? {
            socket.set_nonblocking(true)?;
            let path = socket.local_addr()?.as_pathname().map(|path| path.display().to_string());
            addresses.push(format!("unix:{}", path.unwrap_or_default()));
            listener.push_unix(socket);
        }
    }
    Ok(())
}

/// There is no such protocol on this platform.
#[cfg(not(unix))]
pub(super) fn take_sockets(_: &mut Listener, _: &mut Vec<String>) -> io::Result<()> {
    Ok(())
}

/// Notifies that connections are answered from now on.
pub fn ready() {
    #[cfg(unix)]
    notify("READY=1");
}

/// Notifies that the drain has begun.
pub fn stopping() {
    #[cfg(unix)]
    notify("STOPPING=1");
}

/// Our own, because `sd-notify` has no abstract sockets, which podman uses.
#[cfg(unix)]
fn notify(state: &str) {
    let Some(name) = std::env::var_os("NOTIFY_SOCKET").filter(|name| !name.is_empty()) else {
        return;
    };
    let sent = address_of(&name)
        .and_then(|address| UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address));
    if let Err(error) = sent {
        report(format_args!("cannot notify NOTIFY_SOCKET: {error}"));
    }
}

/// A path, or the name of an abstract socket after `@`.
#[cfg(unix)]
fn address_of(name: &OsStr) -> io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    if let [b'@', name @ ..] = name.as_bytes() {
        return SocketAddr::from_abstract_name(name);
    }
    SocketAddr::from_pathname(name)
}
