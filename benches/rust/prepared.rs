//! One prepared response for every path of a table of the site's size.

use std::collections::HashMap;
use std::error::Error;

use bytes::Bytes;
use http::header::{DATE, HeaderMap, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use http_body_util::Full;
use recipelog_site::site::{Settings, Site};

/// The table, and the response for all other paths.
pub struct Responses {
    table: HashMap<String, Prepared>,
    default: Prepared,
}

impl Responses {
    /// Reads the response, as HTTP/1.1 sends it, from `file`.
    pub fn read(file: &str) -> Result<Self, Box<dyn Error>> {
        let default = Prepared::parse(&std::fs::read(file)?)
            .ok_or_else(|| format!("{file} contains no HTTP response"))?;
        let site = Site::embedded(&Settings::default());
        let table = site.iter().map(|(path, _)| (path.to_owned(), default.clone())).collect();
        Ok(Self { table, default })
    }

    /// The response for `path`.
    pub fn respond(&self, path: &str) -> Response<Full<Bytes>> {
        self.table.get(path).unwrap_or(&self.default).response()
    }
}

#[derive(Clone)]
struct Prepared {
    status: StatusCode,
    headers: HeaderMap,
    content: Bytes,
}

impl Prepared {
    fn parse(response: &[u8]) -> Option<Self> {
        let end = response.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = str::from_utf8(&response[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(':')?;
            headers.append(
                name.parse::<HeaderName>().ok()?,
                HeaderValue::from_str(value.trim()).ok()?,
            );
        }
        // hyper adds Date itself.
        headers.remove(DATE);
        Some(Self { status, headers, content: Bytes::copy_from_slice(&response[end + 4..]) })
    }

    fn response(&self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.content.clone()));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers.clone();
        response
    }
}
