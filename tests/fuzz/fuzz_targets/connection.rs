//! Sends arbitrary bytes over a connection with parser, service and time limits.
//! The first byte of the input sets the size of the chunks of the other bytes.

#![no_main]

use std::sync::LazyLock;
use std::time::Duration;

use http::Version;
use libfuzzer_sys::fuzz_target;
use recipelog_site::server::{AccessLog, Format, Limits, Peer, Service, serve_connection};
use recipelog_site::site::{Settings, Site};
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
use tokio::runtime::{Builder, LocalOptions};

/// The site, with an access log whose lines are made, but not written.
static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let log = AccessLog::start(Format::Json, 1).expect("a thread").expect("a log");
    log.finish();
    Service::new(Site::embedded(&Settings::default()).into(), None, Some(log))
});

/// Capacity of the pipe. Responses are longer, so the server has to wait.
const PIPE_BYTES: usize = 4096;

/// Longer than the sum of all time limits. The clock of the runtime is paused and
/// advances to the next timer when all tasks wait.
const CONVERSATION_TIMEOUT: Duration = Duration::from_secs(600);

/// Sends the chunks, closes the sending side, and returns what was received.
async fn converse(chunks: impl Iterator<Item = &[u8]>) -> Vec<u8> {
    let (client, stream) = duplex(PIPE_BYTES);
    let (mut reader, mut writer) = tokio::io::split(client);
    let peer = Peer::Tcp(([127, 0, 0, 1], 1).into());
    let served = serve_connection(stream, peer, SERVICE.clone(), Limits::DEFAULT, Version::HTTP_11);
    let send = async {
        for chunk in chunks {
            // The server may have closed the connection.
            if writer.write_all(chunk).await.is_err() {
                return;
            }
            tokio::task::yield_now().await;
        }
        let _ = writer.shutdown().await;
    };
    let receive = async {
        let mut received = Vec::new();
        let _ = reader.read_to_end(&mut received).await;
        received
    };
    tokio::join!(served, send, receive).2
}

fuzz_target!(|input: &[u8]| {
    let Some((&chunk_size, sent)) = input.split_first() else { return };
    let mut runtime = Builder::new_current_thread();
    let runtime = runtime
        .enable_time()
        .start_paused(true)
        .build_local(LocalOptions::default())
        .expect("a runtime");
    let received = runtime.block_on(async {
        let chunks = sent.chunks(usize::from(chunk_size) + 1);
        let conversation = tokio::time::timeout(CONVERSATION_TIMEOUT, converse(chunks));
        conversation.await.expect("every connection ends")
    });
    assert!(received.is_empty() || received.starts_with(b"HTTP/1."), "not a response");
});
