//! One timer for the changing deadlines of a connection (DECISION-24).

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep};

/// A timer that is reset only when it fires or when a shorter limit begins: it may be
/// set too early, never too late.
#[derive(Debug)]
pub(in crate::server) struct DeadlineTimer(Pin<Box<Sleep>>);

impl DeadlineTimer {
    pub(in crate::server) fn new(first: Instant) -> Self {
        Self(Box::pin(tokio::time::sleep_until(first)))
    }

    /// Ready once `deadline` has passed.
    pub(in crate::server) fn poll(
        &mut self,
        deadline: Instant,
        context: &mut Context<'_>,
    ) -> Poll<()> {
        if deadline < self.0.deadline() {
            self.0.as_mut().reset(deadline);
        }
        loop {
            ready!(self.0.as_mut().poll(context));
            if Instant::now() >= deadline {
                return Poll::Ready(());
            }
            self.0.as_mut().reset(deadline);
        }
    }
}
