//! Accepts connections for one worker.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::coop::consume_budget;
use tokio::task::yield_now;

use super::admission::{Connections, OpenConnection};
use super::listen::{Listener, Scheme};
use super::socket::Transport;
use crate::output::report;

/// Pauses after an accept error that does not concern one client, such as a
/// full table of open files. Each is twice as long as the one before.
const PAUSE_MIN: Duration = Duration::from_millis(5);
const PAUSE_MAX: Duration = Duration::from_secs(1);

/// Minimum interval between reports of accept errors.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Hands each connection of `listener` to `serve`. Ends once `ending` is true and no connection is waiting.
/// `connections` waits for this from the call on, not from the first poll on.
pub(super) fn accept(
    connections: Arc<Connections>,
    listener: Listener,
    mut ending: watch::Receiver<bool>,
    serve: impl Fn(Box<dyn Transport>, Scheme, Arc<OpenConnection>) + Send,
) -> impl Future<Output = io::Result<()>> + Send {
    let guard = connections.register_acceptor();
    async move {
        let _guard = guard;
        let mut pauses = Pauses::default();
        let mut listener = listener.register()?;
        let mut end = pin!(async {
            let _ = ending.wait_for(|&ending| ending).await;
            // The runtime asks the kernel once more which sockets are ready.
            yield_now().await;
            // `accept` also returns without a connection when this task has to give others a turn.
            consume_budget().await;
        });
        loop {
            let accepted = tokio::select! {
                biased;
                accepted = listener.accept() => accepted,
                () = &mut end => return Ok(()),
            };
            match accepted {
                Ok((transport, peer, scheme)) => {
                    pauses.next = PAUSE_MIN;
                    let connection = connections.admit(peer).await;
                    serve(transport, scheme, connection);
                }
                Err(error) => pauses.wait_after(&error).await,
            }
        }
    }
}

/// The pauses after accept errors.
#[derive(Debug)]
struct Pauses {
    next: Duration,
    reported: Option<Instant>,
}

impl Default for Pauses {
    fn default() -> Self {
        Self { next: PAUSE_MIN, reported: None }
    }
}

impl Pauses {
    /// Waits until it makes sense to accept again.
    async fn wait_after(&mut self, error: &io::Error) {
        // The next connection may succeed at once.
        if matches!(
            error.kind(),
            io::ErrorKind::ConnectionAborted
                | io::ErrorKind::ConnectionReset
                | io::ErrorKind::Interrupted
        ) {
            return;
        }
        if self.reported.is_none_or(|reported| reported.elapsed() >= REPORT_INTERVAL) {
            self.reported = Some(Instant::now());
            report(format_args!("cannot accept connections: {error}; trying again"));
        }
        tokio::time::sleep(self.next).await;
        self.next = (self.next * 2).min(PAUSE_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The listening socket stays readable, so only the pauses keep a worker from using all of a
    /// processor.
    #[tokio::test(start_paused = true)]
    async fn the_pauses_after_accept_errors_grow_to_a_second() {
        let begun = tokio::time::Instant::now();
        let mut pauses = Pauses::default();
        for _ in 0..10 {
            pauses.wait_after(&io::Error::other("too many open files")).await;
        }
        // 5, 10, 20, … 640 ms, and two of a second.
        assert_eq!(begun.elapsed().as_millis(), 3275);
        pauses.wait_after(&io::ErrorKind::ConnectionAborted.into()).await;
        assert_eq!(begun.elapsed().as_millis(), 3275);
    }
}
