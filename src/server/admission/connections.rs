//! Admission: which connections are open, and which one is closed for a new one
//! when the cap is reached (HTTP-26).

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::connection_state::{Command, ConnectionState, Phase, Standing};
use super::connection_table::{Choice, Table};
use crate::server::client::{Client, Peer};
use crate::server::limits::Limits;

/// Connections beyond the cap, for when every connection within it is protected
/// and busy. They are not protected themselves, so that a new client, such as a
/// health check, always gets one.
pub(super) const RESERVE: usize = 16;

/// Interval between checks: for a connection to close, and whether all have settled.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// Attempts after which connections that were asked to end are closed although
/// they became busy: after 100 ms.
const ATTEMPTS_UNTIL_INSISTING: usize = 20;

/// All open connections of the process.
#[derive(Debug)]
pub(in crate::server) struct Connections {
    max: usize,
    /// True if TCP peers are proxies, whose connections are closed only if idle.
    tcp_is_protected: bool,
    epoch: Instant,
    table: Mutex<Table>,
    /// Signals each end of a connection or of an acceptor.
    departures: Notify,
    is_draining: AtomicBool,
}

impl Connections {
    pub(in crate::server) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            max: limits.max_connections.get(),
            tcp_is_protected: limits.trusted_proxies > 0,
            epoch: Instant::now(),
            table: Mutex::default(),
            departures: Notify::new(),
            is_draining: AtomicBool::new(false),
        })
    }

    /// Opens a connection for `peer`. At the cap it closes another one first,
    /// and waits until that one has ended.
    pub(in crate::server) async fn admit(self: &Arc<Self>, peer: Peer) -> OpenConnection {
        let client = Client::from(peer);
        for attempt in 0_usize.. {
            let departure = self.departures.notified();
            {
                let mut table = self.lock();
                if table.open < self.max {
                    return self.open(&mut table, peer, self.standing(peer));
                }
                if attempt > 0 && attempt.is_multiple_of(ATTEMPTS_UNTIL_INSISTING) {
                    table.insist();
                }
                // Otherwise enough connections are about to end already.
                if table.open - table.leaving >= self.max {
                    match table.choose(client, self.max) {
                        Choice::Close(victim, command) => table.dismiss(&victim, command),
                        Choice::None if table.open < self.max + RESERVE => {
                            return self.open(&mut table, peer, Standing::Reserve);
                        }
                        Choice::Wait | Choice::None => {}
                    }
                }
            }
            if attempt == 0 {
                // One turn of the runtime may be enough for the other connection to
                // end, or for a new one to send its request.
                tokio::task::yield_now().await;
            }
            let _ = tokio::time::timeout(RETRY_INTERVAL, departure).await;
        }
        std::future::pending().await
    }

    /// Opens a connection that was waiting when the drain began: the cap does
    /// not apply to it any more.
    pub(in crate::server) fn admit_beyond_cap(self: &Arc<Self>, peer: Peer) -> OpenConnection {
        self.open(&mut self.lock(), peer, Standing::Protected)
    }

    fn standing(&self, peer: Peer) -> Standing {
        match peer {
            Peer::Tcp(_) if !self.tcp_is_protected => Standing::Ordinary,
            _ => Standing::Protected,
        }
    }

    fn open(self: &Arc<Self>, table: &mut Table, peer: Peer, standing: Standing) -> OpenConnection {
        let state = Arc::new(ConnectionState::new(Client::from(peer), standing, self.epoch));
        if table.command != Command::Serve {
            state.give(table.command);
        }
        table.insert(Arc::clone(&state));
        OpenConnection { state, peer, connections: Arc::clone(self) }
    }

    /// Registers a source of new connections, which the drain waits for.
    pub(in crate::server) fn register_acceptor(self: &Arc<Self>) -> AcceptorGuard {
        self.lock().acceptors += 1;
        AcceptorGuard(Arc::clone(self))
    }

    /// From now on, each response announces the end of its connection.
    pub(in crate::server) fn begin_drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Gives `command` to each connection, including new ones.
    pub(in crate::server) fn give_all(&self, command: Command) {
        let mut table = self.lock();
        table.command = command;
        for connection in table.all() {
            connection.give(command);
        }
    }

    /// Waits until all acceptors have ended, and each connection that is open waits for its
    /// client to take a response, or to close. [`Command::Settle`] has been given to all.
    pub(in crate::server) async fn settled(&self) {
        let is_settled = |table: &Table| {
            table.acceptors == 0 && table.all().all(|connection| connection.is_settled())
        };
        while !is_settled(&self.lock()) {
            tokio::time::sleep(RETRY_INTERVAL).await;
        }
    }

    /// True if a response is not sent in full, or a request may be unread.
    pub(in crate::server) fn is_unfinished(&self) -> bool {
        let table = self.lock();
        table.acceptors > 0 || table.all().any(|connection| connection.phase().0 != Phase::Close)
    }

    /// Number of open connections.
    pub(in crate::server) fn open_count(&self) -> usize {
        self.lock().open
    }

    /// Waits until all acceptors have ended.
    pub(in crate::server) async fn accepting_ended(&self) {
        self.until(|table| table.acceptors == 0).await;
    }

    /// Waits until all acceptors and all connections have ended.
    pub(in crate::server) async fn all_ended(&self) {
        self.until(|table| table.acceptors == 0 && table.open == 0).await;
    }

    async fn until(&self, condition: impl Fn(&Table) -> bool) {
        loop {
            let mut departure = std::pin::pin!(self.departures.notified());
            departure.as_mut().enable();
            if condition(&self.lock()) {
                return;
            }
            departure.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An open connection, which counts towards the cap until this is dropped.
#[derive(Debug)]
pub(in crate::server) struct OpenConnection {
    pub(in crate::server) state: Arc<ConnectionState>,
    pub(in crate::server) peer: Peer,
    connections: Arc<Connections>,
}

impl OpenConnection {
    /// True if the next response has to announce the end of the connection.
    pub(in crate::server) fn is_ending(&self) -> bool {
        self.is_draining() || self.state.command() != Command::Serve
    }

    pub(in crate::server) fn is_draining(&self) -> bool {
        self.connections.is_draining()
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.connections.lock().remove(&self.state);
        self.connections.departures.notify_waiters();
    }
}

/// A registered acceptor; dropping this ends the registration.
#[derive(Debug)]
pub(in crate::server) struct AcceptorGuard(Arc<Connections>);

impl Drop for AcceptorGuard {
    fn drop(&mut self) {
        self.0.lock().acceptors -= 1;
        self.0.departures.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if the end begins soon while one connection is in `phase`, and another one closes.
    async fn settles(phase: Phase, has_settled: bool) -> bool {
        let connections = Connections::new(&Limits::default());
        let open = [phase, Phase::Close].map(|phase| {
            let connection = connections.admit_beyond_cap(Peer::Unix);
            connection.state.enter(phase, Instant::now());
            connection
        });
        let turn = async {
            tokio::time::sleep(RETRY_INTERVAL / 2).await;
            if has_settled {
                open[0].state.settle();
            }
        };
        let settled = tokio::time::timeout(RETRY_INTERVAL * 2, connections.settled());
        tokio::join!(turn, settled).1.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn the_end_waits_for_the_tasks_of_connections_and_not_for_their_clients() {
        assert!(settles(Phase::Close, false).await);
        assert!(settles(Phase::Write, true).await);
        assert!(!settles(Phase::Write, false).await, "the client may have read");
        for phase in [Phase::Idle, Phase::Head] {
            assert!(!settles(phase, true).await, "{phase:?}");
        }
    }
}
