//! The Date field of responses over HTTP/2. Over HTTP/1.1, hyper adds it.

use std::cell::RefCell;
use std::time::{SystemTime, UNIX_EPOCH};

use http::HeaderValue;

thread_local! {
    /// The last value, and its second.
    static LAST: RefCell<(u64, HeaderValue)> =
        const { RefCell::new((0, HeaderValue::from_static(""))) };
}

/// The current time (RFC 9110 §6.6.1). Each worker formats it once per second.
pub(super) fn now() -> HeaderValue {
    let now = SystemTime::now();
    let second = now.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    LAST.with_borrow_mut(|(last, value)| {
        if *last != second {
            let text = httpdate::fmt_http_date(now);
            (*last, *value) = (second, HeaderValue::try_from(text).expect("ASCII"));
        }
        value.clone()
    })
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_date_follows_the_clock() {
        let first = now();
        sleep(Duration::from_secs(1));
        assert_ne!(now(), first);
    }
}
