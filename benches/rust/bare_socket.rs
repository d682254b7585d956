//! The floor of the side-by-side run: a bare tokio socket that answers
//! whatever it reads with one prepared buffer.
//!
//! `bare_socket PORT ANSWER-FILE`

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;

use recipelog_site::server::bind_tcp;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// More than any request of the run.
const REQUEST_MAX_BYTES: usize = 4096;

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let [port, file] = arguments()?;
    let answer: Arc<[u8]> = std::fs::read(file)?.into();
    let listener = TcpListener::from_std(bind_tcp(&format!("127.0.0.1:{port}"))?)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let answer = Arc::clone(&answer);
        // A client that leaves ends its own connection only.
        tokio::spawn(async move { serve(stream, &answer).await.ok() });
    }
}

async fn serve(mut stream: TcpStream, answer: &[u8]) -> io::Result<()> {
    let mut request = [0; REQUEST_MAX_BYTES];
    loop {
        let mut buffer = ReadBuf::new(&mut request);
        poll_fn(|context| Pin::new(&mut stream).poll_read(context, &mut buffer)).await?;
        if buffer.filled().is_empty() {
            return Ok(());
        }
        let mut rest = answer;
        while !rest.is_empty() {
            let written =
                poll_fn(|context| Pin::new(&mut stream).poll_write(context, rest)).await?;
            rest = &rest[written..];
        }
    }
}

fn arguments() -> io::Result<[String; 2]> {
    let usage = |_| io::Error::other("usage: bare_socket PORT ANSWER-FILE");
    std::env::args().skip(1).collect::<Vec<_>>().try_into().map_err(usage)
}
