//! Answers the requests of a connection, and sends the responses as far as the client's windows
//! allow.

use bytes::Buf;
use http::{HeaderValue, Response, StatusCode};

use super::error_code::{ErrorCode, Violation};
use super::protocol::{Goaway, Protocol};
use super::request_head::{HeadError, RequestHead};
use super::streams::{OPEN_MAX, Stream};
use super::upload::Upload;
use crate::server::body::ResponseBody;
use crate::server::date;

impl Protocol<'_> {
    /// Decodes the fields of a head. An error ends the connection: no later head can be decoded.
    pub(super) fn decode(&mut self, block: &[u8]) -> Result<RequestHead, ErrorCode> {
        let mut head = RequestHead::default();
        let decoded = self.decoder.decode(block, |field| head.add(field));
        decoded.map(|()| head).ok_or(ErrorCode::Compression)
    }

    /// Prepares the response to a request. [`Self::send`] sends it later, because the rest of the
    /// input can contain an error.
    pub(super) fn receive_request(
        &mut self,
        id: u32,
        is_end: bool,
        head: RequestHead,
    ) -> Result<(), Violation> {
        if matches!(self.goaway, Goaway::Final(last) if id > last) {
            self.abandon_unless(is_end, id);
            return Ok(());
        }
        if self.streams.open().len() == OPEN_MAX {
            self.abandon_unless(is_end, id);
            self.output.add_reset(id, ErrorCode::RefusedStream);
            return Ok(());
        }
        let peer = self.connection.peer;
        let (response, upload) = match head.into_request(!is_end) {
            Ok(request) => {
                #[cfg(all(debug_assertions, not(fuzzing)))]
                crate::server::panic_injection::inject(&request);
                let upload = if is_end { None } else { Upload::of(&request) };
                (self.service.answer(&request, peer), upload)
            }
            Err(HeadError::TooLarge) => {
                let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
                (self.service.reject(status, peer), None)
            }
            Err(HeadError::Malformed) => {
                self.abandon_unless(is_end, id);
                return Err(Violation::Stream(id, ErrorCode::Protocol));
            }
        };
        self.has_request = true;
        self.streams.add(Stream {
            id,
            window: self.initial_window,
            is_receiving: !is_end,
            upload,
            response: Some(Box::new(response)),
            content: None,
        });
        Ok(())
    }

    fn abandon_unless(&mut self, is_end: bool, id: u32) {
        if !is_end {
            self.streams.abandon(id);
        }
    }

    /// Adds what can be sent to the output, until that is full.
    pub(super) fn send(&mut self) {
        if self.goaway == Goaway::Last {
            return;
        }
        self.send_heads();
        let sent = self.send_content();
        let is_pending = self.streams.open().iter().any(|stream| stream.content.is_some());
        self.responses.record(sent, is_pending);
    }

    fn send_heads(&mut self) {
        self.counts.early_resets = 0;
        let mut date = None;
        let mut index = 0;
        while self.output.space() > 0
            && let Some(stream) = self.streams.open_mut().get_mut(index)
        {
            if !stream.is_ready() {
                index += 1;
                continue;
            }
            let Some(response) = stream.response.take() else { continue };
            if self.connection.is_ending() {
                self.announce_end();
            }
            if self.send_head(index, *response, date.get_or_insert_with(date::now)) {
                index += 1;
            } else {
                self.end_stream(index);
            }
        }
    }

    /// True if content follows.
    fn send_head(
        &mut self,
        index: usize,
        response: Response<ResponseBody>,
        date: &HeaderValue,
    ) -> bool {
        let (head, body) = response.into_parts();
        let stream = &mut self.streams.open_mut()[index];
        stream.content = body.into_content();
        let is_end = stream.content.is_none();
        self.output.add_head(stream.id, is_end, |block| {
            self.encoder.encode(head.status, &head.headers, date, block);
        });
        !is_end
    }

    /// The streams send in turn, a frame each. Returns the number of bytes.
    fn send_content(&mut self) -> u64 {
        let (mut waiting, mut sent) = (0, 0);
        while waiting < self.streams.open().len() {
            let space = self.output.space();
            if space == 0 {
                break;
            }
            if self.next_sender >= self.streams.open().len() {
                self.next_sender = 0;
            }
            let index = self.next_sender;
            let stream = &mut self.streams.open_mut()[index];
            let window = usize::try_from(stream.window.min(self.window)).unwrap_or(0);
            let content = stream.content.as_mut().filter(|_| window > 0);
            let Some(content) = content else {
                waiting += 1;
                self.next_sender += 1;
                continue;
            };
            waiting = 0;
            let count = content.remaining().min(window).min(space);
            self.output.add_content(stream.id, content, count);
            stream.window -= count as i64;
            self.window -= count as i64;
            sent += count as u64;
            if content.has_remaining() {
                self.next_sender += 1;
            } else {
                self.end_stream(index);
            }
        }
        sent
    }

    /// Sends the responses to requests without the rest of their content. True if there
    /// are any.
    pub(super) fn answer_uploads(&mut self, is_due: impl Fn(&Upload) -> bool) -> bool {
        let mut has_any = false;
        for stream in self.streams.open_mut() {
            has_any |= stream.upload.take_if(|upload| is_due(upload)).is_some();
        }
        has_any
    }
}
