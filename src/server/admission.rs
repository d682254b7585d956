//! Which connections are open, which one is closed for a new one at the cap (WIRE-26, DECISION-11),
//! and what all of them keep together (WIRE-35).

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::limits::{KEPT_FREE_BYTES, Limits, POOL_BYTES_PER_CONNECTION, RESERVE};
use super::peer::{ClientKey, Peer};

/// Interval between checks whether a protected connection has become idle.
const RETRY_INTERVAL: Duration = Duration::from_millis(5);

/// The server's message to all connections.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Notice {
    pub(super) phase: Phase,
    /// True while most of the pool is used, so the connections that use it have to end.
    pub(super) pool_is_short: bool,
}

/// How far the drain is (DECISION-34). Each phase includes the earlier ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    /// Requests are served.
    #[default]
    Serve,
    /// Responses announce the end of their connection.
    Announce,
    /// Accepting ends, and so do connections whose responses are complete.
    Finish,
}

/// What a connection waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// The rest of a request's head, or of the handshake.
    Head,
    /// Another request.
    Idle,
    /// The client, which has to read a response.
    Write,
}

/// What admission knows of a connection.
#[derive(Debug)]
pub(super) struct Registration {
    /// What the connection waits for, and since when, in one word, so other threads see both of one
    /// time. [`u64::MAX`] until the end of the task's first turn.
    published: AtomicU64,
    /// True if the connection has to be idle before it may be closed for another.
    is_protected: bool,
    /// Ends the connection's task.
    pub(super) task: OnceLock<AbortHandle>,
}

impl Registration {
    /// Publishes what the connection waits for, and the milliseconds from the start of the server to
    /// its last progress.
    pub(super) fn publish(&self, since: u64, wait: Wait) {
        self.published.store(since << 2 | wait as u64, Relaxed);
    }

    fn has_begun(&self) -> bool {
        self.published.load(Relaxed) != u64::MAX
    }

    fn is(&self, wait: Wait) -> bool {
        self.published.load(Relaxed) & 3 == wait as u64
    }

    fn since(&self) -> u64 {
        self.published.load(Relaxed) >> 2
    }

    fn abort(&self) {
        self.task.get().inspect(|task| task.abort());
    }
}

/// The open connections, which all workers share.
#[derive(Debug)]
pub(super) struct Connections {
    max: usize,
    /// True if TCP peers are proxies, whose connections are closed only if idle.
    tcp_is_protected: bool,
    /// When the server started.
    pub(super) epoch: Instant,
    table: Mutex<Table>,
    /// Signals each end of a connection or of an acceptor.
    departures: Notify,
    /// The server's message to all connections and acceptors.
    notice: watch::Sender<Notice>,
    /// Bytes that connections with HTTP/2 may keep beyond [`KEPT_FREE_BYTES`] each, and how many of
    /// them are used.
    pool: usize,
    pool_used: AtomicUsize,
}

#[derive(Debug, Default)]
struct Table {
    /// Connections by client, each with its number. A connection that gives way is removed at once.
    clients: HashMap<ClientKey, HashMap<u64, Arc<Registration>>>,
    next_number: u64,
    /// Open connections, including the ones that give way.
    open: usize,
    acceptors: usize,
}

/// The place of a new connection at the cap.
#[derive(Debug)]
enum Place {
    /// One of the reserve.
    Reserve,
    /// The one of this connection, which has to be closed.
    Of(ClientKey, u64),
    /// One that a connection leaves or may give up later.
    Later,
}

impl Table {
    fn registrations(&self) -> impl Iterator<Item = &Arc<Registration>> {
        self.clients.values().flat_map(HashMap::values)
    }

    /// The place of a new connection of `newcomer`. The client that holds the most, and more than an
    /// equal share of `max`, gives up the connection that has made no progress for longest. If the
    /// reserve is used up, any client may have to give one up.
    fn place(&self, newcomer: ClientKey, max: usize) -> Place {
        // If fewer connections are held than the cap allows, enough are about to end already. Those
        // that have just begun may have a request to be read.
        if self.registrations().count() < max
            || !self.registrations().all(|registration| registration.has_begun())
        {
            return Place::Later;
        }
        let is_exhausted = self.open >= max + RESERVE;
        let clients = self.clients.len() + usize::from(!self.clients.contains_key(&newcomer));
        let candidates = self.clients.iter().flat_map(|(client, connections)| {
            let count = connections.len() + usize::from(*client == newcomer);
            let may_give_way = is_exhausted || count * clients > max;
            let connections = connections.iter().filter(move |_| may_give_way);
            connections.map(move |(number, registration)| (count, *client, *number, registration))
        });
        let victim = candidates
            .filter(|(.., registration)| !registration.is_protected || registration.is(Wait::Idle))
            .max_by_key(|(count, .., registration)| (*count, Reverse(registration.since())));
        match victim {
            Some((_, client, number, _)) => Place::Of(client, number),
            None if is_exhausted => Place::Later,
            None => Place::Reserve,
        }
    }

