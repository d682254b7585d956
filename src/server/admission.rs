//! Which connections are open, and which one is closed for a new one at the cap (WIRE-26, DECISION-11).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::activity::{Activity, Command, Wait};
use super::limits::Limits;
use super::peer::{Client, Peer};

/// Connections beyond the cap, for when every connection within it is protected
/// and busy. They are not protected themselves, so that a new client, such as a
/// health check, always gets one.
pub(super) const RESERVE: usize = 16;

/// Bytes that a connection with HTTP/2 receives, beyond content and heads of common size, before its client gets
/// GOAWAY. After twice as many, the connection is aborted. h2 may keep the received bytes until the connection
/// ends (DECISION-57).
const EXCESS_MAX_BYTES: usize = 128 * 1024;

/// Maximum bytes that all open connections have received with HTTP/2: for each connection within the cap,
/// and for all of them, so that a low cap leaves room for content.
const RECEIVED_SHARE_BYTES: usize = 16 * 1024;
const RECEIVED_RESERVE_BYTES: usize = 8 * 1024 * 1024;

/// Interval at which admission looks again whether a protected connection has become idle.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// The table of open connections, which all workers share.
#[derive(Debug)]
pub(super) struct Connections {
    max: usize,
    /// True if TCP peers are proxies, whose connections are closed only if idle.
    tcp_is_protected: bool,
    table: Mutex<Table>,
    /// Bytes that the open connections have received with HTTP/2, outside of the table: each read adds to it, and
    /// workers must not wait for each other then.
    received: AtomicUsize,
    /// Signals each end of a connection or of an acceptor.
    departures: Notify,
}

#[derive(Debug, Default)]
struct Table {
    /// Connections by client, each with its number. One that gives way is not here any more.
    clients: HashMap<Client, HashMap<u64, Arc<Activity>>>,
    next_number: u64,
    /// Open connections, those that give way included.
    open: usize,
    acceptors: usize,
    /// What applies to every connection, including new ones.
    command: Command,
}

impl Table {
    fn all(&self) -> impl Iterator<Item = &Arc<Activity>> {
        self.clients.values().flat_map(HashMap::values)
    }

    /// Aborts a connection for a new one of `newcomer`: of the clients that hold more than an equal
    /// share of `max`, the one that holds most gives up the connection that has made no progress
    /// for longest. If the reserve is used up, each client may have to give one up. False if there is
    /// none that may be closed.
    fn make_room(&mut self, newcomer: Client, max: usize) -> bool {
        let is_exhausted = self.open >= max + RESERVE;
        let clients = self.clients.len() + usize::from(!self.clients.contains_key(&newcomer));
        let candidates = self.clients.iter().flat_map(|(client, connections)| {
            let count = connections.len() + usize::from(*client == newcomer);
            let may_give_way = is_exhausted || count * clients > max;
            let connections = connections.iter().filter(move |_| may_give_way);
            connections.map(move |(number, activity)| (count, *client, *number, activity))
        });
        let victim = candidates
            .filter(|(.., activity)| !activity.is_protected || activity.wait() == Wait::Idle)
            .max_by_key(|(count, .., activity)| (*count, Reverse(activity.since())));
        let Some((_, client, number, _)) = victim else { return false };
        self.abort(client, number);
        true
    }

    /// Aborts a connection if those that stay have received more than `max` bytes with HTTP/2: of the
    /// client whose connections received most, the one that received most.
    fn release_memory(&mut self, max: usize) {
        let mut all = 0;
        let most = self.clients.iter().max_by_key(|(_, connections)| {
            let sum: usize = connections.values().map(|activity| activity.received()).sum();
            all += sum;
            sum
        });
        let Some((&client, connections)) = most else { return };
        let largest = connections.iter().max_by_key(|(_, activity)| activity.received());
        if let Some((&number, _)) = largest
            && all > max
        {
            self.abort(client, number);
        }
    }

