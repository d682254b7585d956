//! Accepts connections for one worker until the drain, and then those that were
//! waiting.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::admission::{AcceptorGuard, Connections, OpenConnection};
use super::listen::{Accepted, Listener, RegisteredListener, Scheme};
use super::transport::Stream;
use crate::diagnostics::report;

/// Pauses after an accept error that does not concern one client, such as a
/// full table of open files. Each is twice as long as the one before.
const PAUSE_MIN: Duration = Duration::from_millis(5);
const PAUSE_MAX: Duration = Duration::from_secs(1);

/// Minimum interval between reports of accept errors.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Source of new connections.
#[derive(Debug)]
pub(super) struct Acceptor {
    connections: Arc<Connections>,
    guard: AcceptorGuard,
    reported: Option<Instant>,
}

impl Acceptor {
    pub(super) fn new(connections: &Arc<Connections>) -> Self {
        let guard = connections.register_acceptor();
        Self { connections: Arc::clone(connections), guard, reported: None }
    }

    /// Hands each connection of `listener` to `serve`. Ends once the drain has
    /// begun and no connection is waiting.
    pub(super) async fn run(
        mut self,
        listener: Listener,
        mut draining: watch::Receiver<bool>,
        serve: impl Fn(Stream, Scheme, OpenConnection),
    ) -> io::Result<()> {
        let mut listener = listener.register()?;
        loop {
            let (stream, peer, scheme) = tokio::select! {
                biased;
                _ = draining.wait_for(|&draining| draining) => break,
                accepted = self.accept(&mut listener) => accepted,
            };
            let connection = tokio::select! {
                biased;
                _ = draining.wait_for(|&draining| draining) => {
                    self.connections.admit_beyond_cap(peer)
                }
                connection = self.connections.admit(peer) => connection,
            };
            serve(stream, scheme, connection);
        }
        let mut listener = listener.deregister()?;
        let mut pause = PAUSE_MIN;
        loop {
            match listener.accept_waiting() {
                Ok(None) => break,
                Ok(Some((stream, peer, scheme))) => {
                    pause = PAUSE_MIN;
                    serve(stream, scheme, self.connections.admit_beyond_cap(peer));
                    // Connections may keep arriving: yielding lets the drain limit apply.
                    tokio::task::yield_now().await;
                }
                Err(error) => self.wait_after(&error, &mut pause).await,
            }
        }
        drop(listener);
        drop(self.guard);
        Ok(())
    }

    async fn accept(&mut self, listener: &mut RegisteredListener) -> Accepted {
        let mut pause = PAUSE_MIN;
        loop {
            match listener.accept().await {
                Ok(accepted) => return accepted,
                Err(error) => self.wait_after(&error, &mut pause).await,
            }
        }
    }

    /// Waits until it makes sense to accept again.
    async fn wait_after(&mut self, error: &io::Error, pause: &mut Duration) {
        if concerns_one_client(error) {
            return;
        }
        if self.reported.is_none_or(|reported| reported.elapsed() >= REPORT_INTERVAL) {
            self.reported = Some(Instant::now());
            report(format_args!("cannot accept connections: {error}; trying again"));
        }
        tokio::time::sleep(*pause).await;
        *pause = (*pause * 2).min(PAUSE_MAX);
    }
}

/// True if the next connection may succeed at once.
fn concerns_one_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    )
}
