//! Ends a connection that exceeds a time limit (WIRE-25), or that the drain has no time for.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};

use tokio::sync::watch;
use tokio::task::unconstrained;
use tokio::time::{Instant, Sleep};

use super::activity::Activity;
use crate::server::admission::{Notice, Wait};
use crate::server::limits::{DRAIN_HEAD_DIVISOR, Limits};

/// The time limits of one connection. There is one timer for all of them (DECISION-24): it is reset
/// only when it fires or when a shorter limit begins, so a request that is answered without a pause
/// needs no timer operation.
#[derive(Debug)]
pub(super) struct Watchdog<'a> {
    activity: &'a Activity,
    limits: Limits,
    timer: Pin<Box<Sleep>>,
    notices: watch::Receiver<Notice>,
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
    pub(super) fn new(activity: &'a Activity, limits: Limits) -> Self {
        let mut notices = activity.permit.connections.notices();
        activity.notice.set(*notices.borrow_and_update());
        let timer = Box::pin(tokio::time::sleep(limits.header_timeout));
        Self { activity, limits, timer, notices, finish_begun: None, is_finishing: false }
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
        loop {
            let mut notices = self.notices.clone();
            let mut changed = pin!(unconstrained(notices.changed()));
            // In each turn, because one notice may wake a task twice, the second time without news.
            let verdict = poll_fn(|context| match changed.as_mut().poll(context) {
                Poll::Ready(_) => Poll::Ready(None),
                Poll::Pending => self.poll_turn(work.as_mut(), context).map(Some),
            });
            match verdict.await {
                Some(verdict) => return verdict,
                None => self.activity.notice.set(*self.notices.borrow_and_update()),
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
        if self.activity.has_to_finish() {
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
        let since = self.activity.since();
        let Limits { header_timeout, idle_timeout, write_timeout, drain_timeout, .. } = self.limits;
        let Some(begun) = self.finish_begun else {
            return since
                + match self.activity.wait() {
                    Wait::Write => write_timeout,
                    Wait::Head => header_timeout,
                    Wait::Idle => idle_timeout,
                };
        };
        // A head that begins later gets its own tenth.
        let end = begun.max(since) + drain_timeout / DRAIN_HEAD_DIVISOR;
        let end = match self.activity.wait() {
            Wait::Write => since + write_timeout,
            Wait::Head => end.min(since + header_timeout),
            // The idle limit may be over: the client has to confirm GOAWAY.
            Wait::Idle => end,
        };
        // A client that goes on, or takes a byte now and then, would keep its part of the pool.
        let is_in_the_way = self.activity.is_in_the_way();
        if is_in_the_way { end.min(begun + write_timeout) } else { end }
    }
}