    fn abort(&mut self, client: Client, number: u64) {
        if let Some(activity) = self.remove(client, number) {
            activity.give(Command::Abort);
        }
    }

    fn remove(&mut self, client: Client, number: u64) -> Option<Arc<Activity>> {
        let connections = self.clients.get_mut(&client)?;
        let activity = connections.remove(&number);
        if connections.is_empty() {
            self.clients.remove(&client);
        }
        activity
    }

    /// Open connections, without those that give way.
    fn held(&self) -> usize {
        self.clients.values().map(HashMap::len).sum()
    }
}

impl Connections {
    pub(super) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            max: limits.max_connections.get(),
            tcp_is_protected: limits.trusted_proxies > 0,
            table: Mutex::default(),
            received: AtomicUsize::new(0),
            departures: Notify::new(),
        })
    }

    /// Opens a connection for `peer`. At the cap, it closes another one first, and waits until that
    /// one has ended.
    pub(super) async fn admit(self: &Arc<Self>, peer: Peer) -> Arc<OpenConnection> {
        let is_protected = matches!(peer, Peer::Unix) || self.tcp_is_protected;
        let mut is_first_try = true;
        loop {
            let departure = self.departures.notified();
            {
                let mut table = self.lock();
                // During the drain, connections end anyway.
                if table.open < self.max || table.command > Command::Serve {
                    return self.open(&mut table, peer, is_protected);
                }
                // If fewer are held than the cap allows, enough are about to end already.
                let must_make_room = !is_first_try && table.held() >= self.max;
                if must_make_room
                    && !table.make_room(peer.client(), self.max)
                    && table.open < self.max + RESERVE
                {
                    return self.open(&mut table, peer, false);
                }
            }
            if std::mem::take(&mut is_first_try) {
                // A request that has arrived on an idle connection is read first.
                tokio::task::yield_now().await;
            } else {
                let _ = tokio::time::timeout(RETRY_INTERVAL, departure).await;
            }
        }
    }

    /// Opens a connection to which the cap does not apply: a single one without a listener.
    pub(super) fn admit_beyond_cap(self: &Arc<Self>, peer: Peer) -> Arc<OpenConnection> {
        self.open(&mut self.lock(), peer, true)
    }

    fn open(
        self: &Arc<Self>,
        table: &mut Table,
        peer: Peer,
        is_protected: bool,
    ) -> Arc<OpenConnection> {
        let activity = Arc::new(Activity::new(is_protected));
        activity.give(table.command);
        let number = table.next_number;
        table.next_number += 1;
        table.open += 1;
        table.clients.entry(peer.client()).or_default().insert(number, Arc::clone(&activity));
        Arc::new(OpenConnection { activity, peer, number, connections: Arc::clone(self) })
    }

    /// Registers a source of new connections, which the drain waits for.
    pub(super) fn register_acceptor(self: &Arc<Self>) -> AcceptorGuard {
        self.lock().acceptors += 1;
        AcceptorGuard(Arc::clone(self))
    }

    /// Gives `command` to each connection, including new ones.
    pub(super) fn give_all(&self, command: Command) {
        let mut table = self.lock();
        table.command = command;
        for activity in table.all() {
            activity.give(command);
        }
    }

    /// True if a response is incomplete, or a connection is not accepted yet.
    pub(super) fn is_unfinished(&self) -> bool {
        let table = self.lock();
        table.acceptors > 0 || table.all().any(|activity| activity.wait() == Wait::Reader)
    }

    /// Number of open connections.
    pub(super) fn open_count(&self) -> usize {
        self.lock().open
    }

    /// Waits until all acceptors have ended.
    pub(super) async fn accepting_ended(&self) {
        self.until(|table| table.acceptors == 0).await;
    }

    /// Waits until all acceptors and all connections have ended.
    pub(super) async fn all_ended(&self) {
        self.until(|table| table.acceptors == 0 && table.open == 0).await;
    }

    async fn until(&self, condition: impl Fn(&Table) -> bool) {
        loop {
            let departure = self.departures.notified();
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

/// An open connection, which counts towards the cap until this is dropped. Its task and its
/// responses share it, so that the server does not end before the lines of all responses are in the access log.
#[derive(Debug)]
pub(super) struct OpenConnection {
    pub(super) activity: Arc<Activity>,
    pub(super) peer: Peer,
    number: u64,
    connections: Arc<Connections>,
}

impl OpenConnection {
    /// Records that `count` bytes arrived, and bounds what connections with HTTP/2 receive (WIRE-35).
    pub(super) fn record_received(&self, count: usize) {
        let before = self.activity.received();
        self.activity.record_received(count);
        if !self.activity.is_http2() {
            return;
        }
        let received = self.activity.received();
        let all =
            self.connections.received.fetch_add(received - before, Relaxed) + received - before;
        let max = self.connections.max * RECEIVED_SHARE_BYTES + RECEIVED_RESERVE_BYTES;
        let excess = self.activity.excess();
        // Beyond half of the maximum, those that received more than their share end in time.
        let is_large = || received > max / 2 / self.connections.open_count();
        if excess > EXCESS_MAX_BYTES * 2 {
            self.activity.give(Command::Abort);
        } else if excess > EXCESS_MAX_BYTES || all > max / 2 && is_large() {
            self.activity.give(Command::Finish);
        }
        if all > max {
            self.connections.lock().release_memory(max);
        }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut table = self.connections.lock();
        table.remove(self.peer.client(), self.number);
        table.open -= 1;
        drop(table);
        self.connections.received.fetch_sub(self.activity.received(), Relaxed);
        self.connections.departures.notify_waiters();
    }
}

/// A registered acceptor; dropping this ends the registration.
#[derive(Debug)]
pub(super) struct AcceptorGuard(Arc<Connections>);

impl Drop for AcceptorGuard {
    fn drop(&mut self) {
        self.0.lock().acceptors -= 1;
        self.0.departures.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[test]
    fn the_client_that_sent_most_gives_up_memory() {
        let connections =
            Connections::new(&Limits { max_connections: NonZeroUsize::MIN, ..Limits::DEFAULT });
        let open = |address: [u8; 4], bytes| {
            let connection = connections.admit_beyond_cap(Peer::Tcp((address, 1).into()));
            connection.activity.choose_http2();
            connection.record_received(bytes);
            connection
        };
        // Requests of common size are no excess.
        let busy = open([192, 0, 2, 5], 0);
        for _ in 0..1000 {
            busy.record_received(256);
            busy.activity.begin_response();
        }
        let flooding = open([192, 0, 2, 6], (256 << 10) + 1);
        let commands = [&busy, &flooding].map(|open| open.activity.command());
        assert_eq!(commands, [Command::Serve, Command::Abort]);
        drop((busy, flooding));
        let visitor = open([192, 0, 2, 1], 256 << 10);
        let enough = (8 << 20) / (128 << 10);
        let others: Vec<_> = (0..enough).map(|_| open([192, 0, 2, 2], (128 << 10) + 1)).collect();
        let count =
            |command| others.iter().filter(|other| other.activity.command() == command).count();
        assert_eq!(visitor.activity.command(), Command::Finish);
        assert_eq!(count(Command::Abort), 2);
        assert_eq!(count(Command::Finish), enough - 2);
        // What has ended does not count.
        drop((visitor, others));
        let next = open([192, 0, 2, 3], 1);
        assert_eq!(next.activity.command(), Command::Serve);
        assert_eq!(connections.received.load(Relaxed), 1);
        // From half of the bytes on, those that received more than their share end in time.
        let many: Vec<_> = (0..50).map(|_| open([192, 0, 2, 4], 100_000)).collect();
        let is_ending = |open: &Arc<OpenConnection>| open.activity.command() == Command::Finish;
        assert_eq!(many.iter().position(is_ending), Some(42));
    }
}
