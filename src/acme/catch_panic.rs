//! A future whose panic does not end the task.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// The output of `future`, or `None` if it panics. The panic hook reports the panic;
/// the caller has to handle the changes that `future` made before the panic.
///
/// A task of its own would do the same, but it would still hold the lock of the state
/// folder for a moment after it was aborted.
pub(super) async fn catch_panic<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        polled.map_or(Poll::Ready(None), |polled| polled.map(Some))
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_a_future_that_panics_gives_no_output() {
        assert_eq!(catch_panic(async { 1 }).await, Some(1));
        let panicking = async {
            tokio::task::yield_now().await;
            panic!("by the test")
        };
        assert_eq!(catch_panic::<()>(panicking).await, None);
    }
}
