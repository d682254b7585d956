//! Which connections are open, and which one is closed for a new one at the cap (WIRE-26,
//! DECISION-11).

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use super::activity::{Activity, Command, Wait};
use super::limits::{Limits, RESERVE};
use super::peer::{Client, Peer};

/// Interval between checks whether a protected connection has become idle.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// The table of open connections, which all workers share.
#[derive(Debug)]
pub(super) struct Connections {
    max: usize,
    /// True if TCP peers are proxies, whose connections are closed only if idle.
    tcp_is_protected: bool,
    table: Mutex<Table>,
    /// Signals each end of a connection or of an acceptor.
    departures: Notify,
}

#[derive(Debug, Default)]
struct Table {
    /// Connections by client, each with its number. A connection that gives way is removed at once.
    clients: HashMap<Client, HashMap<u64, Arc<Activity>>>,
    next_number: u64,
    /// Open connections, including the ones that give way.
    open: usize,
    acceptors: usize,
    /// What applies to every connection, including new ones.
    command: Command,
}

impl Table {
    fn all(&self) -> impl Iterator<Item = &Arc<Activity>> {
        self.clients.values().flat_map(HashMap::values)
    }

    /// Aborts a connection for a new one of `newcomer`: the client that holds the most, and more
    /// than an equal share of `max`, gives up the connection that has made no progress for longest.
    /// If the reserve is used up, any client may have to give one up. False if no connection may be
    /// closed.
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

    /// Open connections that do not give way.
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
            departures: Notify::new(),
        })
    }

    /// Opens a connection for `peer`. At the cap, it first closes another, and waits for its end.
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
                // If fewer connections are held than the cap allows, enough are about to end
                // already.
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

    /// True if a response is incomplete.
    pub(super) fn is_unfinished(&self) -> bool {
        self.lock().all().any(|activity| activity.wait() == Wait::Reader)
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
/// responses share it, so the server ends only after the lines of all responses are in the access
/// log.
#[derive(Debug)]
pub(super) struct OpenConnection {
    pub(super) activity: Arc<Activity>,
    pub(super) peer: Peer,
    number: u64,
    connections: Arc<Connections>,
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut table = self.connections.lock();
        table.remove(self.peer.client(), self.number);
        table.open -= 1;
        drop(table);
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

    use tokio::time::timeout;

    use super::*;

    fn client(number: u8) -> Peer {
        Peer::Tcp(([127, 0, 0, number], 1).into())
    }

    #[tokio::test(start_paused = true)]
    async fn a_new_connection_closes_one_and_none_of_a_client_with_its_fair_share() {
        let max_connections = NonZeroUsize::new(4).unwrap();
        for (trusted_proxies, closed) in [(0, 1), (1, 0)] {
            let limits = Limits { max_connections, trusted_proxies, ..Limits::DEFAULT };
            let connections = Connections::new(&limits);
            let mut open = Vec::new();
            for number in [1, 1, 2, 2] {
                open.push(connections.admit(client(number)).await);
            }
            // Those of the first client are idle, which only matters if they are proxies.
            for connection in &open[..2] {
                connection.activity.begin_response();
                connection.activity.end_response();
            }
            let is_admitted =
                timeout(RETRY_INTERVAL * 10, connections.admit(client(2))).await.is_ok();
            let aborted = [&open[..2], &open[2..]].map(|of_client| {
                let commands = of_client.iter().map(|connection| connection.activity.command());
                commands.filter(|command| *command == Command::Abort).count()
            });
            assert_eq!(aborted, [0, closed], "{trusted_proxies}");
            // From the reserve.
            assert_eq!(is_admitted, trusted_proxies > 0);
        }
    }
}
