//! Requests with content on a connection with HTTP/2. The content is discarded.

use std::task::{Context, Poll, ready};

use h2::RecvStream;
use h2::server::SendResponse;
use http::header::EXPECT;
use http::request::Parts;
use http::{Method, Response};
use tokio::time::Instant;

use crate::server::body::{Content, ResponseBody};

/// Bytes of content that are discarded before the response is sent although more
/// may come.
const CONTENT_MAX_BYTES: usize = 64 * 1024;

/// A request whose content has not ended. The response waits for the end of the
/// content, because invalid content is an error of the stream. The request's head is
/// not kept: HPACK lets a client send a head that takes hundreds of times its bytes.
pub(super) struct Incoming {
    pub(super) response: Response<ResponseBody>,
    pub(super) content: RecvStream,
    pub(super) respond: SendResponse<Content>,
    /// The arrival of the request.
    pub(super) begun: Instant,
    discarded: usize,
    /// True if the client waits for the server before it sends content (RFC 9110
    /// §9.3.6, §10.1.1).
    awaits_response: bool,
}

impl Incoming {
    pub(super) fn new(
        request: &Parts,
        content: RecvStream,
        response: Response<ResponseBody>,
        respond: SendResponse<Content>,
    ) -> Self {
        let awaits_response =
            request.method == Method::CONNECT || request.headers.contains_key(EXPECT);
        let begun = Instant::now();
        Self { response, content, respond, begun, discarded: 0, awaits_response }
    }

    /// Ready once the content has ended, or need not be waited for.
    pub(super) fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<Result<(), h2::Error>> {
        if self.awaits_response {
            return Poll::Ready(Ok(()));
        }
        while let Some(data) = ready!(self.content.poll_data(context)) {
            let length = data?.len();
            self.discarded += length;
            if self.discarded > CONTENT_MAX_BYTES {
                return Poll::Ready(Ok(()));
            }
            self.content.flow_control().release_capacity(length)?;
        }
        self.content.poll_trailers(context).map_ok(drop)
    }
}
