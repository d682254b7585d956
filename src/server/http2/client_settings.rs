//! The settings of a client (RFC 9113 §6.5).

use super::error_code::ErrorCode;
use super::frame::{self, Frame};
use super::protocol::Protocol;
use super::window;

impl Protocol<'_> {
    /// Applies the settings of a client, and acknowledges them.
    pub(super) fn receive_settings(&mut self, frame: Frame<'_>) -> Result<(), ErrorCode> {
        if frame.head.has(frame::ACK) {
            self.are_settings_known = true;
            return Ok(());
        }
        for setting in frame.payload.chunks_exact(6) {
            let &[i, j, a, b, c, d] = setting else { continue };
            self.apply_setting(u16::from_be_bytes([i, j]), u32::from_be_bytes([a, b, c, d]))?;
        }
        self.output.add(frame::SETTINGS, frame::ACK, 0, &[]);
        Ok(())
    }

    /// RFC 9113 §6.5.2.
    fn apply_setting(&mut self, id: u16, value: u32) -> Result<(), ErrorCode> {
        match id {
            frame::HEADER_TABLE_SIZE => self.encoder.allow_table_of(value as usize),
            frame::ENABLE_PUSH if value > 1 => return Err(ErrorCode::Protocol),
            frame::INITIAL_WINDOW_SIZE => {
                let size = i64::from(value);
                if size > window::BYTES_MAX {
                    return Err(ErrorCode::FlowControl);
                }
                // Windows can become negative (RFC 9113 §6.9.2).
                let change = size - self.initial_window;
                self.initial_window = size;
                for stream in self.streams.open_mut() {
                    window::extend(&mut stream.window, change)?;
                }
            }
            // Payloads are never longer than the smallest maximum.
            frame::MAX_FRAME_SIZE if !(1 << 14..1 << 24).contains(&value) => {
                return Err(ErrorCode::Protocol);
            }
            _ => {}
        }
        Ok(())
    }
}
