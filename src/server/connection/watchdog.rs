//! Ends a connection that exceeds a time limit (WIRE-25), or that the drain has no time for.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::sync::watch;
use tokio::time::{Instant, Sleep};

use super::activity::Activity;
use crate::server::admission::{Phase, Wait};
use crate::server::limits::{DRAIN_HEAD_DIVISOR, Limits};

/// The time limits of one connection. There is one timer for all of them (DECISION-24): it is reset
/// only when it fires or when a shorter limit begins, so a request that is answered without a pause
/// needs no timer operation.
#[derive(Debug)]
pub(in crate::server) struct Watchdog<'a> {
    activity: &'a Activity,
    limits: Limits,
    timer: Pin<Box<Sleep>>,
    phase: watch::Receiver<Phase>,
    /// When the connection had to finish.
    finish_begun: Option<Instant>,
    /// True once that was said.
    is_finishing: bool,
}

/// What became of the work of a connection.
#[derive(Debug)]
pub(super) enum Verdict<T> {
    /// It is done.
    Done(T),
    /// It has to end as soon as its responses are complete. Said at most once.
    Finish,
    /// It has no more time.
    Abort,
}

impl<'a> Watchdog<'a> {
    pub(in crate::server) fn new(activity: &'a Activity, limits: Limits) -> Self {
        Self {
            activity,
            limits,
            timer: Box::pin(tokio::time::sleep(limits.header_timeout)),
            phase: activity.phases(),
            finish_begun: None,
            is_finishing: false,
        }
    }

    /// The output of `work`, which cannot end early; `None` if it has no more time.
    pub(super) async fn complete<F: Future>(&mut self, mut work: Pin<&mut F>) -> Option<F::Output> {
        loop {
            match self.guard(work.as_mut()).await {
                Verdict::Done(output) => return Some(output),
                Verdict::Finish => {}
                Verdict::Abort => return None,
            }
        }
    }

    /// Polls `work` until it is done, has to finish, or exceeds a limit.
    pub(super) async fn guard<F: Future>(&mut self, mut work: Pin<&mut F>) -> Verdict<F::Output> {
        let mut phase = self.phase.clone();
        loop {
            tokio::select! {
                biased;
                _ = phase.changed() => self.activity.set_phase(*phase.borrow()),
                verdict = poll_fn(|context| self.poll_turn(work.as_mut(), context)) => {
                    return verdict;
                }
            }
        }
    }

    /// One turn of the connection's task.
    fn poll_turn<F: Future>(
        &mut self,
        work: Pin<&mut F>,
        context: &mut Context<'_>,
    ) -> Poll<Verdict<F::Output>> {
        let output = work.poll(context);
        self.activity.end_turn();
        if let Poll::Ready(output) = output {
            return Poll::Ready(Verdict::Done(output));
        }
        if self.activity.phase() >= Phase::Finish {
            self.finish_begun.get_or_insert_with(Instant::now);
            if self.may_finish() {
                return Poll::Ready(self.finish());
            }
        }
        loop {
            let deadline = self.deadline();
            if deadline < self.timer.deadline() {
                self.timer.as_mut().reset(deadline);
            }
            ready!(self.timer.as_mut().poll(context));
            if Instant::now() >= deadline {
                let may_finish = self.may_finish();
                return Poll::Ready(if may_finish { self.finish() } else { Verdict::Abort });
            }
            self.timer.as_mut().reset(deadline);
        }
    }

    /// False once the connection finishes, and while a head is incomplete: hyper would close a
    /// connection whose first request is still on its way.
    fn may_finish(&self) -> bool {
        !self.is_finishing && self.activity.wait() != Wait::Head
    }

    fn finish<T>(&mut self) -> Verdict<T> {
        self.is_finishing = true;
        self.finish_begun.get_or_insert_with(Instant::now);
        Verdict::Finish
    }

    /// The time at which the current wait ends.
    fn deadline(&self) -> Instant {
        let activity = &self.activity;
        let since = activity.since();
        let limit = match activity.wait() {
            Wait::Write => return since + self.limits.write_timeout,
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
    use crate::server::admission::Connections;
    use crate::server::peer::Peer;

    #[tokio::test(start_paused = true)]
    async fn an_incomplete_head_and_what_follows_a_late_response_have_a_tenth_of_the_drain_limit() {
        for late in [0, 5] {
            let connections = Connections::new(&Limits::DEFAULT);
            connections.begin(Phase::Finish);
            let activity = Activity::new(connections.admit_beyond_cap(Peer::Unix));
            let begun = Instant::now();
            let mut work = pin!(async {
                if late > 0 {
                    activity.begin_response();
                    tokio::time::sleep(Duration::from_secs(late)).await;
                    activity.end_response();
                }
                std::future::pending::<()>().await;
            });
            let mut watchdog = Watchdog::new(&activity, Limits::DEFAULT);
            assert_eq!(watchdog.complete(work.as_mut()).await, None);
            assert_eq!(begun.elapsed().as_secs_f64().round(), (late + 1) as f64);
        }
    }
}
