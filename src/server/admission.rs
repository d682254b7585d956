//! Admission: which connections are open, and which one is closed for a new one
//! when the cap is reached (HTTP-26).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::claim::Claim;
use super::client::{Client, Peer};
use super::connection_state::{Command, ConnectionState, Standing};
use super::limits::Limits;

/// Connections beyond the cap, for when every connection within it is protected
/// and busy. They are not protected themselves, so that a new client, such as a
/// health check, always gets one.
pub(super) const RESERVE: usize = 32;

/// Interval at which admission looks again for a connection to close.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// All open connections of the process.
#[derive(Debug)]
pub(super) struct Connections {
    max: usize,
    /// True if TCP peers are proxies, which lose idle connections only.
    tcp_is_protected: bool,
    epoch: Instant,
    table: Mutex<Table>,
    /// Signals each end of a connection or of an acceptor.
    departures: Notify,
    is_draining: AtomicBool,
}

#[derive(Debug, Default)]
struct Table {
    clients: HashMap<Client, Vec<Arc<ConnectionState>>>,
    open: usize,
    acceptors: usize,
    /// True once every connection has been told to finish.
    is_finishing: bool,
}

impl Connections {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
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
    pub(super) async fn admit(self: &Arc<Self>, peer: Peer) -> OpenConnection {
        let mut has_yielded = false;
        loop {
            let departure = self.departures.notified();
            let is_waiting = {
                let mut table = self.lock();
                if table.open < self.max {
                    return self.open(&mut table, peer, self.standing(peer));
                }
                match table.choose(Client::from(peer), self.max) {
                    Choice::Close(victim, command) => {
                        victim.give(command);
                        false
                    }
                    Choice::Wait => true,
                    Choice::None if table.open < self.max + RESERVE => {
                        return self.open(&mut table, peer, Standing::Reserve);
                    }
                    Choice::None => false,
                }
            };
            if is_waiting && !has_yielded {
                // A new connection may not have had its first turn yet.
                has_yielded = true;
                tokio::task::yield_now().await;
            } else {
                // On a timeout the connection still answers a request, or none
                // could be chosen: the next choice may be another one.
                let _ = tokio::time::timeout(RETRY_INTERVAL, departure).await;
            }
        }
    }

    /// Opens a connection that was waiting when the drain began: the cap does
    /// not apply to it any more.
    pub(super) fn admit_beyond_cap(self: &Arc<Self>, peer: Peer) -> OpenConnection {
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
        if table.is_finishing {
            state.give(Command::Finish);
        }
        table.insert(Arc::clone(&state));
        OpenConnection { state, peer, connections: Arc::clone(self) }
    }

    /// Registers a source of new connections, which the drain waits for.
    pub(super) fn register_acceptor(self: &Arc<Self>) -> AcceptorGuard {
        self.lock().acceptors += 1;
        AcceptorGuard(Arc::clone(self))
    }

    /// Has each response announce the end of its connection from now on.
    pub(super) fn begin_drain(&self) {
        self.is_draining.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_draining(&self) -> bool {
        self.is_draining.load(Ordering::Relaxed)
    }

    /// Has each connection close as soon as it is idle.
    pub(super) fn finish_all(&self) {
        let mut table = self.lock();
        table.is_finishing = true;
        for connection in table.clients.values().flatten() {
            connection.give(Command::Finish);
        }
    }

    /// Number of open connections.
    pub(super) fn open_count(&self) -> usize {
        self.lock().open
    }

    /// Waits until all acceptors have ended.
    pub(super) async fn accepting_ended(&self) {
        self.until(|table| table.acceptors == 0).await;
    }

    /// Waits until all connections have ended.
    pub(super) async fn all_ended(&self) {
        self.until(|table| table.open == 0).await;
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

impl Table {
    fn insert(&mut self, connection: Arc<ConnectionState>) {
        let of_client = self.clients.entry(connection.client).or_default();
        connection.index.store(of_client.len(), Ordering::Relaxed);
        of_client.push(connection);
        self.open += 1;
    }

    fn remove(&mut self, connection: &ConnectionState) {
        let Some(of_client) = self.clients.get_mut(&connection.client) else { return };
        let index = connection.index.load(Ordering::Relaxed);
        of_client.swap_remove(index);
        if let Some(moved) = of_client.get(index) {
            moved.index.store(index, Ordering::Relaxed);
        }
        if of_client.is_empty() {
            self.clients.remove(&connection.client);
        }
        self.open -= 1;
    }

    /// The connection to close for a new one of `newcomer`. It belongs to the
    /// client that holds the most connections, the new one included, and more
    /// than an equal share of `max`.
    fn choose(&self, newcomer: Client, max: usize) -> Choice<'_> {
        let now = Instant::now();
        let clients = self.clients.len() + usize::from(!self.clients.contains_key(&newcomer));
        let count = |client: &Client, held: &[_]| held.len() + usize::from(*client == newcomer);
        let mut next_most = usize::MAX;
        let mut is_waiting = false;
        // A client whose connections cannot be closed passes the duty on to the
        // one that holds the next most.
        loop {
            let counts = self.clients.iter().map(|(client, held)| count(client, held));
            let most = counts.filter(|&held| held < next_most).max().unwrap_or_default();
            if most * clients <= max {
                return if is_waiting { Choice::Wait } else { Choice::None };
            }
            let mut least: Option<(Claim, &ConnectionState)> = None;
            for (_, held) in
                self.clients.iter().filter(|(client, held)| count(client, held) == most)
            {
                for connection in held {
                    match Claim::of(connection, now) {
                        Claim::Strong => {}
                        Claim::Pending => is_waiting = true,
                        claim if least.is_some_and(|(other, _)| other <= claim) => {}
                        claim => least = Some((claim, connection)),
                    }
                }
            }
            if let Some((claim, victim)) = least {
                return Choice::Close(victim, claim.command());
            }
            next_most = most;
        }
    }
}

/// The outcome of the search for a connection to close.
enum Choice<'a> {
    /// This connection, in this way.
    Close(&'a ConnectionState, Command),
    /// None yet: some are about to end.
    Wait,
    /// None: all are protected and busy.
    None,
}

/// A place among the open connections; dropping it gives the place up.
#[derive(Debug)]
pub(super) struct OpenConnection {
    pub(super) state: Arc<ConnectionState>,
    pub(super) peer: Peer,
    connections: Arc<Connections>,
}

impl OpenConnection {
    /// True if the next response has to announce the end of the connection.
    pub(super) fn is_ending(&self) -> bool {
        self.connections.is_draining() || self.state.command() != Command::Serve
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.connections.lock().remove(&self.state);
        self.connections.departures.notify_waiters();
    }
}

/// An acceptor that still accepts; dropping it says that it has ended.
#[derive(Debug)]
pub(super) struct AcceptorGuard(Arc<Connections>);

impl Drop for AcceptorGuard {
    fn drop(&mut self) {
        self.0.lock().acceptors -= 1;
        self.0.departures.notify_waiters();
    }
}
