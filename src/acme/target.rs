//! The server that an HTTPS URL names.

use http::uri::{PathAndQuery, Scheme};
use http::{HeaderValue, Uri};
use rustls::pki_types::ServerName;

const HTTPS_PORT: u16 = 443;

/// The server that a URL names, and the path there.
pub(super) struct Target {
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) host_field: HeaderValue,
    pub(super) server_name: ServerName<'static>,
    pub(super) path: PathAndQuery,
}

impl Target {
    pub(super) fn of(uri: &Uri) -> Result<Self, String> {
        // RFC 8555 §6.1: HTTPS only.
        if uri.scheme() != Some(&Scheme::HTTPS) {
            return Err(format!("{uri} is not an HTTPS URL"));
        }
        let invalid = || format!("{uri} has no valid host and port");
        let authority = uri.authority().ok_or_else(invalid)?;
        let host = authority.host();
        // The crate `http` accepts a user and password, and treats a port out of range
        // as no port.
        let port = match authority.as_str().strip_prefix(host).ok_or_else(invalid)? {
            "" => HTTPS_PORT,
            port => {
                port.strip_prefix(':').and_then(|port| port.parse().ok()).ok_or_else(invalid)?
            }
        };
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let server_name = ServerName::try_from(host.clone()).map_err(|_| invalid())?;
        let host_field = HeaderValue::try_from(authority.as_str()).map_err(|_| invalid())?;
        let path = uri.path_and_query().cloned();
        let path = path.unwrap_or_else(|| PathAndQuery::from_static("/"));
        Ok(Self { host, port, host_field, server_name, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_server_and_path() {
        for (url, host, port, field, path) in [
            ("https://ca.example/dir?a=b", "ca.example", 443, "ca.example", "/dir?a=b"),
            ("https://ca.example:9000", "ca.example", 9000, "ca.example:9000", "/"),
            ("https://[::1]:14000/dir", "::1", 14000, "[::1]:14000", "/dir"),
        ] {
            let target = Target::of(&url.parse().unwrap()).unwrap();
            assert_eq!((target.host.as_str(), target.port), (host, port));
            assert_eq!(
                (target.host_field.as_bytes(), target.path.as_str()),
                (field.as_bytes(), path)
            );
        }
    }

    #[test]
    fn urls_of_no_https_server_are_rejected() {
        for url in [
            "http://ca.example/dir",
            "/dir",
            "ca.example:443",
            "https://:443/dir",
            "https://ca.example:/dir",
            "https://ca.example:99999/dir",
            "https://user@ca.example/dir",
            "https://user:secret@ca.example:443/dir",
        ] {
            assert!(Target::of(&url.parse().unwrap()).is_err(), "{url}");
        }
    }
}
