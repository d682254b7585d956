//! A client that sends given bytes over a connection in memory.

use std::future::Future;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use recipelog_site::server::{AccessLog, Format, Peer, Service};
use recipelog_site::site::{Settings, Site};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

/// The site, with an access log whose lines are made, but not written.
static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let log = AccessLog::start(Format::Json, 1).expect("a thread");
    log.finish();
    Service::new(Site::embedded(&Settings::default()).into(), None, Some(Arc::new(log)))
});

/// Capacity of the pipe. Responses are longer, so the server has to wait.
const PIPE_BYTES: usize = 4096;

/// Longer than the sum of all time limits. The clock of the runtime is paused and
/// advances to the next timer when all tasks wait.
const CONVERSATION_TIMEOUT: Duration = Duration::from_secs(600);

/// Sends the chunks `sent` to the connection that `serve` serves, and returns what was
/// received. If `is_closing`, the client then closes its side; otherwise a time limit of the server
/// ends the connection. Panics if the connection does not end.
pub fn converse<'a, F: Future<Output = ()>>(
    sent: impl Iterator<Item = &'a [u8]>,
    is_closing: bool,
    serve: impl FnOnce(DuplexStream, Peer, Service) -> F,
) -> Vec<u8> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        let (client, stream) = duplex(PIPE_BYTES);
        let (mut reader, mut writer) = tokio::io::split(client);
        let peer = Peer::Tcp(([127, 0, 0, 1], 1).into());
        let served = serve(stream, peer, SERVICE.clone());
        let send = async {
            for chunk in sent {
                // The server may have closed the connection.
                if writer.write_all(chunk).await.is_err() {
                    return;
                }
                tokio::task::yield_now().await;
            }
            if is_closing {
                let _ = writer.shutdown().await;
            }
        };
        let receive = async {
            let mut received = Vec::new();
            let _ = reader.read_to_end(&mut received).await;
            received
        };
        let conversation = async { tokio::join!(served, send, receive).2 };
        tokio::time::timeout(CONVERSATION_TIMEOUT, conversation)
            .await
            .expect("every connection ends")
    })
}
