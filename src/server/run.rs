//! Serves on worker threads (DECISION-10) until a shutdown request, then drains (HTTP-28).

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::acceptor::Acceptor;
use super::admission::{Command, Connections};
use super::client::Peer;
use super::connection;
use super::http2;
use super::limits::Limits;
use super::listen::{Listener, Scheme};
use super::service::{Service, Services};
use super::time_limits::WriteTimeoutStream;
use super::transport::Transport;
use crate::diagnostics::report;

/// Grace period of the drain, in which idle connections stay open: a request
/// that is under way, or that waits on a new connection, is still answered.
const DRAIN_GRACE: Duration = Duration::from_millis(250);

/// The part of the drain limit that incomplete heads and handshakes have: a tenth, by
/// default 1 s. A request that is under way needs a moment; a client that sends half of
/// one and stops must not hold the restart up (DECISION-34).
const HEAD_GRACE_DIVISOR: u32 = 10;

/// Maximum time from the end of the drain to the end of serving.
pub const END_TIMEOUT: Duration = Duration::from_secs(2);

/// The part of it in which the workers answer the requests that have arrived. In the rest they
/// close the connections.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(1500);

/// How serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every request that had arrived has its whole response, and every
    /// connection that was waiting was accepted (HTTP-28).
    Drained,
    /// The drain limit ran out before that.
    CutOff,
    /// A second signal came before that.
    Aborted,
}

/// The process-wide part of the server, which all workers share.
#[derive(Clone, Debug)]
struct Server {
    services: Services,
    limits: Limits,
    connections: Arc<Connections>,
}

impl Server {
    fn new(services: Services, limits: Limits) -> Self {
        Self { services, limits, connections: Connections::new(&limits) }
    }

    /// Serves the connections of `listener` on the runtime of the current
    /// thread.
    async fn work(
        self,
        acceptor: Acceptor,
        listener: Listener,
        draining: watch::Receiver<bool>,
    ) -> io::Result<()> {
        let server = self;
        acceptor
            .run(listener, draining, move |stream, scheme, connection| {
                let server = server.clone();
                tokio::spawn(async move {
                    let Server { services, limits, .. } = server;
                    connection::serve(stream, scheme, connection, &services, limits).await;
                });
            })
            .await
    }

    /// Waits for the end of all connections, for at most the drain limit.
    async fn drain(&self) {
        let limit = self.limits.drain_timeout;
        let connections = &self.connections;
        let drained = tokio::time::timeout(limit, async {
            let mut grace = pin!(tokio::time::sleep(DRAIN_GRACE.min(limit / 2)));
            // Where accepting fails, for example for lack of file descriptors, it can
            // take longer than the grace period. Closing idle connections frees some.
            tokio::select! {
                () = connections.accepting_ended() => {}
                () = &mut grace => {}
            }
            let open = connections.open_count();
            report(format_args!("draining for at most {limit:?}, connections open: {open}"));
            tokio::select! {
                () = connections.all_ended() => return,
                () = grace => {}
            }
            connections.give_all(Command::Finish);
            // The time for incomplete heads and handshakes begins after the last connection
            // has been accepted.
            connections.accepting_ended().await;
            tokio::select! {
                () = connections.all_ended() => return,
                () = tokio::time::sleep(limit / HEAD_GRACE_DIVISOR) => {}
            }
            connections.give_all(Command::Yield);
            connections.all_ended().await;
        });
        let _ = drained.await;
    }

    /// Answers the requests that have arrived, without waiting for a client, and closes all
    /// connections. True if every request has its whole response.
    async fn end(&self) -> bool {
        let connections = &self.connections;
        let end = Instant::now() + END_TIMEOUT;
        // The workers may not have had a turn since the first signal, or since the process was
        // stopped.
        connections.give_all(Command::Settle);
        let _ = tokio::time::timeout(ANSWER_TIMEOUT, connections.settled()).await;
        let is_finished = !connections.is_unfinished();
        // Each connection has its line in the access log.
        connections.give_all(Command::Abort);
        let _ = tokio::time::timeout_at(end, connections.all_ended()).await;
        is_finished
    }
}

