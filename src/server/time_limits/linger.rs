//! The lingering close (HTTP-25, DECISION-25): data that a client still sends is read
//! and discarded until the client closes too. Closing on unread data resets the connection, and the
//! reset can overtake the response (RFC 9112 §9.6).

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::Sleep;

/// A connection whose sending side is closed.
#[derive(Debug)]
pub(in crate::server) struct Linger {
    timer: Pin<Box<Sleep>>,
}

impl Linger {
    /// Maximum time in which data is discarded.
    pub(in crate::server) const TIMEOUT: Duration = Duration::from_secs(2);

    /// Begins now.
    pub(in crate::server) fn new() -> Self {
        Self { timer: Box::pin(tokio::time::sleep(Self::TIMEOUT)) }
    }

    /// Ready once the client has closed `stream`, or the time is over.
    pub(in crate::server) fn poll_discard(
        &mut self,
        stream: &mut (impl AsyncRead + Unpin),
        context: &mut Context<'_>,
    ) -> Poll<()> {
        let mut space = [0; 4096];
        loop {
            if self.timer.as_mut().poll(context).is_ready() {
                return Poll::Ready(());
            }
            let mut unread = ReadBuf::new(&mut space);
            let read = ready!(Pin::new(&mut *stream).poll_read(context, &mut unread));
            if read.is_err() || unread.filled().is_empty() {
                return Poll::Ready(());
            }
        }
    }
}