    fn remove(&mut self, client: ClientKey, number: u64) -> Option<Arc<Registration>> {
        let connections = self.clients.get_mut(&client)?;
        let registration = connections.remove(&number);
        if connections.is_empty() {
            self.clients.remove(&client);
        }
        registration
    }
}

impl Connections {
    pub(super) fn new(limits: &Limits, tcp_is_protected: bool) -> Arc<Self> {
        Arc::new(Self {
            max: limits.max_connections.get(),
            tcp_is_protected,
            epoch: Instant::now(),
            table: Mutex::default(),
            departures: Notify::new(),
            notice: watch::Sender::default(),
            pool: limits.max_connections.get().saturating_mul(POOL_BYTES_PER_CONNECTION),
            pool_used: AtomicUsize::new(0),
        })
    }

    /// Opens a connection for `peer`. At the cap, it first closes another, and waits for its end.
    pub(super) async fn admit(self: &Arc<Self>, peer: Peer) -> Permit {
        let is_protected = matches!(peer, Peer::Unix) || self.tcp_is_protected;
        // A request that has arrived on an idle connection is read first.
        let mut has_waited = false;
        loop {
            let departure = self.departures.notified();
            {
                let mut table = self.lock();
                // During the drain, connections end anyway.
                if table.open < self.max || self.notice.borrow().phase > Phase::Serve {
                    return self.open(&mut table, peer, is_protected);
                }
                if has_waited {
                    match table.place(peer.client(), self.max) {
                        Place::Reserve => return self.open(&mut table, peer, false),
                        Place::Of(client, number) => {
                            table.remove(client, number).inspect(|victim| victim.abort());
                        }
                        Place::Later => {}
                    }
                }
            }
            if has_waited {
                let _ = tokio::time::timeout(RETRY_INTERVAL, departure).await;
            } else {
                tokio::task::yield_now().await;
                has_waited = true;
            }
        }
    }

    /// Opens a connection to which the cap does not apply: a single one without a listener.
    pub(super) fn admit_beyond_cap(self: &Arc<Self>, peer: Peer) -> Permit {
        self.open(&mut self.lock(), peer, true)
    }

    fn open(self: &Arc<Self>, table: &mut Table, peer: Peer, is_protected: bool) -> Permit {
        let number = table.next_number;
        table.next_number += 1;
        table.open += 1;
        let published = u64::MAX.into();
        let registration =
            Arc::new(Registration { published, is_protected, task: OnceLock::new() });
        table.clients.entry(peer.client()).or_default().insert(number, Arc::clone(&registration));
        Permit {
            peer,
            number,
            registration,
            pooled: Cell::default(),
            connections: Arc::clone(self),
        }
    }

    /// Registers a source of new connections, which the drain waits for.
    pub(super) fn register_acceptor(self: &Arc<Self>) -> AcceptorGuard {
        self.lock().acceptors += 1;
        AcceptorGuard(Arc::clone(self))
    }

    /// The server's message to all connections, now and later.
    pub(super) fn notices(&self) -> watch::Receiver<Notice> {
        self.notice.subscribe()
    }

    /// Tells every connection and acceptor that `phase` begins.
    pub(super) fn begin(&self, phase: Phase) {
        self.notice.send_modify(|notice| notice.phase = phase);
    }

    /// Records that a connection uses `now` bytes of the pool instead of `before`. False if it has
    /// no room for more.
    fn use_pool(&self, before: usize, now: usize) -> bool {
        let more = now.wrapping_sub(before);
        let used = self.pool_used.fetch_add(more, Relaxed).wrapping_add(more);
        self.notice.send_if_modified(|notice| {
            // Connections are told once, and not each time that the use passes the same limit.
            let quarters = if notice.pool_is_short { 2 } else { 3 };
            let was_short = notice.pool_is_short;
            // Read here, in the order in which the notices are sent.
            notice.pool_is_short = self.pool_used.load(Relaxed) > self.pool / 4 * quarters;
            notice.pool_is_short != was_short
        });
        now <= before || used <= self.pool
    }

