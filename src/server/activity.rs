//! What a connection is doing. Its own task records it; admission and the drain, which may run on
//! other threads, read it and give commands.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::task::Waker;
use std::time::Duration;

use atomic_waker::AtomicWaker;
use tokio::time::Instant;

use super::limits::{IN_FLIGHT_MAX_BYTES, KEPT_MAX_BYTES};

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// The rest of a request's head, or of the handshake.
    Head,
    /// Another request.
    Idle,
    /// The client, which has to read a response.
    Reader,
}

/// An instruction from the server to a connection. Each includes the earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Command {
    /// Serve requests.
    #[default]
    Serve,
    /// Announce the end of the connection in each response.
    Announce,
    /// End once the responses are complete.
    Finish,
    /// End now.
    Abort,
}

/// The state of one connection. Only the connection's own thread writes it, except for the last two
/// fields.
#[derive(Debug)]
pub(super) struct Activity {
    /// True if the connection has to be idle before it may be closed for another.
    pub(super) is_protected: bool,
    /// Origin of `since`.
    begun: Instant,
    /// Milliseconds from `begun` to the last progress before this turn of the task (WIRE-25).
    since: AtomicU64,
    /// True if there was progress in this turn. The clock is read once for a turn, because reading
    /// it several times for a response takes 2 % of its time.
    has_progressed: AtomicBool,
    is_http2: AtomicBool,
    /// True from the first byte of a request to the end of its head.
    has_begun_head: AtomicBool,
    /// Responses whose content hyper has not taken yet.
    responses: AtomicUsize,
    /// True if the socket takes no more bytes.
    is_full: AtomicBool,
    /// Content that hyper or h2 took, less the bytes that the socket took since: at most the
    /// content that waits between them, and one frame, because h2 takes a large frame only after
    /// the socket took the last.
    unsent: AtomicUsize,
    /// Bytes that the connection may keep until it ends.
    kept: AtomicUsize,
    command: AtomicU8,
    waker: AtomicWaker,
}

impl Activity {
    /// A client connects in order to send a request, so the first head begins with the connection.
    pub(super) fn new(is_protected: bool) -> Self {
        Self {
            is_protected,
            begun: Instant::now(),
            since: AtomicU64::new(0),
            has_progressed: AtomicBool::new(false),
            is_http2: AtomicBool::new(false),
            has_begun_head: AtomicBool::new(true),
            responses: AtomicUsize::new(0),
            is_full: AtomicBool::new(false),
            unsent: AtomicUsize::new(0),
            kept: AtomicUsize::new(0),
            command: AtomicU8::new(Command::Serve as u8),
            waker: AtomicWaker::new(),
        }
    }

    pub(super) fn wait(&self) -> Wait {
        if self.responses.load(Relaxed) > 0 || self.is_full.load(Relaxed) {
            Wait::Reader
        } else if self.has_begun_head.load(Relaxed) {
            Wait::Head
        } else {
            Wait::Idle
        }
    }

    /// The time of the last progress, to the millisecond.
    pub(super) fn since(&self) -> Instant {
        if self.has_progressed.load(Relaxed) {
            return Instant::now();
        }
        self.begun + Duration::from_millis(self.since.load(Relaxed))
    }

    fn progress(&self) {
        self.has_progressed.store(true, Relaxed);
    }

    /// Ends a turn of the connection's task.
    pub(super) fn end_turn(&self) {
        if self.has_progressed.load(Relaxed) {
            self.since.store(self.begun.elapsed().as_millis() as u64, Relaxed);
            self.has_progressed.store(false, Relaxed);
        }
    }

    /// Records that the handshake has chosen HTTP/2.
    pub(super) fn choose_http2(&self) {
        self.is_http2.store(true, Relaxed);
    }

    pub(super) fn is_http2(&self) -> bool {
        self.is_http2.load(Relaxed)
    }

    /// Records that bytes arrived.
    pub(super) fn record_received(&self) {
        if self.is_http2() {
            // Frames without a request do not prolong the idle limit.
            if self.has_begun_head.swap(false, Relaxed) {
                self.progress();
            }
        } else if self.wait() == Wait::Idle {
            self.has_begun_head.store(true, Relaxed);
            self.progress();
        }
    }

    /// Records that `count` bytes of HTTP/2 arrived that may be kept.
    pub(super) fn record_kept(&self, count: usize) {
        self.kept.fetch_add(count, Relaxed);
    }

    /// True if a connection with HTTP/2 has to end, because of the memory that it may hold
    /// (WIRE-35).
    pub(super) fn has_received_enough(&self) -> bool {
        self.kept.load(Relaxed) > KEPT_MAX_BYTES
    }

    /// True if the client has since sent more than it could send before it sees GOAWAY.
    pub(super) fn has_received_too_much(&self) -> bool {
        self.kept.load(Relaxed) > KEPT_MAX_BYTES + IN_FLIGHT_MAX_BYTES
    }

    /// Records that a head is complete and its response begins.
    pub(super) fn begin_response(&self) {
        // Further requests of a client that does not read are no progress.
        if self.wait() != Wait::Reader {
            self.progress();
        }
        self.has_begun_head.store(false, Relaxed);
        self.responses.fetch_add(1, Relaxed);
    }

    /// Records that hyper took `count` bytes of a response's content, into its buffer or into the
    /// socket.
    pub(super) fn record_taken(&self, count: usize) {
        self.unsent.fetch_add(count, Relaxed);
        // A client that opens no window of HTTP/2 never fills the socket.
        if self.is_http2() {
            self.progress();
        }
    }

    /// Records that hyper took the whole content of a response, or dropped it.
    pub(super) fn end_response(&self) {
        self.responses.fetch_sub(1, Relaxed);
        self.progress();
    }

    /// Records that the socket took `count` bytes.
    pub(super) fn record_sent(&self, count: usize) {
        let unsent = self.unsent.load(Relaxed);
        self.unsent.store(unsent.saturating_sub(count), Relaxed);
        // With HTTP/2, these may be mere answers to frames such as PING.
        let is_response = unsent > 0 || !self.is_http2();
        if self.is_full.swap(false, Relaxed) && is_response {
            self.progress();
        }
    }

    /// Records that the socket takes no bytes: it is full, or the task has to give others a turn
    /// first.
    pub(super) fn record_full(&self) {
        self.is_full.store(true, Relaxed);
    }

    pub(super) fn command(&self) -> Command {
        match self.command.load(Relaxed) {
            0 => Command::Serve,
            1 => Command::Announce,
            2 => Command::Finish,
            _ => Command::Abort,
        }
    }

    /// Gives a command and wakes the connection's task. A later command never weakens an earlier
    /// one.
    pub(super) fn give(&self, command: Command) {
        if self.command.fetch_max(command as u8, Relaxed) < command as u8 {
            self.waker.wake();
        }
    }

    /// Registers the waker that [`Self::give`] wakes.
    pub(super) fn register(&self, waker: &Waker) {
        self.waker.register(waker);
    }
}
