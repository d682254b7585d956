//! One timer for the changing deadlines of a connection (DECISION-24).

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

/// If a timer fires this long after its deadline, the process was stopped, for example by SIGSTOP
/// or with its container.
const STOPPED_AFTER: Duration = Duration::from_millis(100);

/// The time in which a process that was stopped notices what has happened meanwhile: timers
/// fire before the runtime asks the kernel about sockets.
const CATCH_UP_TIME: Duration = Duration::from_millis(10);

/// A timer that is reset only when it fires or when a shorter limit begins: it may be
/// set too early, never too late.
#[derive(Debug)]
pub(in crate::server) struct DeadlineTimer {
    sleep: Pin<Box<Sleep>>,
    is_catching_up: bool,
}

impl DeadlineTimer {
    pub(in crate::server) fn new(first: Instant) -> Self {
        Self { sleep: Box::pin(tokio::time::sleep_until(first)), is_catching_up: false }
    }

    /// Ready once `deadline` has passed.
    pub(in crate::server) fn poll(
        &mut self,
        deadline: Instant,
        context: &mut Context<'_>,
    ) -> Poll<()> {
        if deadline < self.sleep.deadline() && !self.is_catching_up {
            self.sleep.as_mut().reset(deadline);
        }
        loop {
            ready!(self.sleep.as_mut().poll(context));
            let now = Instant::now();
            let next = if now < deadline {
                deadline
            } else if self.is_catching_up || now < deadline + STOPPED_AFTER {
                return Poll::Ready(());
            } else {
                now + CATCH_UP_TIME
            };
            self.is_catching_up = now >= deadline;
            self.sleep.as_mut().reset(next);
        }
    }
}
