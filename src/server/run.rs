//! Serves on worker threads (DECISION-10) until a shutdown request, then drains (WIRE-28).

use std::io;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::thread;

use http::Version;
use tokio::runtime::{Builder, LocalOptions};
use tokio::sync::watch;
use tokio::task::coop::consume_budget;
use tokio::task::{spawn_local, yield_now};

use super::admission::{AcceptorGuard, Connections, Phase};
use super::connection::{self, ByteStream, Service};
use super::limits::{ACCEPT_PAUSE, DRAIN_GRACE, END_TIMEOUT, Limits};
use super::listen::{Acceptor, WorkerSockets};
use super::peer::Peer;
use super::scheme::Scheme;
use crate::output::report;
use crate::problem::Problem;

/// The process-wide part of the server, which all workers share.
#[derive(Clone)]
struct Server {
    service: Arc<Service>,
    limits: Limits,
    /// Its `begin` tells acceptors and connections each phase of the drain, its `all_ended` waits for
    /// them, and its `abort_all` ends the connections that are left.
    connections: Arc<Connections>,
}

impl Server {
    /// Starts to accept from the sockets of one worker, on the runtime of the current thread.
    fn start_accepting(&self, sockets: WorkerSockets, guard: AcceptorGuard) -> io::Result<()> {
        let guard = Rc::new(guard);
        for (scheme, socket) in sockets.sockets {
            let acceptor = Acceptor::new(socket)?;
            spawn_local(self.clone().accept(scheme, acceptor, Rc::clone(&guard)));
        }
        Ok(())
    }

    /// Serves the connections of `acceptor`, until [`Phase::Finish`] and no connection is waiting.
    async fn accept(self, scheme: Scheme, acceptor: Acceptor, _guard: Rc<AcceptorGuard>) {
        let Self { service, limits, connections } = self;
        let mut notices = connections.notices();
        let mut end = pin!(async {
            let _ = notices.wait_for(|notice| notice.phase == Phase::Finish).await;
            // The runtime asks the kernel once more which sockets are ready.
            yield_now().await;
            // `accept` also returns without a connection when this task has to give others a turn.
            consume_budget().await;
        });
        loop {
            let accepted = tokio::select! {
                biased;
                accepted = acceptor.accept() => accepted,
                () = &mut end => return,
            };
            match accepted {
                Ok((transport, peer)) => {
                    let permit = connections.admit(peer).await;
                    let registration = Arc::clone(&permit.registration);
                    let service = Arc::clone(&service);
                    let task = spawn_local(async move {
                        let version = Version::HTTP_11;
                        connection::serve(transport, scheme, version, permit, &service, limits)
                            .await;
                    });
                    let _ = registration.task.set(task.abort_handle());
                }
                Err(error) => pause_after(error).await,
            }
        }
    }

    /// Lets all connections end, for at most the drain limit.
    async fn drain(&self) {
        let limit = self.limits.drain_timeout;
        let connections = &self.connections;
        connections.begin(Phase::Announce);
        let open = connections.open_count();
        report(format_args!("draining for at most {limit:?}, connections open: {open}"));
        let drained = tokio::time::timeout(limit, async {
            tokio::time::sleep(DRAIN_GRACE.min(limit / 2)).await;
            // Closing idle connections may free file descriptors that accepting the last
            // connections needs.
            connections.begin(Phase::Finish);
            connections.all_ended().await;
        });
        // A connection that is still open then is aborted.
        let _ = drained.await;
    }

    /// Closes all connections. True if every response is complete.
    async fn close_all(&self) -> bool {
        let mut is_finished = false;
        let aborted = tokio::time::timeout(END_TIMEOUT, async {
            // The workers may not have had a turn since the first signal.
            self.connections.accepting_ended().await;
            is_finished = !self.connections.is_unfinished();
            self.connections.abort_all();
            self.connections.all_ended().await;
        });
        let _ = aborted.await;
        is_finished
    }
}

/// Serves on the sockets of `workers`, until a `signal`. Then it accepts the waiting
/// connections, answers their requests and the requests under way, and closes all connections. At
/// the drain limit, or at a second signal, it closes the rest. The current thread is the
/// first worker; the others are threads of their own.
///
/// True if every response is complete, and every connection that was waiting was accepted
/// (WIRE-28). An error if a worker cannot be started.
pub async fn run(
    workers: Vec<WorkerSockets>,
    service: Service,
    limits: Limits,
    mut signal: impl AsyncFnMut(),
) -> io::Result<bool> {
    let connections = Connections::new(&limits, service.front.trusts_proxy);
    let server = Server { service: Arc::new(service), limits, connections };
    // Dropping `stop` ends the threads of the workers, after the last connection.
    let (stop, stopped) = watch::channel(());
    let mut threads = Vec::new();
    for (number, sockets) in workers.into_iter().enumerate() {
        // Here, because the drain also waits for a worker whose thread has not run yet.
        let guard = server.connections.register_acceptor();
        if number == 0 {
            server.start_accepting(sockets, guard)?;
        } else {
            threads.push(start_worker(number, server.clone(), sockets, guard, stopped.clone())?);
        }
    }
    signal().await;
    tokio::select! {
        () = server.drain() => {}
        () = signal() => server.connections.begin(Phase::Finish),
    }
    let is_complete = server.close_all().await;
    drop(stop);
    if is_complete {
        for thread in threads {
            // An error means that the worker panicked, which is already reported.
            let _ = thread.join();
        }
    }
    Ok(is_complete)
}

/// Waits until it makes sense to accept again.
async fn pause_after(error: io::Error) {
    // The next connection may succeed at once.
    if !matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    ) {
        let problem = Problem::of_process("cannot accept connections")(error);
        report(format_args!("{problem}; trying again"));
        tokio::time::sleep(ACCEPT_PAUSE).await;
    }
}

/// Starts a thread that serves on `sockets` until `stopped` closes.
fn start_worker(
    number: usize,
    server: Server,
    sockets: WorkerSockets,
    guard: AcceptorGuard,
    mut stopped: watch::Receiver<()>,
) -> io::Result<thread::JoinHandle<()>> {
    let work = move || -> io::Result<()> {
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build_local(LocalOptions::default())?;
        runtime.block_on(async {
            server.start_accepting(sockets, guard)?;
            // Nothing is ever sent: this waits until the sender is dropped.
            let _ = stopped.changed().await;
            Ok(())
        })
    };
    thread::Builder::new().name(format!("worker-{number}")).spawn(move || {
        if let Err(error) = work() {
            let what = format!("cannot start worker {number}");
            report(Problem::of_process(&*what)(error));
        }
    })
}

/// Serves a single connection, without a listening socket or a cap: over TLS if `service` has HTTPS.
/// Over plain HTTP/2, it is served as over TLS, for tests on the paused clock.
pub async fn serve_connection(
    transport: impl ByteStream + 'static,
    peer: Peer,
    service: Service,
    limits: Limits,
    version: Version,
) {
    let connections = Connections::new(&limits, service.front.trusts_proxy);
    let permit = connections.admit_beyond_cap(peer);
    let scheme = if service.acceptor().is_some() { Scheme::Https } else { Scheme::Http };
    connection::serve(Box::new(transport), scheme, version, permit, &service, limits).await;
}
