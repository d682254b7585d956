//! The client's address behind trusted proxies (WIRE-29).

use std::net::{IpAddr, SocketAddr};

use http::header::{HeaderMap, HeaderName};

use crate::server::peer::Peer;

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The address that the outermost of `trusted_proxies` added to
/// X-Forwarded-For, or the peer's. Addresses further to the left can be forged.
pub(super) fn client_address(headers: &HeaderMap, trusted_proxies: usize, peer: Peer) -> String {
    if trusted_proxies == 0 {
        return peer.to_string();
    }
    let lines = headers.get_all(X_FORWARDED_FOR).iter();
    // Not as text, because a client can put other bytes in front of what proxies add.
    let addresses: Vec<&[u8]> =
        lines.flat_map(|line| line.as_bytes().split(|&byte| byte == b',')).collect();
    let index = addresses.len().checked_sub(trusted_proxies);
    index
        .and_then(|index| parse(addresses[index]))
        .map_or_else(|| peer.to_string(), |address| address.to_canonical().to_string())
}

/// An address as proxies write it: alone, in brackets, or with a port.
fn parse(member: &[u8]) -> Option<IpAddr> {
    let text = std::str::from_utf8(member).ok()?.trim();
    let unbracketed = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    unbracketed
        .unwrap_or(text)
        .parse()
        .ok()
        .or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn the_client_is_the_address_that_the_outermost_trusted_proxy_added() {
        let peer = Peer::Tcp("127.0.0.1:9".parse().unwrap());
        for (lines, trusted, expected) in [
            (&["203.0.113.7"][..], 0, "127.0.0.1"),
            (&["203.0.113.7"], 1, "203.0.113.7"),
            (&["forged, 203.0.113.7"], 1, "203.0.113.7"),
            (&["forged, 203.0.113.7, 198.51.100.2"], 2, "203.0.113.7"),
            (&["forged", "203.0.113.7", "198.51.100.2"], 2, "203.0.113.7"),
            (&["203.0.113.7:51234"], 1, "203.0.113.7"),
            // As a peer's address, which a socket for both families reports like this.
            (&["::ffff:203.0.113.7"], 1, "203.0.113.7"),
            (&["2001:db8::1"], 1, "2001:db8::1"),
            (&["[2001:db8::1]"], 1, "2001:db8::1"),
            (&["[2001:db8::1]:51234"], 1, "2001:db8::1"),
            (&["203.0.113.7"], 2, "127.0.0.1"),
            (&["203.0.113.7:port"], 1, "127.0.0.1"),
            (&["\"not an address\""], 1, "127.0.0.1"),
            (&[], 1, "127.0.0.1"),
        ] {
            let headers: HeaderMap =
                lines.iter().map(|line| (X_FORWARDED_FOR, line.parse().unwrap())).collect();
            assert_eq!(client_address(&headers, trusted, peer), expected, "{lines:?} {trusted}");
        }
    }

    #[test]
    fn a_member_that_is_not_text_does_not_hide_the_others() {
        let peer = Peer::Tcp("127.0.0.1:9".parse().unwrap());
        for (line, expected) in [
            (&b"\xff, 203.0.113.7"[..], "203.0.113.7"),
            (b"\xc3\xa4,203.0.113.7", "203.0.113.7"),
            (b"203.0.113.7, \xff", "127.0.0.1"),
            (b"203.0.113.7\xff", "127.0.0.1"),
        ] {
            let line = HeaderValue::from_bytes(line).unwrap();
            let headers = HeaderMap::from_iter([(X_FORWARDED_FOR, line.clone())]);
            assert_eq!(client_address(&headers, 1, peer), expected, "{line:?}");
        }
    }
}
