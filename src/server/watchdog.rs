//! Ends a connection that exceeds a time limit (WIRE-25), or that the server has no more time or
//! space for.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::time::{Instant, Sleep};

use super::activity::{Activity, Command, Wait};
use super::limits::Limits;

/// The part of the drain limit that is left for incomplete heads and handshakes, and for clients of
/// HTTP/2 to confirm GOAWAY: a tenth, by default 1 s. A client that sends half a request and stops
/// must not hold a restart up.
const DRAIN_HEAD_DIVISOR: u32 = 10;

/// What a connection has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Tell the client that the connection ends, and close it once it is idle.
    Finish,
    /// Close now.
    Abort,
}

/// The time limits of one connection. There is one timer for all of them (DECISION-24): it is reset
/// only when it fires or when a shorter limit begins, so a request that is answered without a pause
/// needs no timer operation.
#[derive(Debug)]
pub(super) struct Watchdog<'a> {
    activity: &'a Activity,
    limits: Limits,
    timer: Pin<Box<Sleep>>,
    period: Option<Period>,
    /// When the server gave [`Command::Finish`].
    finish: Option<Instant>,
    /// True once [`Verdict::Finish`] was returned.
    is_finishing: bool,
}

/// A time in which the server waits for a client that has to read a response.
#[derive(Clone, Copy, Debug)]
struct Period {
    begun: Instant,
    /// [`Activity::sent`] and [`Activity::taken`] at its begin.
    sent: u64,
    taken: u64,
}

impl<'a> Watchdog<'a> {
    pub(super) fn new(activity: &'a Activity, limits: Limits) -> Self {
        let timer = Box::pin(tokio::time::sleep(limits.header_timeout));
        Self { activity, limits, timer, period: None, finish: None, is_finishing: false }
    }

    /// The output of `work`; `None` if it takes too long. Work that cannot end early, such as a handshake, is
    /// not told to finish.
    pub(super) async fn limit<F: Future>(&mut self, work: F) -> Option<F::Output> {
        let mut work = pin!(work);
        poll_fn(|context| {
            loop {
                if let Poll::Ready(output) = work.as_mut().poll(context) {
                    return Poll::Ready(Some(output));
                }
                if ready!(self.poll(context)) == Verdict::Abort {
                    return Poll::Ready(None);
                }
            }
        })
        .await
    }

    /// Called after the connection's own work, in each turn of its task. Ready with
    /// [`Verdict::Finish`] at most once.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Verdict> {
        self.activity.register(context.waker());
        match self.activity.command() {
            Command::Serve | Command::Announce => {}
            Command::Finish => {
                self.finish.get_or_insert_with(Instant::now);
                if self.begin_finish() {
                    return Poll::Ready(Verdict::Finish);
                }
            }
            Command::Abort => return Poll::Ready(Verdict::Abort),
        }
        loop {
            let deadline = self.deadline();
            if deadline < self.timer.deadline() {
                self.timer.as_mut().reset(deadline);
            }
            ready!(self.timer.as_mut().poll(context));
            if Instant::now() >= deadline {
                let verdict = if self.begin_finish() { Verdict::Finish } else { Verdict::Abort };
                return Poll::Ready(verdict);
            }
            self.timer.as_mut().reset(deadline);
        }
    }

    /// True for the first call, but not while a head is incomplete: hyper would close a connection
    /// whose first request is still on its way.
    fn begin_finish(&mut self) -> bool {
        self.activity.wait() != Wait::Head && !std::mem::replace(&mut self.is_finishing, true)
    }

    /// The time at which the current wait ends; a wait for a reader begins its period.
    fn deadline(&mut self) -> Instant {
        let wait = self.activity.wait();
        let limit = match wait {
            Wait::Reader => return self.response_deadline(),
            Wait::Head => self.limits.header_timeout,
            Wait::Idle => self.limits.idle_timeout,
        };
        self.period = None;
        let since = self.activity.since();
        let deadline = since + limit;
        match self.finish {
            None => deadline,
            Some(finish) => {
                let drain_limit = self.limits.drain_timeout / DRAIN_HEAD_DIVISOR;
                // A head that begins later has a tenth of its own.
                deadline.min(finish.max(since) + drain_limit)
            }
        }
    }

    /// The end of the period in which the client has to read at the minimum rate. Begins the next period if
    /// the average rate since the begin of this one is high enough. No byte at all is a rate of 0, so the
    /// period is the limit on time without progress, too.
    fn response_deadline(&mut self) -> Instant {
        let now = Instant::now();
        let (sent, taken) = (self.activity.sent(), self.activity.taken());
        let next = Period { begun: now, sent, taken };
        let period = self.period.get_or_insert(next);
        // While the socket is full, only the socket's bytes show how fast the client reads. A client
        // of HTTP/2 that opens no window never fills the socket.
        let is_full = self.activity.is_full();
        let read_bytes = if is_full { sent - period.sent } else { taken - period.taken };
        let allowed = Duration::from_millis(read_bytes * 1000 / Limits::WRITE_RATE_MIN);
        if read_bytes > 0 && now <= period.begun + allowed {
            *period = next;
        }
        period.begun + self.limits.write_timeout
    }
}
