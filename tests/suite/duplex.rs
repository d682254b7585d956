//! A connection in memory. The fuzz targets use it too.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use recipelog_site::server::Transport;
use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf};

/// A stream in memory, without a kernel buffer for unread data.
pub struct Duplex(pub DuplexStream);

impl Transport for Duplex {
    fn has_unread_data(&self) -> bool {
        false
    }
}

impl AsyncRead for Duplex {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Duplex {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        content: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, content)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
