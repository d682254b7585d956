//! The Date field (RFC 9110 §6.6.1). hyper adds its own.

use std::cell::RefCell;
use std::time::SystemTime;

use http::HeaderValue;

thread_local! {
    /// The value of the current second.
    static CURRENT: RefCell<Option<(u64, HeaderValue)>> = const { RefCell::new(None) };
}

/// The value for a response that is sent now.
pub(super) fn now() -> HeaderValue {
    let now = SystemTime::now();
    let second = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    CURRENT.with_borrow_mut(|current| match current {
        Some((of, value)) if *of == second => value.clone(),
        _ => {
            let date = httpdate::fmt_http_date(now);
            let value = HeaderValue::try_from(date).expect("a date is visible ASCII");
            *current = Some((second, value.clone()));
            value
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_of_an_earlier_second_is_replaced() {
        CURRENT.set(Some((1, HeaderValue::from_static("old"))));
        let value = now();
        assert!(httpdate::parse_http_date(value.to_str().unwrap()).is_ok(), "{value:?}");
    }
}
