//! The protocols that a handshake can agree on (RFC 7301, HTTP-30, DECISION-46).

/// The protocol of a connection on which an ACME authority validates a domain
/// (RFC 8737 §6.2).
pub const ACME_TLS_ALPN: &[u8] = b"acme-tls/1";

/// HTTP/2 over TLS (RFC 9113 §3.2).
pub const HTTP2_ALPN: &[u8] = b"h2";

/// HTTP/1.1 over TLS (RFC 7301 §6).
pub(super) const HTTP1_ALPN: &[u8] = b"http/1.1";