    /// Ends all connections now.
    pub(super) fn abort_all(&self) {
        self.lock().registrations().for_each(|registration| registration.abort());
    }

    /// True if a response is incomplete.
    pub(super) fn is_unfinished(&self) -> bool {
        self.lock().registrations().any(|registration| registration.is(Wait::Write))
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

/// A place within the cap, which is free again once this is dropped.
#[derive(Debug)]
pub(super) struct Permit {
    pub(super) peer: Peer,
    number: u64,
    pub(super) registration: Arc<Registration>,
    /// Bytes of the pool that the connection uses.
    pooled: Cell<usize>,
    pub(super) connections: Arc<Connections>,
}

impl Permit {
    /// Records that the connection keeps this number of bytes. False if the pool has no room for
    /// what is beyond [`KEPT_FREE_BYTES`].
    pub(super) fn keep(&self, bytes: usize) -> bool {
        let now = bytes.saturating_sub(KEPT_FREE_BYTES);
        let before = self.pooled.replace(now);
        now == before || self.connections.use_pool(before, now)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.keep(0);
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
    use std::future::pending;
    use std::net::Ipv4Addr;
    use std::num::NonZeroUsize;

    use tokio::time::timeout;

    use super::*;

    type Known = (ClientKey, Arc<Registration>);

    fn known(connections: &Connections) -> Vec<Known> {
        let table = connections.lock();
        let by_client = table.clients.iter();
        by_client.flat_map(|(client, all)| all.values().map(|one| (*client, one.clone()))).collect()
    }

    /// WIRE-26, for clients that come, wait for something and leave at random.
    #[tokio::test(start_paused = true)]
    async fn a_fair_share_the_cap_and_the_reserve_hold_whatever_clients_do() {
        for seed in 0..200 {
            let mut random = fastrand::Rng::with_seed(seed);
            let max = random.usize(1..33);
            let max_connections = NonZeroUsize::new(max).unwrap();
            let limits = Limits { max_connections, ..Limits::DEFAULT };
            let connections = Connections::new(&limits, random.bool());
            // How often a connection leaves or becomes idle, so some tables fill up and others do not.
            let (rest, local_until) = (random.u8(0..4), random.u64(0..100));
            for time in 0..200 {
                let mut open = known(&connections);
                if let Some((_, connection)) = random.choice(&open)
                    && random.bool()
                {
                    match random.u8(0..8) {
                        end if end < rest => connection.abort(),
                        end if end < 2 * rest => connection.publish(time, Wait::Idle),
                        _ => connection.publish(time, Wait::Head),
                    }
                    tokio::task::yield_now().await;
                    continue;
                }
                let address = Ipv4Addr::new(192, 0, 2, random.u8(1..4));
                let is_local = time < local_until || random.bool();
                let peer = if is_local { Peer::Unix } else { Peer::Tcp((address, 1).into()) };
                let admitted = timeout(Duration::from_secs(1), connections.admit(peer)).await;

                let is_expected = loop {
                    let is_full = open.len() == max + RESERVE;
                    let share = |client| {
                        let others = open.iter().filter(|(other, _)| *other == client).count();
                        others + usize::from(client == peer.client())
                    };
                    let mut clients: Vec<_> = open.iter().map(|(client, _)| *client).collect();
                    clients.push(peer.client());
                    clients.sort_unstable();
                    clients.dedup();
                    let candidates = open.iter().enumerate().filter(|(_, (client, it))| {
                        (is_full || share(*client) * clients.len() > max)
                            && (!it.is_protected || it.is(Wait::Idle))
                    });
                    if open.len() < max {
                        break true;
                    }
                    let rank =
                        |(_, (client, it)): &(usize, &Known)| (share(*client), Reverse(it.since()));
                    let Some((victim, _)) = candidates.max_by_key(rank) else { break !is_full };
                    open.remove(victim);
                };
                assert_eq!(admitted.is_ok(), is_expected);
                let after = known(&connections);
                let remains = |(_, one): &Known| after.iter().any(|(_, it)| Arc::ptr_eq(one, it));
                assert!(open.iter().all(remains));
                assert_eq!(after.len(), open.len() + usize::from(is_expected));
                assert!(after.len() <= max + RESERVE);
                if let Ok(permit) = admitted {
                    let registration = Arc::clone(&permit.registration);
                    registration.publish(time, Wait::Write);
                    let task = tokio::spawn(async move {
                        pending::<()>().await;
                        drop(permit)
                    });
                    registration.task.set(task.abort_handle()).unwrap();
                }
            }
        }
    }
}
