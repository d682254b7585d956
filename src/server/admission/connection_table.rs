//! The table of open connections, and the choice of one that gives way.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::time::Instant;

use super::claim::Claim;
use super::connection_state::{Command, ConnectionState, Phase, Standing};
use crate::server::client::Client;

/// All open connections by client.
#[derive(Debug, Default)]
pub(super) struct Table {
    clients: HashMap<Client, Held>,
    pub(super) open: usize,
    /// Open connections that were chosen to give way.
    pub(super) leaving: usize,
    pub(super) acceptors: usize,
    /// What applies to every connection, including new ones.
    pub(super) command: Command,
}

/// The connections of one client.
#[derive(Debug, Default)]
struct Held {
    connections: Vec<Arc<ConnectionState>>,
    leaving: usize,
}

impl Table {
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<ConnectionState>> {
        self.clients.values().flat_map(|held| &held.connections)
    }

    pub(super) fn insert(&mut self, connection: Arc<ConnectionState>) {
        let held = self.clients.entry(connection.client).or_default();
        connection.index.store(held.connections.len(), Ordering::Relaxed);
        held.connections.push(connection);
        self.open += 1;
    }

    pub(super) fn remove(&mut self, connection: &ConnectionState) {
        self.set_leaving(connection, false);
        let Some(held) = self.clients.get_mut(&connection.client) else { return };
        let index = connection.index.load(Ordering::Relaxed);
        held.connections.swap_remove(index);
        if let Some(moved) = held.connections.get(index) {
            moved.index.store(index, Ordering::Relaxed);
        }
        if held.connections.is_empty() {
            self.clients.remove(&connection.client);
        }
        self.open -= 1;
    }

    fn set_leaving(&mut self, connection: &ConnectionState, is_leaving: bool) {
        if connection.is_leaving.swap(is_leaving, Ordering::Relaxed) == is_leaving {
            return;
        }
        let Some(held) = self.clients.get_mut(&connection.client) else { return };
        if is_leaving {
            held.leaving += 1;
            self.leaving += 1;
        } else {
            held.leaving -= 1;
            self.leaving -= 1;
        }
    }

    pub(super) fn dismiss(&mut self, connection: &ConnectionState, command: Command) {
        self.set_leaving(connection, true);
        connection.give(command);
    }

    /// Closes connections that were asked to end and are busy again; those that
    /// are protected may go on.
    pub(super) fn insist(&mut self) {
        let busy: Vec<Arc<ConnectionState>> = self
            .all()
            .filter(|connection| {
                connection.is_leaving.load(Ordering::Relaxed)
                    && !matches!(connection.phase().0, Phase::Idle)
            })
            .cloned()
            .collect();
        for connection in busy {
            if connection.standing == Standing::Protected {
                self.set_leaving(&connection, false);
            } else {
                connection.give(Command::Abort);
            }
        }
    }

    /// The connection to close for a new one of `newcomer`. It belongs to the
    /// client that holds the most connections, the new one included, and more
    /// than an equal share of `max`.
    pub(super) fn choose(&self, newcomer: Client, max: usize) -> Choice {
        let now = Instant::now();
        let count = |client: &Client, held: &Held| {
            held.connections.len() - held.leaving + usize::from(*client == newcomer)
        };
        let counts = self.clients.iter().map(|(client, held)| count(client, held));
        let clients = counts.filter(|&count| count > 0).count()
            + usize::from(!self.clients.contains_key(&newcomer));
        let mut next_most = usize::MAX;
        let mut is_waiting = false;
        // If no connection of the client that holds the most can be closed, the clients that
        // hold the next most are searched.
        loop {
            let counts = self.clients.iter().map(|(client, held)| count(client, held));
            let most = counts.filter(|&held| held < next_most).max().unwrap_or_default();
            if most * clients <= max {
                return if is_waiting { Choice::Wait } else { Choice::None };
            }
            let mut least: Option<(Claim, &Arc<ConnectionState>)> = None;
            let (mut new, mut reading) = (0, 0);
            let holders = self.clients.iter().filter(|(client, held)| count(client, held) == most);
            for connection in holders.flat_map(|(_, held)| &held.connections) {
                if connection.is_leaving.load(Ordering::Relaxed) {
                    continue;
                }
                let claim = Claim::of(connection, now);
                match claim {
                    Claim::Strong => continue,
                    Claim::New => new += 1,
                    Claim::Reading(..) => reading += 1,
                    Claim::Closing(_) | Claim::Idle(_) | Claim::Head(_) => {}
                }
                if claim != Claim::New && least.is_none_or(|(other, _)| claim < other) {
                    least = Some((claim, connection));
                }
            }
            is_waiting |= new > 0;
            if let Some((claim, victim)) = least {
                // After a burst of new connections, the choice waits for up to 10 ms: then those
                // without a request can be closed. A few new ones do not delay it (DECISION-11).
                if matches!(claim, Claim::Reading(..)) && new > reading {
                    return Choice::Wait;
                }
                return Choice::Close(Arc::clone(victim), claim.command());
            }
            next_most = most;
        }
    }
}

