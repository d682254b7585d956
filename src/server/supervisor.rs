//! What systemd, and supervisors that speak its protocols, hand over and want
//! to hear: sockets by `LISTEN_FDS`, readiness by `NOTIFY_SOCKET`. Without
//! them, nothing happens here.

#[cfg(unix)]
use std::ffi::OsStr;
use std::io;
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;
#[cfg(target_os = "linux")]
use std::os::unix::ffi::OsStrExt;
#[cfg(unix)]
use std::os::unix::net::{SocketAddr, UnixDatagram};

use super::Listener;

/// Adds the sockets of `LISTEN_FDS` to `listener`, and where each is found to
/// `addresses`. An error where one is of another kind.
#[cfg(unix)]
pub fn take_sockets(listener: &mut Listener, addresses: &mut Vec<String>) -> io::Result<()> {
    let mut handed = listenfd::ListenFd::from_env();
    for place in 0..handed.len() {
        if let Ok(Some(socket)) = handed.take_tcp_listener(place) {
            socket.set_nonblocking(true)?;
            addresses.push(super::browsable(socket.local_addr()?));
            listener.push_tcp(tokio::net::TcpListener::from_std(socket)?);
        } else if let Some(socket) = handed.take_unix_listener(place)? {
            socket.set_nonblocking(true)?;
            let path = socket.local_addr()?.as_pathname().map(|path| path.display().to_string());
            addresses.push(format!("unix:{}", path.unwrap_or_default()));
            listener.push_unix(tokio::net::UnixListener::from_std(socket)?);
        }
    }
    Ok(())
}

/// There is no such protocol here.
#[cfg(not(unix))]
pub fn take_sockets(_: &mut Listener, _: &mut Vec<String>) -> io::Result<()> {
    Ok(())
}

/// Says that connections are answered from now on.
pub fn ready() {
    #[cfg(unix)]
    tell("READY=1");
}

/// Says that the drain has begun.
pub fn stopping() {
    #[cfg(unix)]
    tell("STOPPING=1");
}

/// Our own: `sd-notify` knows no abstract sockets, which podman hands over.
#[cfg(unix)]
fn tell(state: &str) {
    let Some(name) = std::env::var_os("NOTIFY_SOCKET").filter(|name| !name.is_empty()) else {
        return;
    };
    let told = address_of(&name)
        .and_then(|address| UnixDatagram::unbound()?.send_to_addr(state.as_bytes(), &address));
    if let Err(error) = told {
        eprintln!("recipelog-site: cannot tell NOTIFY_SOCKET: {error}");
    }
}

/// sd_notify(3): a path, or the name of an abstract socket behind `@`.
#[cfg(unix)]
fn address_of(name: &OsStr) -> io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    if let [b'@', name @ ..] = name.as_bytes() {
        return SocketAddr::from_abstract_name(name);
    }
    SocketAddr::from_pathname(name)
}
