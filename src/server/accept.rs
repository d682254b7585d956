//! Accepts connections for one worker until the drain, and then those that were waiting.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::admission::{Connections, OpenConnection};
use super::listen::{Accepted, Listener, RegisteredListener, Scheme};
use super::socket::Transport;
use crate::output::report;

/// Pauses after an accept error that does not concern one client, such as a
/// full table of open files. Each is twice as long as the one before.
const PAUSE_MIN: Duration = Duration::from_millis(5);
const PAUSE_MAX: Duration = Duration::from_secs(1);

/// Minimum interval between reports of accept errors.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Hands each connection of `listener` to `serve`. Ends once the drain has begun and no connection
/// is waiting. `connections` waits for this from the call on, not from the first poll on.
pub(super) fn accept(
    connections: Arc<Connections>,
    listener: Listener,
    mut draining: watch::Receiver<bool>,
    serve: impl Fn(Box<dyn Transport>, Scheme, Arc<OpenConnection>) + Send,
) -> impl Future<Output = io::Result<()>> + Send {
    let guard = connections.register_acceptor();
    async move {
        let _guard = guard;
        let mut pauses = Pauses::default();
        let mut listener = listener.register()?;
        loop {
            let (transport, peer, scheme) = tokio::select! {
                biased;
                _ = draining.wait_for(|&draining| draining) => break,
                accepted = accept_next(&mut listener, &mut pauses) => accepted,
            };
            let connection = tokio::select! {
                biased;
                _ = draining.wait_for(|&draining| draining) => connections.admit_beyond_cap(peer),
                connection = connections.admit(peer) => connection,
            };
            serve(transport, scheme, connection);
        }
        loop {
            match listener.accept_waiting() {
                Ok(None) => return Ok(()),
                Ok(Some((transport, peer, scheme))) => {
                    serve(transport, scheme, connections.admit_beyond_cap(peer));
                    // Connections may keep arriving: yielding lets the drain limit apply.
                    tokio::task::yield_now().await;
                }
                Err(error) => pauses.wait_after(&error).await,
            }
        }
    }
}

async fn accept_next(listener: &mut RegisteredListener, pauses: &mut Pauses) -> Accepted {
    loop {
        match listener.accept().await {
            Ok(accepted) => {
                pauses.next = PAUSE_MIN;
                return accepted;
            }
            Err(error) => pauses.wait_after(&error).await,
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
