//! How responses are carried: sockets, time limits, a cap, and a clean end.

mod access_log;
mod address;
mod connection;
#[cfg(debug_assertions)]
mod fault;
mod gathered;
mod limits;
mod listener;
mod open_files;
mod patience;
mod refusal;
mod service;
mod signals;
pub mod supervisor;

use std::future::{self, Future};
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper_util::server::graceful::GracefulShutdown;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub use access_log::{AccessLog, Format};
#[cfg(unix)]
pub use address::listen_unix;
pub use address::{ListenAddress, browsable, listen_tcp, reachable};
pub use connection::serve;
pub use limits::Limits;
pub use listener::{Listener, Peer};
pub use open_files::connections_within_limit;
pub use service::Service;
pub use signals::{Signals, panics_in_one_line};

use listener::Stream;

/// Pauses after an accept error that will not go away by trying again at once,
/// such as a full table of open files.
const ACCEPT_PAUSE_MIN: Duration = Duration::from_millis(5);
const ACCEPT_PAUSE_MAX: Duration = Duration::from_secs(1);

/// Between the end of accepting and the end of keep-alive: who has just
/// connected, or is about to use a connection again, gets to ask.
const DRAIN_GRACE: Duration = Duration::from_millis(250);

/// How often accept errors are reported at most.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every request whose head was read has its whole answer.
    Drained,
    /// `drain_timeout` ran out before that.
    CutOff,
}

/// Serves on `listener` until `shutdown` is ready, then drains: new
/// connections are refused, idle ones closed, running answers finished, within
/// `limits.drain_timeout`. The caller owns the socket and the moment to stop.
pub async fn run(
    listener: impl Into<Listener>,
    service: impl Into<Service>,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
) -> Ended {
    let service = service.into();
    let connections = GracefulShutdown::new();
    let mut door = Door {
        listener: listener.into(),
        places: Arc::new(Semaphore::new(limits.max_connections.get())),
        reported: None,
    };
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer, place) = tokio::select! {
            biased;
            () = &mut shutdown => break,
            accepted = door.accept() => accepted,
        };
        let (service, watcher) = (service.clone(), connections.watcher());
        tokio::spawn(async move {
            serve(stream, peer, service, limits, watcher).await;
            drop(place);
        });
    }
    // Who had connected before the wish to end is not turned away, and what
    // had arrived is read, before keep-alive ends.
    while let Some((stream, peer)) = door.listener.accept_waiting() {
        tokio::spawn(serve(stream, peer, service.clone(), limits, connections.watcher()));
    }
    drop(door);
    let (open, limit) = (connections.count(), limits.drain_timeout);
    eprintln!("recipelog-site: draining for at most {limit:?}, connections open: {open}");
    // The grace is part of the limit.
    let grace = if open > 0 { DRAIN_GRACE.min(limit / 2) } else { Duration::ZERO };
    tokio::time::sleep(grace).await;
    tokio::select! {
        () = connections.shutdown() => Ended::Drained,
        () = tokio::time::sleep(limit - grace) => Ended::CutOff,
    }
}

/// Where connections come in, as many as there are places.
struct Door {
    listener: Listener,
    places: Arc<Semaphore>,
    reported: Option<Instant>,
}

impl Door {
    /// The next connection, once there is a place for it: whoever comes while
    /// all are taken waits in the backlog. Errors are waited out.
    async fn accept(&mut self) -> (Stream, Peer, OwnedSemaphorePermit) {
        let Ok(place) = Arc::clone(&self.places).acquire_owned().await else {
            // Nobody closes the semaphore.
            return future::pending().await;
        };
        let mut pause = ACCEPT_PAUSE_MIN;
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => return (stream, peer, place),
                // The client left before its turn: the next one may not have.
                Err(error) if is_about_one_client(&error) => {}
                Err(error) => {
                    self.report(&error);
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(ACCEPT_PAUSE_MAX);
                }
            }
        }
    }

    fn report(&mut self, error: &io::Error) {
        if self.reported.is_none_or(|reported| reported.elapsed() >= REPORT_INTERVAL) {
            self.reported = Some(Instant::now());
            eprintln!("recipelog-site: cannot accept connections: {error}; trying again");
        }
    }
}

fn is_about_one_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    )
}
