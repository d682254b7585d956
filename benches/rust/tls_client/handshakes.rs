//! Connections with one request each.

use std::io;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use rustls::HandshakeKind;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;

use crate::connect::{Kind, Tickets, client, connect};

/// Full handshakes of a client before resumed ones are measured. Each yields one or two
/// tickets, and a client opens 10 to 20 connections during a run.
const CONNECTIONS_FOR_TICKETS: usize = 24;

/// A load: `connections` clients in `threads` threads, each with one connection after
/// the other.
pub struct Handshakes {
    pub kind: Kind,
    pub port: u16,
    pub path: String,
    pub connections: usize,
    pub threads: usize,
    pub duration: Duration,
}

/// Numbers of connections by result, and the bytes of their responses.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    finished: u64,
    bytes: u64,
    /// Without a complete response with status 200.
    failed: u64,
    /// Of the other kind, full or resumed.
    unexpected: u64,
}

impl Handshakes {
    /// Sends the load and returns the result as JSON.
    pub fn run(&self) -> String {
        let barrier = Barrier::new(self.threads + 1);
        let (count, elapsed) = thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.threads).map(|_| scope.spawn(|| self.run_thread(&barrier))).collect();
            barrier.wait();
            crate::wait_for_begin();
            let begin = Instant::now();
            barrier.wait();
            let counts = threads.into_iter().map(|thread| thread.join().expect("no panic"));
            (counts.fold(Count::default(), Count::plus), begin.elapsed())
        });
        let Count { finished, bytes, failed, unexpected } = count;
        format!(
            "{{\"requests\":{finished},\"microseconds\":{},\"bytes\":{bytes},\"failed\":{failed},\
             \"unexpected\":{unexpected}}}",
            elapsed.as_micros()
        )
    }

    fn run_thread(&self, barrier: &Barrier) -> Count {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let share = self.connections.div_ceil(self.threads);
        let clients: Vec<_> = (0..share).map(|_| Client::new(self)).collect();
        // Every client gets a response first, so that the server's start is not measured.
        let connections = if self.kind == Kind::Full { 1 } else { CONNECTIONS_FOR_TICKETS };
        runtime.block_on(total(clients.iter().cloned().map(|client| client.collect(connections))));
        barrier.wait();
        barrier.wait();
        runtime.block_on(total(clients.into_iter().map(|client| client.repeat(self.duration))))
    }
}

/// One client of a load.
#[derive(Clone)]
struct Client {
    kind: Kind,
    port: u16,
    request: Arc<str>,
    tickets: Arc<Tickets>,
    connector: TlsConnector,
}

impl Client {
    fn new(load: &Handshakes) -> Self {
        let tickets = Arc::<Tickets>::default();
        Self {
            kind: load.kind,
            port: load.port,
            request: format!(
                "GET {} HTTP/1.1\r\nHost: localhost:{}\r\nAccept-Encoding: gzip, deflate, br, \
                 zstd\r\nConnection: close\r\n\r\n",
                load.path, load.port
            )
            .into(),
            connector: client(Arc::clone(&tickets), b"http/1.1").expect("a valid configuration"),
            tickets,
        }
    }

    /// Collects the tickets of full handshakes.
    async fn collect(self, connections: usize) -> Count {
        for _ in 0..connections {
            self.exchange().await.ok();
        }
        if self.kind == Kind::Resumed {
            self.tickets.spend();
        }
        Count::default()
    }

    /// Connects until the time is over or no ticket is left, at least once.
    async fn repeat(self, duration: Duration) -> Count {
        let (begin, mut count) = (Instant::now(), Count::default());
        loop {
            match self.exchange().await {
                Ok((handshake, bytes)) => {
                    count.finished += 1;
                    count.bytes += bytes as u64;
                    count.unexpected += u64::from(handshake != expected(self.kind));
                }
                Err(_) => count.failed += 1,
            }
            let is_spent = self.kind == Kind::Resumed && self.tickets.is_empty();
            if is_spent || begin.elapsed() >= duration {
                return count;
            }
        }
    }

    /// Opens a connection and sends one request. Returns the kind of the handshake and the
    /// size of the response.
    async fn exchange(&self) -> io::Result<(Option<HandshakeKind>, usize)> {
        let mut stream = connect(&self.connector, self.port).await?;
        stream.write_all(self.request.as_bytes()).await?;
        let mut response = Vec::with_capacity(32 * 1024);
        // Some servers close the connection without a close_notify.
        match stream.read_to_end(&mut response).await {
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error),
            _ if !response.starts_with(b"HTTP/1.1 200") => Err(io::ErrorKind::InvalidData.into()),
            _ => Ok((stream.get_ref().1.handshake_kind(), response.len())),
        }
    }
}

impl Count {
    fn plus(self, other: Self) -> Self {
        Self {
            finished: self.finished + other.finished,
            bytes: self.bytes + other.bytes,
            failed: self.failed + other.failed,
            unexpected: self.unexpected + other.unexpected,
        }
    }
}

fn expected(kind: Kind) -> Option<HandshakeKind> {
    Some(match kind {
        Kind::Full => HandshakeKind::Full,
        Kind::Resumed => HandshakeKind::Resumed,
    })
}

/// Runs all futures concurrently, and returns the sum of their counts.
async fn total(futures: impl Iterator<Item = impl Future<Output = Count> + 'static>) -> Count {
    let tasks = tokio::task::LocalSet::new();
    let mut running = JoinSet::new();
    for future in futures {
        running.spawn_local_on(future, &tasks);
    }
    let counts = tasks.run_until(running.join_all()).await;
    counts.into_iter().fold(Count::default(), Count::plus)
}
