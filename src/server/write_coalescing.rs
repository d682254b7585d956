//! Sends the head and the content of a short response with one system call
//! (DECISION-23).
//!
//! hyper passes them as two slices. The kernel needs more time for `writev` with
//! two slices than for `send` with one, by more than it takes to copy a short
//! response into one buffer (benches/peers).

use std::cell::RefCell;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::AsyncWrite;

/// Longest response that is copied, in bytes. Every compressed page of the site
/// fits, with its head.
const COPIED_MAX_BYTES: usize = 16 * 1024;

thread_local! {
    /// The buffer. It is empty again before another response is written.
    static COPY: RefCell<Vec<u8>> = RefCell::new(Vec::with_capacity(COPIED_MAX_BYTES));
}

/// Writes as much of `contents` as `stream` takes.
pub(super) fn poll_write<S: AsyncWrite>(
    stream: Pin<&mut S>,
    context: &mut Context<'_>,
    contents: &[IoSlice<'_>],
) -> Poll<io::Result<usize>> {
    if let [only] = contents {
        return stream.poll_write(context, only);
    }
    let length: usize = contents.iter().map(|content| content.len()).sum();
    if length > COPIED_MAX_BYTES {
        return stream.poll_write_vectored(context, contents);
    }
    COPY.with_borrow_mut(|copy| {
        copy.clear();
        for content in contents {
            copy.extend_from_slice(content);
        }
        stream.poll_write(context, copy)
    })
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    /// The lengths of the slices of each write.
    #[derive(Default)]
    struct Record(Vec<Vec<usize>>);

    impl AsyncWrite for Record {
        fn poll_write(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            content: &[u8],
        ) -> Poll<io::Result<usize>> {
            self.0.push(vec![content.len()]);
            Poll::Ready(Ok(content.len()))
        }

        fn poll_write_vectored(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            contents: &[IoSlice<'_>],
        ) -> Poll<io::Result<usize>> {
            self.0.push(contents.iter().map(|content| content.len()).collect());
            Poll::Ready(Ok(contents.iter().map(|content| content.len()).sum()))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn short_responses_are_sent_as_one_slice_and_long_ones_are_not_copied() {
        let long = vec![0; COPIED_MAX_BYTES];
        for (contents, expected) in [
            (&[&b"head"[..]][..], vec![vec![4]]),
            (&[b"head", b"content"], vec![vec![11]]),
            (&[b"head", &long], vec![vec![4, COPIED_MAX_BYTES]]),
            (&[&long], vec![vec![COPIED_MAX_BYTES]]),
        ] {
            let slices: Vec<IoSlice<'_>> =
                contents.iter().map(|content| IoSlice::new(content)).collect();
            let mut record = Record::default();
            let context = &mut Context::from_waker(Waker::noop());
            let written = poll_write(Pin::new(&mut record), context, &slices);
            let length: usize = contents.iter().map(|content| content.len()).sum();
            assert!(matches!(written, Poll::Ready(Ok(count)) if count == length));
            assert_eq!(record.0, expected);
        }
    }
}
