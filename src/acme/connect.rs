//! A TCP connection to a server with several addresses.

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use tokio::net::{TcpStream, lookup_host};
use tokio::task::{JoinError, JoinSet};
use tokio::time::timeout;

use super::target::Target;
use crate::operator_file;

/// Time for which an address may stay silent before the next one is tried as well
/// (RFC 8305 §8).
const ATTEMPT_DELAY: Duration = Duration::from_millis(250);

/// Connects to `target`. An address that never answers, as over a broken IPv6 route,
/// hardly delays the connection.
pub(super) async fn connect(target: &Target) -> io::Result<TcpStream> {
    let addresses = lookup_host((target.host.as_str(), target.port)).await.map_err(explain)?;
    first(addresses, TcpStream::connect).await
}

/// Adds to the `error` of a lookup whether the sandbox is its reason.
fn explain(error: io::Error) -> io::Error {
    let file = Path::new("/etc/resolv.conf");
    match operator_file::read(file) {
        Err(denied) if denied.kind() == io::ErrorKind::PermissionDenied => {
            let (file, remedy) = (file.display(), operator_file::remedy(file, &denied));
            io::Error::other(format!("{error}; cannot read {file}: {denied}; {remedy}"))
        }
        _ => error,
    }
}

/// The first connection to one of `addresses`, which are tried in their order.
async fn first<S, F>(
    addresses: impl Iterator<Item = SocketAddr>,
    connect: impl Fn(SocketAddr) -> F,
) -> io::Result<S>
where
    S: Send + 'static,
    F: Future<Output = io::Result<S>> + Send + 'static,
{
    let mut last_error = io::Error::other("the name has no address");
    let mut attempts = JoinSet::new();
    for address in addresses {
        attempts.spawn(connect(address));
        if let Ok(Some(ended)) = timeout(ATTEMPT_DELAY, attempts.join_next()).await {
            match flatten(ended) {
                Ok(stream) => return Ok(stream),
                Err(error) => last_error = error,
            }
        }
    }
    while let Some(ended) = attempts.join_next().await {
        match flatten(ended) {
            Ok(stream) => return Ok(stream),
            Err(error) => last_error = error,
        }
    }
    Err(last_error)
}

fn flatten<S>(ended: Result<io::Result<S>, JoinError>) -> io::Result<S> {
    ended.unwrap_or_else(|error| Err(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::future::pending;
    use std::time::Duration;

    use tokio::time::{Instant, sleep, timeout};

    fn address(number: u16) -> SocketAddr {
        ([192, 0, 2, 1], number).into()
    }

    /// Connects to one address for each of `answers`, from `address(0)` on. `None` never
    /// answers. `Some` accepts or refuses the connection after a number of milliseconds.
    async fn connected(answers: &[Option<(u64, bool)>]) -> io::Result<SocketAddr> {
        let addresses: Vec<SocketAddr> = (0..).map(address).take(answers.len()).collect();
        let answers: HashMap<SocketAddr, _> =
            addresses.iter().copied().zip(answers.iter().copied()).collect();
        let connect = |address| {
            let answer = answers[&address];
            async move {
                let Some((milliseconds, is_accepted)) = answer else { pending().await };
                sleep(Duration::from_millis(milliseconds)).await;
                if is_accepted { Ok(address) } else { Err(io::Error::other(address.to_string())) }
            }
        };
        let result = timeout(Duration::from_secs(30), first(addresses.into_iter(), connect)).await;
        result.unwrap_or_else(|_| Err(io::Error::other("no answer")))
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_never_answers_delays_the_next_one_for_a_short_time() {
        let begun = Instant::now();
        let answers = [None, None, None, Some((10, true))];
        assert_eq!(connected(&answers).await.unwrap(), address(3));
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_answers_late_is_used_if_no_other_one_does() {
        let answers = [Some((2000, true)), Some((0, false)), None];
        assert_eq!(connected(&answers).await.unwrap(), address(0));
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_address_is_preferred_and_a_refused_connection_leads_to_the_next_one() {
        assert_eq!(connected(&[Some((100, true)), Some((0, true))]).await.unwrap(), address(0));
        let begun = Instant::now();
        let answers = [Some((0, false)), Some((0, false)), Some((0, true))];
        assert_eq!(connected(&answers).await.unwrap(), address(2));
        assert!(begun.elapsed() < Duration::from_millis(10), "{:?}", begun.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn without_any_connection_the_last_error_is_the_reason() {
        let error = connected(&[Some((0, false)), Some((0, false))]).await.unwrap_err();
        assert_eq!(error.to_string(), address(1).to_string());
        assert!(connected(&[]).await.unwrap_err().to_string().contains("no address"));
    }
}