/// Serves on `listeners`, one worker each, until `shutdown` is ready. Then it
/// accepts the connections that are waiting, answers their requests and those
/// under way, and closes all connections. After the drain limit, or once `abort`
/// is ready, it waits for no client any more. The first worker is the current
/// thread; the others are threads of their own.
///
/// An error if the first worker cannot accept.
pub async fn run(
    listeners: Vec<Listener>,
    services: impl Into<Services>,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
    abort: impl Future<Output = ()>,
) -> io::Result<Ended> {
    let server = Server::new(services.into(), limits);
    let (drain, draining) = watch::channel(false);
    let (end, ended) = watch::channel(());
    let mut workers = Vec::new();
    let mut first_worker = None;
    for (number, listener) in listeners.into_iter().enumerate() {
        let acceptor = Acceptor::new(&server.connections);
        let work = server.clone().work(acceptor, listener, draining.clone());
        if first_worker.is_none() {
            first_worker = Some(work);
        } else {
            match start_worker(number, work, ended.clone()) {
                Ok(worker) => workers.push(worker),
                // The socket of this worker may have its own queue of connections, which no
                // other worker accepts. The first worker's thread serves it instead.
                Err((error, work)) => {
                    report(format_args!(
                        "cannot start worker {number}: {error}; the first worker replaces it"
                    ));
                    tokio::spawn(report_failure(number, work));
                }
            }
        }
    }
    let drained = async {
        shutdown.await;
        server.connections.begin_drain();
        drain.send_replace(true);
        let cut_off = tokio::select! {
            () = server.drain() => Ended::CutOff,
            () = abort => Ended::Aborted,
        };
        if server.end().await { Ended::Drained } else { cut_off }
    };
    let first_worker = async {
        match first_worker {
            Some(work) => work.await,
            None => Ok(()),
        }
    };
    let mut drained = pin!(drained);
    let result = tokio::select! {
        ended = &mut drained => ended,
        worked = first_worker => {
            // The worker accepts no more, and this thread still serves its connections.
            worked?;
            drained.await
        }
    };
    drop(end);
    if result == Ended::Drained {
        for worker in workers {
            // An error means that the worker panicked, which is already reported.
            let _ = worker.join();
        }
    }
    Ok(result)
}

/// Starts a thread that runs `work`, and then the connections that it spawned
/// until `ended` closes. On an error, `work` is returned too.
fn start_worker<W>(
    number: usize,
    work: W,
    mut ended: watch::Receiver<()>,
) -> Result<thread::JoinHandle<()>, (io::Error, W)>
where
    W: Future<Output = io::Result<()>> + Send + 'static,
{
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = match builder.enable_io().enable_time().build() {
        Ok(runtime) => runtime,
        Err(error) => return Err((error, work)),
    };
    // The thread receives the work once it runs, so that the caller gets the work back if the
    // thread cannot be started.
    let (send, receive) = mpsc::channel::<(tokio::runtime::Runtime, W)>();
    let thread = thread::Builder::new().name(format!("worker-{number}")).spawn(move || {
        let Ok((runtime, work)) = receive.recv() else { return };
        runtime.block_on(async {
            report_failure(number, work).await;
            // Nothing is ever sent: this waits until the sender is dropped.
            let _ = ended.changed().await;
        });
    });
    match thread {
        Ok(thread) => {
            // The thread is waiting to receive, so this cannot fail.
            let _ = send.send((runtime, work));
            Ok(thread)
        }
        Err(error) => {
            // Dropping it would block, which an asynchronous context forbids.
            runtime.shutdown_background();
            Err((error, work))
        }
    }
}

async fn report_failure(number: usize, work: impl Future<Output = io::Result<()>>) {
    if let Err(error) = work.await {
        report(format_args!("cannot accept on worker {number}: {error}"));
    }
}

/// Serves a single connection, without a listener or a cap.
pub async fn serve_connection(
    stream: impl Transport,
    peer: Peer,
    service: impl Into<Services>,
    limits: Limits,
) {
    let connection = Connections::new(&limits).admit_beyond_cap(peer);
    connection::serve(stream, Scheme::Http, connection, &service.into(), limits).await;
}

/// Serves a single connection with HTTP/2, without TLS.
pub async fn serve_http2_connection(
    stream: impl Transport,
    peer: Peer,
    service: impl Into<Service>,
    limits: Limits,
) {
    let connection = Connections::new(&limits).admit_beyond_cap(peer);
    let stream = WriteTimeoutStream::new(stream, &limits, Arc::clone(&connection.state));
    http2::serve(stream, &connection, &service.into(), limits).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{Settings, Site};

    /// The service manager kills the process after its own limit (HTTP-28).
    #[tokio::test(start_paused = true)]
    async fn both_waits_of_the_end_have_one_limit() {
        let service = Service::from(Arc::new(Site::embedded(&Settings::default())));
        let server = Server::new(service.into(), Limits::default());
        let connection = server.connections.admit_beyond_cap(Peer::Unix);
        let begun = Instant::now();
        let closing = async {
            tokio::time::sleep(Duration::from_millis(1600)).await;
            connection.state.command()
        };
        assert_eq!(tokio::join!(server.end(), closing), (false, Command::Abort));
        assert!(begun.elapsed().abs_diff(Duration::from_secs(2)) < Duration::from_millis(50));
    }
}
