//! Option values, and the parsers of their text.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use crate::server::ListenAddress;

/// An address to listen on for HTTPS.
pub(super) fn tcp_address(address: &str) -> Result<ListenAddress, &'static str> {
    match address.parse() {
        Ok(address @ ListenAddress::Tcp(_)) => Ok(address),
        _ => Err("not an address with a port, for example [::]:443"),
    }
}

/// A switch, as files with settings write it.
pub(super) fn switch(word: &str) -> Result<bool, &'static str> {
    match word.to_ascii_lowercase().as_str() {
        "1" | "true" | "t" | "yes" | "y" | "on" => Ok(true),
        "0" | "false" | "f" | "no" | "n" | "off" => Ok(false),
        _ => Err("neither yes nor no, for example 1 or 0"),
    }
}

pub(super) fn port(number: &str) -> Result<u16, &'static str> {
    number.parse().map_err(|_| "not a port from 0 to 65535, for example 8080")
}

pub(super) fn connection_count(number: &str) -> Result<NonZeroUsize, &'static str> {
    number.parse().map_err(|_| "not a whole number above zero, for example 4096")
}

/// Maximum number of worker threads: far above any machine, far below the
/// limits of an operating system.
const THREADS_MAX: usize = 1024;

pub(super) fn thread_count(number: &str) -> Result<NonZeroUsize, String> {
    let count = number.parse().ok().filter(|count: &NonZeroUsize| count.get() <= THREADS_MAX);
    count.ok_or_else(|| format!("not a whole number from 1 to {THREADS_MAX}, for example 2"))
}

pub(super) fn proxy_count(number: &str) -> Result<usize, &'static str> {
    number.parse().map_err(|_| "not a whole number, for example 1")
}

/// A duration as an operator writes it: `500ms`, `10s`, `2m`, `1h`, `14d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time(pub(super) Duration);

impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.0)
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(time: &str) -> Result<Self, String> {
        let digits = time.trim_end_matches(|character: char| character.is_ascii_alphabetic());
        let count: Option<u32> = digits.parse().ok().filter(|&count| count > 0);
        match (count, &time[digits.len()..]) {
            (Some(count), "ms") => Ok(Self(Duration::from_millis(count.into()))),
            (Some(count), "s") => Ok(Self(Duration::from_secs(count.into()))),
            (Some(count), "m") => Ok(Self(Duration::from_secs(u64::from(count) * 60))),
            (Some(count), "h") => Ok(Self(Duration::from_secs(u64::from(count) * 60 * 60))),
            (Some(count), "d") => Ok(Self(Duration::from_secs(u64::from(count) * 24 * 60 * 60))),
            _ => {
                Err("not a duration above zero with a unit, for example 500ms, 10s, 2m, 1h or 14d"
                    .to_owned())
            }
        }
    }
}

/// A duration of at least a second, or `0`.
pub(super) fn time_or_zero(time: &str) -> Result<Time, &'static str> {
    let second = Duration::from_secs(1);
    let parsed = if time == "0" { Some(Time(Duration::ZERO)) } else { time.parse().ok() };
    parsed
        .filter(|time| time.0.is_zero() || time.0 >= second)
        .ok_or("neither 0 nor a duration of at least a second, for example 1h or 365d")
}
