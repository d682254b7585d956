//! Fields of a request that may have several lines or members.

use http::header::{HeaderMap, HeaderName, HeaderValue};

/// The value of a field that a request may have once; `None` without it or if it is repeated (RFC
/// 9110 §13.1.3, §13.1.4, §14.2).
pub(super) fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a HeaderValue> {
    let mut lines = headers.get_all(name).iter();
    lines.next().filter(|_| lines.next().is_none())
}

/// The bytes of each line of a field.
pub(super) fn lines<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a [u8]> {
    headers.get_all(name).iter().map(HeaderValue::as_bytes)
}

/// A weight in thousandths, 0 to 1000 (RFC 9110 §12.4.2).
pub(super) type Weight = u16;

const WEIGHT_MAX: Weight = 1000;

/// The members of a list such as Accept: several lines are one list (RFC 9110 §5.3). Each has its
/// weight; `None` if that is malformed.
pub(super) fn members<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = (&'a [u8], Option<Weight>)> {
    lines(headers, name).flat_map(|line| line.split(|&byte| byte == b',')).map(|member| {
        let mut parts = member.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
        (parts.next().unwrap_or_default(), weight(parts))
    })
}

/// The weight of a list member with these parameters: the maximum without a `q`, `None` if that
/// does not have the form `q=qvalue` without white space (§12.4.2).
fn weight<'a>(parameters: impl Iterator<Item = &'a [u8]>) -> Option<Weight> {
    for parameter in parameters {
        match parameter {
            [b'q' | b'Q', b'=', value @ ..] => return parse_weight(value),
            [b'q' | b'Q'] | [b'q' | b'Q', b' ' | b'\t', ..] => return None,
            _ => {}
        }
    }
    Some(WEIGHT_MAX)
}

fn parse_weight(value: &[u8]) -> Option<Weight> {
    let (whole, decimals) = match value {
        [whole @ (b'0' | b'1')] => (whole, &[][..]),
        [whole @ (b'0' | b'1'), b'.', decimals @ ..] if decimals.len() <= 3 => (whole, decimals),
        _ => return None,
    };
    let mut weight = Weight::from(whole - b'0') * WEIGHT_MAX;
    for (digit, unit) in decimals.iter().zip([100, 10, 1]) {
        if !digit.is_ascii_digit() {
            return None;
        }
        weight += Weight::from(digit - b'0') * unit;
    }
    (weight <= WEIGHT_MAX).then_some(weight)
}