/// The outcome of the search for a connection to close.
pub(super) enum Choice {
    /// This connection, by this command.
    Close(Arc<ConnectionState>, Command),
    /// None yet: new connections have not had the time to send a request.
    Wait,
    /// None: all are protected and busy.
    None,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::server::client::Peer;

    fn client(number: u8) -> Client {
        Client::from(Peer::Tcp(([192, 0, 2, number], 1).into()))
    }

    /// Adds a connection that has been in `phase` since `since`.
    fn add(
        table: &mut Table,
        (client, standing): (Client, Standing),
        (phase, since): (Phase, Instant),
    ) -> Arc<ConnectionState> {
        let state = Arc::new(ConnectionState::new(client, standing, since));
        state.enter(phase, since);
        table.insert(Arc::clone(&state));
        state
    }

    /// The choice between connections of one client: some read their responses, and
    /// the others were opened `age` ago and have not sent a request.
    fn choice(reading: usize, silent: usize, age: Duration) -> Choice {
        let client = client(1);
        let now = Instant::now();
        let mut table = Table::default();
        for index in 0..reading + silent {
            let phase = if index < reading { Phase::Write } else { Phase::Head };
            add(&mut table, (client, Standing::Ordinary), (phase, now - age));
        }
        table.choose(client, reading + silent)
    }

    /// True if a connection that is in `phase` is closed.
    fn closes(choice: &Choice, phase: Phase) -> bool {
        matches!(choice, Choice::Close(victim, _) if victim.phase().0 == phase)
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_of_silent_connections_does_not_cut_off_responses() {
        let (burst, soon) = (Duration::from_millis(1), Duration::from_millis(11));
        assert!(matches!(choice(2, 3, burst), Choice::Wait));
        assert!(closes(&choice(2, 3, soon), Phase::Head));
    }

    /// Bytes in the kernel's send buffer count as read.
    #[test]
    fn of_several_readers_the_slowest_is_cut_off() {
        let (long, short) = (Duration::from_secs(10), Duration::from_millis(100));
        for (readers, slowest) in [
            (&[(30_000_000, long), (1_000_000, long), (20_000_000, long)][..], 1_000_000),
            (&[(100_000, long), (50_000, short)], 100_000),
            (&[(1_000, long), (0, Duration::ZERO)], 1_000),
        ] {
            let now = Instant::now();
            let mut table = Table::default();
            for &(bytes, duration) in readers {
                let reader = (client(1), Standing::Ordinary);
                add(&mut table, reader, (Phase::Write, now - duration)).set_bytes_sent(bytes);
            }
            let choice = table.choose(client(1), readers.len());
            let Choice::Close(victim, _) = choice else { panic!("no connection is closed") };
            assert_eq!(victim.bytes_sent(), slowest);
        }
    }

    #[test]
    fn if_the_client_with_the_most_connections_is_protected_another_one_gives_way() {
        let now = Instant::now();
        let mut table = Table::default();
        for _ in 0..20 {
            let proxy = (Client::from(Peer::Unix), Standing::Protected);
            add(&mut table, proxy, (Phase::Write, now));
        }
        for _ in 0..16 {
            add(&mut table, (client(1), Standing::Reserve), (Phase::Idle, now));
        }
        assert!(closes(&table.choose(client(2), 20), Phase::Idle));
    }

    #[test]
    fn a_protected_connection_that_is_busy_again_is_not_cut_off() {
        for (standing, command, leaving) in
            [(Standing::Protected, Command::Finish, 0), (Standing::Ordinary, Command::Abort, 1)]
        {
            let mut table = Table::default();
            let idle = (Phase::Idle, Instant::now());
            let state = add(&mut table, (client(1), standing), idle);
            table.dismiss(&state, Command::Finish);
            table.insist();
            assert_eq!((state.command(), table.leaving), (Command::Finish, 1), "{standing:?}");
            state.enter(Phase::Write, Instant::now());
            table.insist();
            assert_eq!((state.command(), table.leaving), (command, leaving), "{standing:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_few_new_connections_do_not_delay_the_closing_of_a_slow_reader() {
        assert!(closes(&choice(3, 2, Duration::from_millis(1)), Phase::Write));
    }
}
