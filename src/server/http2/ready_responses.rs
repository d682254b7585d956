//! The responses to the requests that have arrived together.

use std::sync::Arc;

use h2::server::SendResponse;
use http::Response;
use http::header::DATE;

use crate::server::body::{Content, ResponseBody};
use crate::server::date;
use crate::server::pending_responses::PendingResponses;

/// Responses that are not handed to h2 yet. h2 sends all that it has whenever it is asked
/// for another request. It gets the responses only after the last request, so that they
/// leave together (DECISION-53).
#[derive(Default)]
pub(super) struct ReadyResponses(Vec<(Response<ResponseBody>, SendResponse<Content>)>);

impl ReadyResponses {
    pub(super) fn add(&mut self, response: Response<ResponseBody>, respond: SendResponse<Content>) {
        self.0.push((response, respond));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn are_several(&self) -> bool {
        self.0.len() > 1
    }

    /// Hands all responses to h2. Those with content are counted in `responses`. A
    /// stream that the client has reset gets none.
    pub(super) fn send(&mut self, responses: &Arc<PendingResponses>) {
        // Frees the space: few clients send many requests at a time again.
        for (response, mut respond) in std::mem::take(&mut self.0) {
            let (mut head, body) = response.into_parts();
            head.headers.insert(DATE, date::now());
            let content = body.into_content(responses);
            let head = Response::from_parts(head, ());
            if let Ok(mut stream) = respond.send_response(head, content.is_none())
                && let Some(content) = content
            {
                let _ = stream.send_data(content, true);
            }
        }
    }
}
