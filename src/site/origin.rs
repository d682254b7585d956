//! The origin at which the public reaches the site.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use crate::host_name::{self, in_brackets, port, split_port, without_brackets};

/// Scheme, host and optional port of RFC 6454, without a trailing slash: `https://recipes.example`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(pub(super) String);

impl Origin {
    /// The host without the port, and an IPv6 address without its brackets.
    pub fn host(&self) -> &str {
        let (_, authority) = self.0.split_once("://").unwrap_or_default();
        without_brackets(split_port(authority).0)
    }

    /// True if Strict-Transport-Security (RFC 6797) may be sent.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl FromStr for Origin {
    type Err = &'static str;

    fn from_str(origin: &str) -> Result<Self, Self::Err> {
        const PATH: &str = "expected no path, because the site is at the root of a host, such as \
                            https://recipes.example";
        const INVALID: &str = "expected an origin: scheme and host in ASCII without a path, such as \
                               https://recipes.example";
        // A trailing slash is often copied from the address bar of a browser.
        let lower = origin.strip_suffix('/').unwrap_or(origin).to_ascii_lowercase();
        let (scheme, authority) = lower.split_once("://").ok_or(INVALID)?;
        let default_port: u16 = match scheme {
            "https" => 443,
            "http" => 80,
            _ => return Err(INVALID),
        };
        if authority.contains('/') {
            return Err(PATH);
        }
        let (host, digits) = split_port(authority);
        let port = digits.map_or(Some(default_port), port).ok_or(INVALID)?;
        let host = match in_brackets(host) {
            // In the form that browsers send (RFC 5952).
            Some(address) => format!("[{}]", address.parse::<Ipv6Addr>().map_err(|_| INVALID)?),
            None if host_name::is_valid(host) || host.parse::<Ipv4Addr>().is_ok() => {
                host.to_owned()
            }
            None => return Err(INVALID),
        };
        match port {
            0 => Err(INVALID),
            // RFC 6454 §6.1: the default port of the scheme is omitted.
            _ if port == default_port => Ok(Self(format!("{scheme}://{host}"))),
            _ => Ok(Self(format!("{scheme}://{host}:{port}"))),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
