//! The protocols of systemd, which other service managers speak too (DECISION-35): sockets
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
use std::time::Duration;

#[cfg(unix)]
use super::listen_address::{Scheme, browsable};
use super::listener::Listener;
#[cfg(unix)]
use crate::diagnostics::report;

/// Maximum number of passed sockets.
#[cfg(unix)]
const SOCKETS_MAX: u32 = 64;

/// Name of a socket that HTTPS is served on (`FileDescriptorName=` in
/// systemd.socket(5)).
#[cfg(unix)]
const HTTPS_NAME: &str = "https";

/// Maximum time that a notification waits for its reader. The first worker and signals wait
/// meanwhile.
#[cfg(unix)]
const NOTIFY_TIMEOUT: Duration = Duration::from_millis(500);

/// True if `LISTEN_FDS` and `LISTEN_PID` pass sockets to this process. The library
/// listenfd does not require `LISTEN_PID`, but then any open file could be taken for one.
#[cfg(unix)]
fn are_passed() -> io::Result<bool> {
    let number = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        let parse = |value: std::ffi::OsString| {
            let number = value.to_str().and_then(|value| value.parse::<u32>().ok());
            number.ok_or_else(|| {
                let value = value.to_string_lossy();
                let value = value.escape_debug();
                io::Error::other(format!("{name} is not a number: '{value}'; unset it"))
            })
        };
        value.map(parse).transpose()
    };
    let Some(count) = number("LISTEN_FDS")? else { return Ok(false) };
    let Some(process) = number("LISTEN_PID")? else {
        return Err(io::Error::other(
            "LISTEN_PID is missing; set it to the id of the process that the sockets are for, or \
             unset LISTEN_FDS",
        ));
    };
    // The variables are inherited by processes that they are not for.
    if process != std::process::id() {
        return Ok(false);
    }
    // The library allocates for as many sockets as the variable states.
    if count > SOCKETS_MAX {
        return Err(io::Error::other(format!(
            "at most {SOCKETS_MAX} sockets can be passed; pass fewer"
        )));
    }
    Ok(true)
}

/// An error if `socket` does not listen: each attempt to accept a connection would fail.
#[cfg(target_os = "linux")]
fn check_listening(socket: &impl std::os::fd::AsFd) -> io::Result<()> {
    if socket2::SockRef::from(socket).is_listener()? {
        return Ok(());
    }
    Err(io::Error::other("it does not listen; pass a socket after listen(2), with Accept=no"))
}

/// Only Linux reports whether a socket listens.
#[cfg(all(unix, not(target_os = "linux")))]
fn check_listening(_: &impl std::os::fd::AsFd) -> io::Result<()> {
    Ok(())
}

/// Adds the sockets of `LISTEN_FDS` to `listener`, and their addresses to
/// `addresses`. An error if one is neither TCP nor Unix-domain, or does not listen.
#[cfg(unix)]
pub(super) fn take_sockets(listener: &mut Listener, addresses: &mut Vec<String>) -> io::Result<()> {
    if !are_passed()? {
        return Ok(());
    }
    // The library removes the variables.
    let names = std::env::var("LISTEN_FDNAMES").unwrap_or_default();
    let mut names = names.split(':');
    let mut passed = listenfd::ListenFd::from_env();
    for index in 0..passed.len() {
        let scheme = if names.next() == Some(HTTPS_NAME) { Scheme::Https } else { Scheme::Http };
        if let Ok(Some(socket)) = passed.take_tcp_listener(index) {
            check_listening(&socket)?;
            socket.set_nonblocking(true)?;
            addresses.push(browsable(scheme, socket.local_addr()?));
            listener.push_tcp(scheme, socket);
        } else if let Some(socket) = passed.take_unix_listener(index).map_err(unusable)? {
            check_listening(&socket)?;
            if scheme == Scheme::Https {
                return Err(io::Error::other(
                    "a Unix socket cannot serve HTTPS; choose another FileDescriptorName in its \
                     unit, or a port",
                ));
            }
            socket.set_nonblocking(true)?;
            addresses.push(format!("unix:{}", name_of(&socket.local_addr()?)));
            listener.push_unix(socket);
        }
    }
    Ok(())
}

#[cfg(unix)]
fn unusable(error: io::Error) -> io::Error {
    io::Error::other(format!("{error}; pass a TCP or Unix socket"))
}

/// A path, or the name of an abstract socket after `@`.
#[cfg(unix)]
fn name_of(address: &SocketAddr) -> String {
    #[cfg(target_os = "linux")]
    if let Some(name) = address.as_abstract_name() {
        return format!("@{}", String::from_utf8_lossy(name));
    }
    address.as_pathname().map(|path| path.display().to_string()).unwrap_or_default()
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
    let send = || {
        let socket = UnixDatagram::unbound()?;
        socket.set_write_timeout(Some(NOTIFY_TIMEOUT))?;
        socket.send_to_addr(state.as_bytes(), &address_of(&name)?)
    };
    if let Err(error) = send() {
        report(format_args!(
            "cannot notify NOTIFY_SOCKET: {error}; unset it if no service manager reads it"
        ));
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
