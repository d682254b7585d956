//! Tables of cases for HTTP/2: bytes to send after the preface, and the events that
//! they lead to.

use std::sync::Arc;

use recipelog_site::server::Limits;

use crate::fixture::site;
use crate::http2_client::{Client, Event, HEADERS, WHOLE, fields, frame, request};

pub const NO_ERROR: u32 = 0;
pub const PROTOCOL_ERROR: u32 = 1;
pub const FLOW_CONTROL_ERROR: u32 = 3;
pub const STREAM_CLOSED: u32 = 5;
pub const FRAME_SIZE_ERROR: u32 = 6;
pub const REFUSED_STREAM: u32 = 7;
pub const COMPRESSION_ERROR: u32 = 9;
pub const ENHANCE_YOUR_CALM: u32 = 11;

/// Name, bytes to send, and the first events.
pub type Case<'a> = (&'a str, Vec<u8>, &'a [Event]);

pub async fn assert_cases(cases: Vec<Case<'_>>) {
    let site = Arc::new(site());
    let mut failures = Vec::new();
    for (name, sent, expected) in cases {
        let mut client = Client::of(&site, Limits::default()).await;
        client.send(sent).await;
        let mut events = Vec::new();
        for _ in expected {
            events.push(client.event().await);
        }
        if events != expected {
            failures.push(format!("{name}: {events:?} instead of {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// A head with `more` fields after the pseudo-header fields.
pub fn head(more: &[(&str, &str)]) -> Vec<u8> {
    frame(HEADERS, WHOLE, 1, &fields(&[&request("GET", "/")[..], more].concat()))
}

/// A head with these fields alone.
pub fn bare(all: &[(&str, &str)]) -> Vec<u8> {
    frame(HEADERS, WHOLE, 1, &fields(all))
}
