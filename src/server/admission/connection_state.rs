//! The state of an open connection that its own task shares with admission and
//! shutdown, which may run on other threads.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::task::Waker;
use std::time::Duration;

use tokio::time::Instant;

use crate::server::client::Client;

/// The event that a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) enum Phase {
    /// Another request, or the client's close.
    Idle,
    /// The rest of a request's head.
    Head,
    /// Space in the send buffer: the client has to read.
    Write,
    /// The client's close, after the server's.
    Close,
}

impl Phase {
    /// Bits of the packed state that hold the phase.
    const BITS: u32 = 2;

    fn unpack(state: u64) -> Self {
        match state & ((1 << Self::BITS) - 1) {
            0 => Self::Idle,
            1 => Self::Head,
            2 => Self::Write,
            _ => Self::Close,
        }
    }
}

/// An instruction from the server to a connection. Each one includes those before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(in crate::server) enum Command {
    /// Serve requests.
    #[default]
    Serve,
    /// Announce the end on the next response; close once idle.
    Finish,
    /// As `Finish`, and close also while a head is incomplete, as soon as there
    /// is no data to read.
    Yield,
    /// As `Yield`, and record when a response cannot go on until its client acts.
    Settle,
    /// Close now.
    Abort,
}

/// The phases in which a connection may be closed for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Any.
    Ordinary,
    /// Idle or closing: the peer is a proxy, or a process on this machine.
    Protected,
    /// Any: the connection is beyond the cap, because the others are protected and busy.
    Reserve,
}

/// Shared state of one connection. Other threads look at it only at the cap and
/// during the drain.
#[derive(Debug)]
pub(in crate::server) struct ConnectionState {
    pub(super) client: Client,
    pub(super) standing: Standing,
    /// Index in the client's list; guarded by the lock of the table.
    pub(super) index: AtomicUsize,
    /// True if the connection was chosen to give way; guarded likewise.
    pub(super) is_leaving: AtomicBool,
    /// Origin of the times below.
    epoch: Instant,
    /// Milliseconds since `epoch`, shifted left, and the phase that began then.
    phase: AtomicU64,
    /// Bytes sent since the phase [`Phase::Write`] began.
    bytes_sent: AtomicU64,
    /// True if the request that is being answered has content.
    has_content: AtomicBool,
    command: AtomicU8,
    /// True once a response could not go on after [`Command::Settle`]. Not reset when it does,
    /// because the end looks only once at what a client has done.
    has_settled: AtomicBool,
    waker: Mutex<Option<Waker>>,
}

impl ConnectionState {
    pub(super) fn new(client: Client, standing: Standing, epoch: Instant) -> Self {
        let state = Self {
            client,
            standing,
            index: AtomicUsize::new(0),
            is_leaving: AtomicBool::new(false),
            epoch,
            phase: AtomicU64::new(0),
            bytes_sent: AtomicU64::new(0),
            has_content: AtomicBool::new(false),
            command: AtomicU8::new(Command::Serve as u8),
            has_settled: AtomicBool::new(false),
            waker: Mutex::new(None),
        };
        // A client connects in order to send a request.
        state.enter(Phase::Head, Instant::now());
        state
    }

    /// Records that `phase` began at `since`.
    pub(in crate::server) fn enter(&self, phase: Phase, since: Instant) {
        let since = since.saturating_duration_since(self.epoch).as_millis() as u64;
        self.phase.store(since << Phase::BITS | phase as u64, Ordering::Relaxed);
    }

    /// The current phase and its beginning, to the millisecond.
    pub(in crate::server) fn phase(&self) -> (Phase, Instant) {
        let state = self.phase.load(Ordering::Relaxed);
        (Phase::unpack(state), self.epoch + Duration::from_millis(state >> Phase::BITS))
    }

    pub(in crate::server) fn set_bytes_sent(&self, count: u64) {
        self.bytes_sent.store(count, Ordering::Relaxed);
    }

    /// Bytes sent since the phase [`Phase::Write`] began.
    pub(in crate::server) fn bytes_sent(&self) -> u64 {
        self.bytes_sent.load(Ordering::Relaxed)
    }

    /// Records that the request that is being answered has content. Either hyper
    /// has read it by the end of the response, or it closes the connection.
    pub(in crate::server) fn skip_content(&self) {
        self.has_content.store(true, Ordering::Relaxed);
    }

    /// True for the first call after [`Self::skip_content`].
    pub(in crate::server) fn take_content(&self) -> bool {
        self.has_content.load(Ordering::Relaxed) && self.has_content.swap(false, Ordering::Relaxed)
    }

    pub(in crate::server) fn command(&self) -> Command {
        match self.command.load(Ordering::Relaxed) {
            0 => Command::Serve,
            1 => Command::Finish,
            2 => Command::Yield,
            3 => Command::Settle,
            _ => Command::Abort,
        }
    }

    /// Gives a command and wakes the connection's task. A later command never
    /// weakens an earlier one.
    pub(super) fn give(&self, command: Command) {
        // The lock orders this with `register`: the task sees the command
        // either when it checks after registering, or by being woken.
        let waker = {
            let mut waker = self.lock_waker();
            self.command.fetch_max(command as u8, Ordering::Relaxed);
            waker.take()
        };
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// Records that the client has to read, or to open a window, before the response goes on. The
    /// caller has asked the kernel for what the client has done, after [`Command::Settle`].
    pub(in crate::server) fn settle(&self) {
        self.has_settled.store(true, Ordering::Relaxed);
    }

    /// True if the connection waits for its client to take a response, or to close. The phase
    /// alone is that of the task's last turn: the client may have acted since then.
    pub(in crate::server) fn is_settled(&self) -> bool {
        match self.phase().0 {
            Phase::Close => true,
            Phase::Write => self.has_settled.load(Ordering::Relaxed),
            Phase::Idle | Phase::Head => false,
        }
    }

    /// Registers the waker that [`Self::give`] wakes.
    pub(in crate::server) fn register(&self, waker: &Waker) {
        let mut registered = self.lock_waker();
        if registered.as_ref().is_none_or(|known| !known.will_wake(waker)) {
            *registered = Some(waker.clone());
        }
    }

    fn lock_waker(&self) -> std::sync::MutexGuard<'_, Option<Waker>> {
        self.waker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
