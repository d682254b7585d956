//! The text of option values: numbers, and durations such as `10s`.

use std::str::FromStr;
use std::time::Duration;

/// A parser of numbers, whose error is `problem`.
pub(crate) fn number<T: FromStr>(
    problem: &'static str,
) -> impl Fn(&str) -> Result<T, &'static str> + Clone {
    move |digits| digits.parse().map_err(|_| problem)
}

/// A duration as an operator writes it: `500ms`, `10s`, `2m`, `1h`, `14d`.
pub(crate) fn time(text: &str) -> Result<Duration, &'static str> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => Some(Duration::from_millis(1)),
        "s" => Some(Duration::from_secs(1)),
        "m" => Some(Duration::from_secs(60)),
        "h" => Some(Duration::from_secs(60 * 60)),
        "d" => Some(Duration::from_secs(24 * 60 * 60)),
        _ => None,
    };
    let count: Option<u32> = digits.parse().ok().filter(|&count| count > 0);
    let time = unit.zip(count).and_then(|(unit, count)| unit.checked_mul(count));
    time.ok_or("expected a time above zero with a unit, such as 500ms, 10s, 2m, 1h or 14d")
}

/// A duration of at least a second, or `0`.
pub(crate) fn time_or_zero(text: &str) -> Result<Duration, &'static str> {
    let parsed = if text == "0" { Some(Duration::ZERO) } else { time(text).ok() };
    parsed
        .filter(|time| time.is_zero() || time.as_secs() > 0)
        .ok_or("expected 0 or a time of at least a second, such as 1h or 365d")
}

/// `time` as [`time`] reads it.
pub(crate) fn shown(time: Duration) -> &'static str {
    format!("{time:?}").leak()
}
