//! Ends a connection that exceeds a time limit (WIRE-25), that has to make room for another, or
//! that the drain has no time for.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep};

use super::activity::{Activity, Command, Wait};
use super::limits::{DRAIN_HEAD_DIVISOR, Limits};

/// The time limits of one connection. There is one timer for all of them (DECISION-24): it is reset
/// only when it fires or when a shorter limit begins, so a request that is answered without a pause
/// needs no timer operation.
#[derive(Debug)]
pub(super) struct Watchdog<'a> {
    activity: &'a Activity,
    limits: Limits,
    timer: Pin<Box<Sleep>>,
    /// When [`Command::Finish`] was given.
    finish_begun: Option<Instant>,
    /// True once `work` was asked to end early.
    is_finishing: bool,
}

impl<'a> Watchdog<'a> {
    pub(super) fn new(activity: &'a Activity, limits: Limits) -> Self {
        let timer = Box::pin(tokio::time::sleep(limits.header_timeout));
        Self { activity, limits, timer, finish_begun: None, is_finishing: false }
    }

    /// The output of `work`; `None` if it exceeds a limit or is aborted. `finish` asks `work` to
    /// end early.
    pub(super) async fn guard<F: Future>(
        &mut self,
        mut work: Pin<&mut F>,
        finish: fn(Pin<&mut F>),
    ) -> Option<F::Output> {
        poll_fn(|context| {
            loop {
                if let Poll::Ready(output) = work.as_mut().poll(context) {
                    return Poll::Ready(Some(output));
                }
                if ready!(self.poll(context)) == Command::Abort {
                    return Poll::Ready(None);
                }
                finish(work.as_mut());
            }
        })
        .await
    }

    /// Called after the connection's own work, in each turn of its task. Ready with
    /// [`Command::Abort`], and at most once with [`Command::Finish`].
    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Command> {
        self.activity.end_turn();
        self.activity.register(context.waker());
        match self.activity.command() {
            Command::Serve | Command::Announce => {}
            Command::Finish => {
                self.finish_begun.get_or_insert_with(Instant::now);
                if self.may_finish() {
                    self.is_finishing = true;
                    return Poll::Ready(Command::Finish);
                }
            }
            Command::Abort => return Poll::Ready(Command::Abort),
        }
        loop {
            let deadline = self.deadline();
            if deadline < self.timer.deadline() {
                self.timer.as_mut().reset(deadline);
            }
            ready!(self.timer.as_mut().poll(context));
            if Instant::now() >= deadline {
                // This wakes the task. At an abort it has one more turn, in which a socket that
                // lingers ends.
                let command = if self.may_finish() { Command::Finish } else { Command::Abort };
                self.activity.give(command);
                return Poll::Pending;
            }
            self.timer.as_mut().reset(deadline);
        }
    }

    /// False once the connection finishes, and while a head is incomplete: hyper would close a
    /// connection whose first request is still on its way.
    fn may_finish(&self) -> bool {
        !self.is_finishing && self.activity.wait() != Wait::Head
    }

    /// The time at which the current wait ends.
    fn deadline(&self) -> Instant {
        let since = self.activity.since();
        let limit = match self.activity.wait() {
            Wait::Reader => return since + self.limits.write_timeout,
            Wait::Head => self.limits.header_timeout,
            Wait::Idle => self.limits.idle_timeout,
        };
        let deadline = since + limit;
        match self.finish_begun {
            None => deadline,
            Some(begun) => {
                let drain_limit = self.limits.drain_timeout / DRAIN_HEAD_DIVISOR;
                // A head that begins later gets its own tenth.
                deadline.min(begun.max(since) + drain_limit)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_incomplete_head_and_what_follows_a_late_response_have_a_tenth_of_the_drain_limit() {
        for late in [0, 5] {
            let activity = Activity::new(false);
            activity.give(Command::Finish);
            // Weaker than the first command, so it has no effect.
            activity.give(Command::Announce);
            let begun = Instant::now();
            let work = pin!(async {
                if late > 0 {
                    activity.begin_response();
                    tokio::time::sleep(Duration::from_secs(late)).await;
                    activity.end_response();
                }
                std::future::pending::<()>().await;
            });
            assert_eq!(Watchdog::new(&activity, Limits::DEFAULT).guard(work, |_| {}).await, None);
            assert_eq!(begun.elapsed().as_secs_f64().round(), (late + 1) as f64);
        }
    }
}
