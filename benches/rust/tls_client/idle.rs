//! Connections with HTTP/2 that stay idle after one response.

use std::error::Error;
use std::io::stdin;
use std::sync::Arc;

use bytes::Bytes;
use h2::client::SendRequest;
use http::Request;
use tokio::runtime::Builder;
use tokio::task::{JoinSet, spawn_blocking};
use tokio_rustls::TlsConnector;

use crate::connect::{Tickets, client, connect};

/// Handshakes at a time.
const CONCURRENT: usize = 64;

/// Opens connections, prints their number as JSON, and holds them until a line arrives on
/// standard input. There are fewer than `connections` if the server does not respond.
pub fn hold(port: u16, path: &str, connections: usize) -> Result<(), Box<dyn Error>> {
    let client = client(Arc::<Tickets>::default(), b"h2")?;
    let uri = format!("https://localhost:{port}{path}");
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        let mut opening = JoinSet::new();
        for turn in 0..CONCURRENT.min(connections) {
            let share = (connections + turn) / CONCURRENT.min(connections);
            let (client, uri) = (client.clone(), uri.clone());
            opening.spawn(async move {
                let mut opened = Vec::new();
                while opened.len() < share {
                    match open(&client, port, &uri).await {
                        Ok(connection) => opened.push(connection),
                        Err(_) => break,
                    }
                }
                opened
            });
        }
        let opened: Vec<_> = opening.join_all().await.into_iter().flatten().collect();
        println!("ready\n{{\"held\":{}}}", opened.len());
        // The runtime answers the server's frames meanwhile.
        spawn_blocking(|| stdin().read_line(&mut String::new())).await??;
        drop(opened);
        Ok(())
    })
}

/// A connection after its first response. It is open as long as the result lives.
async fn open(
    client: &TlsConnector,
    port: u16,
    uri: &str,
) -> Result<SendRequest<Bytes>, Box<dyn Error + Send + Sync>> {
    let stream = connect(client, port).await?;
    let (requests, connection) = h2::client::handshake(stream).await?;
    tokio::spawn(connection);
    let mut requests = requests.ready().await?;
    let request = Request::get(uri).header("accept-encoding", "gzip, deflate, br, zstd").body(())?;
    let (response, _) = requests.send_request(request, true)?;
    let mut content = response.await?.into_body();
    while let Some(part) = content.data().await {
        let length = part?.len();
        content.flow_control().release_capacity(length)?;
    }
    Ok(requests)
}
