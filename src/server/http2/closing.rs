//! The end of a connection after its last output (DECISION-25).

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::Instant;

use crate::server::admission::{ConnectionState, Phase};
use crate::server::time_limits::Linger;
use crate::server::transport::Transport;

/// A connection that is closing.
#[derive(Debug, Default)]
pub(super) struct Closing {
    /// `None` until the server has closed its side.
    linger: Option<Linger>,
}

impl Closing {
    /// Closes `stream`, then waits for the client's close, unless that is omitted.
    pub(super) fn poll(
        &mut self,
        stream: &mut impl Transport,
        omits_linger: bool,
        state: &ConnectionState,
        context: &mut Context<'_>,
    ) -> Poll<()> {
        if self.linger.is_none() {
            let shutdown = ready!(Pin::new(&mut *stream).poll_shutdown(context));
            if shutdown.is_err() || omits_linger {
                return Poll::Ready(());
            }
            state.enter(Phase::Close, Instant::now());
        }
        self.linger.get_or_insert_with(Linger::new).poll_discard(stream, context)
    }
}
