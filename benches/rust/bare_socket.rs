//! Baseline of the benchmarks: a tokio socket that sends one prepared buffer after
//! each read.
//!
//! `bare_socket PORT RESPONSE-FILE`

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use recipelog_site::server::bind_tcp;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Longer than any request of the benchmarks.
const REQUEST_MAX_BYTES: usize = 4096;

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let [port, file] = arguments()?;
    let response: Arc<[u8]> = std::fs::read(file)?.into();
    let listener = TcpListener::from_std(bind_tcp(&format!("127.0.0.1:{port}"))?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let response = Arc::clone(&response);
        // An error ends only this connection.
        tokio::spawn(async move { serve(stream, &response).await.ok() });
    }
}

async fn serve(mut stream: TcpStream, response: &[u8]) -> io::Result<()> {
    let mut request = [0; REQUEST_MAX_BYTES];
    loop {
        let mut buffer = ReadBuf::new(&mut request);
        poll_fn(|context| Pin::new(&mut stream).poll_read(context, &mut buffer)).await?;
        if buffer.filled().is_empty() {
            return Ok(());
        }
        let mut rest = response;
        while !rest.is_empty() {
            let written =
                poll_fn(|context| Pin::new(&mut stream).poll_write(context, rest)).await?;
            rest = &rest[written..];
        }
    }
}

fn arguments() -> io::Result<[String; 2]> {
    let usage = |_| io::Error::other("usage: bare_socket PORT RESPONSE-FILE");
    std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(usage)
}
