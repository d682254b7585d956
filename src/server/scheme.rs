//! Plain HTTP or HTTPS.

/// The protocol of a listening socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// HTTP/1.1 in plain text.
    Http,
    /// HTTP/1.1 and HTTP/2 over TLS.
    Https,
}

impl Scheme {
    /// The options that set an address of it.
    pub fn options(self) -> &'static str {
        match self {
            Self::Http => "--listen or --port",
            Self::Https => "--tls-listen",
        }
    }
}
