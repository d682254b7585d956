//! Names of hosts, and the parts of an address: `host:port`, `[host]:port`.

/// Maximum length of a name in characters (RFC 1035 §2.3.4, without the root label).
const NAME_MAX: usize = 253;

/// Maximum length of a label in characters (RFC 1035 §2.3.4).
const LABEL_MAX: usize = 63;

/// True for a name of ASCII labels that are separated by dots. A host whose last label is a number
/// is not a name but an IPv4 address (WHATWG URL §3.5).
pub(crate) fn is_valid(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_number = match last.strip_prefix("0x").or_else(|| last.strip_prefix("0X")) {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => last.bytes().all(|byte| byte.is_ascii_digit()),
    };
    name.len() <= NAME_MAX && !is_number && name.split('.').all(is_label)
}

/// Letters, digits and hyphens, with no hyphen at an end (RFC 1123 §2.1).
fn is_label(label: &str) -> bool {
    (1..=LABEL_MAX).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The host and the port of `host[:port]`. The host may be an IPv6 address in brackets.
pub(crate) fn split_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

/// The address in `[address]`, as a URL contains one of IPv6 (RFC 3986 §3.2.2).
pub(crate) fn in_brackets(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')
}

/// A name, or an address without the brackets.
pub(crate) fn without_brackets(host: &str) -> &str {
    in_brackets(host).unwrap_or(host)
}

/// The number of a port (RFC 3986 §3.2.3). Rust's own parser accepts a sign, too.
pub(crate) fn port(digits: &str) -> Option<u16> {
    digits.parse().ok().filter(|_| !digits.starts_with('+'))
}
