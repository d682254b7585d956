//! Accepts connections for one worker.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::coop::consume_budget;
use tokio::task::yield_now;

use super::admission::{Connections, OpenConnection};
use super::listen::{Listener, Scheme};
use super::socket::Transport;
use crate::output::report;

/// Pause after an accept error that does not concern one client, such as a full table of open files. The
/// listening socket stays readable, so without it a worker would use all of a processor.
const PAUSE: Duration = Duration::from_secs(1);

/// Hands each connection of `listener` to `serve`. Ends once `ending` is true and no connection is waiting.
/// `connections` waits for this from the call on, not from the first poll on.
pub(super) fn accept(
    connections: Arc<Connections>,
    listener: Listener,
    mut ending: watch::Receiver<bool>,
    serve: impl Fn(Box<dyn Transport>, Scheme, Arc<OpenConnection>) + Send,
) -> impl Future<Output = ()> + Send {
    let guard = connections.register_acceptor();
    async move {
        let _guard = guard;
        let mut listener = match listener.register() {
            Ok(listener) => listener,
            Err(error) => return report(format_args!("cannot accept connections: {error}")),
        };
        let mut end = pin!(async {
            let _ = ending.wait_for(|&ending| ending).await;
            // The runtime asks the kernel once more which sockets are ready.
            yield_now().await;
            // `accept` also returns without a connection when this task has to give others a turn.
            consume_budget().await;
        });
        loop {
            let accepted = tokio::select! {
                biased;
                accepted = listener.accept() => accepted,
                () = &mut end => return,
            };
            match accepted {
                Ok((transport, peer, scheme)) => {
                    let connection = connections.admit(peer).await;
                    serve(transport, scheme, connection);
                }
                Err(error) => pause_after(&error).await,
            }
        }
    }
}

/// Waits until it makes sense to accept again.
async fn pause_after(error: &io::Error) {
    // The next connection may succeed at once.
    if !matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::Interrupted
    ) {
        report(format_args!("cannot accept connections: {error}; trying again"));
        tokio::time::sleep(PAUSE).await;
    }
}
