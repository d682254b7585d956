//! Looks up the names of addresses to listen on.

use std::collections::HashSet;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::thread;

use tokio::sync::oneshot;

use super::listen_address::ListenAddress;

/// The addresses that `address` stands for.
pub(super) async fn resolve(address: &ListenAddress) -> io::Result<Vec<SocketAddr>> {
    match address {
        ListenAddress::Tcp(address) => match address.parse() {
            Ok(address) => Ok(vec![address]),
            Err(_) => look_up(address.clone(), |name| Ok(name.to_socket_addrs()?.collect())).await,
        },
        ListenAddress::Unix(_) => Ok(Vec::new()),
    }
}

/// The result of `resolver` for `name`, without repetitions. The resolver runs on a thread,
/// because a name server may take long to answer, and signals have an effect meanwhile.
async fn look_up(
    name: String,
    resolver: impl FnOnce(&str) -> io::Result<Vec<SocketAddr>> + Send + 'static,
) -> io::Result<Vec<SocketAddr>> {
    let (sender, found) = oneshot::channel();
    let thread = thread::Builder::new().name("name-resolution".to_owned());
    // The receiver may have stopped waiting.
    thread.spawn(move || drop(sender.send(resolver(&name))))?;
    let found = found.await.map_err(io::Error::other)?;
    let mut addresses = found.map_err(|error| io::Error::new(io::ErrorKind::NotFound, error))?;
    let mut known = HashSet::new();
    addresses.retain(|&address| known.insert(address));
    Ok(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    const DEADLINE: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn a_name_server_that_does_not_answer_does_not_block_the_runtime() {
        let (answer, answered) = mpsc::channel();
        let silent = move |_: &str| answered.recv_timeout(DEADLINE).map_err(io::Error::other);
        let addresses = look_up("a.example:1".to_owned(), silent);
        let tick = async {
            tokio::task::yield_now().await;
            answer.send(vec![([192, 0, 2, 1], 1).into(); 2]).unwrap();
        };
        let (addresses, ()) = tokio::join!(addresses, tick);
        assert_eq!(addresses.unwrap(), [([192, 0, 2, 1], 1).into()]);
    }
}
