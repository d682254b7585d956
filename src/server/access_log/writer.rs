//! The thread that writes the lines to standard output (DECISION-33).

use std::io::{self, ErrorKind, Write};

use super::buffer::{Buffer, REPORT_INTERVAL};
use crate::diagnostics::report;

/// Capacity of the writer's buffer that is kept between batches, in bytes.
const KEPT_CAPACITY: usize = 64 * 1024;

/// Writes lines until the buffer is closed, or standard output has no reader.
pub(super) fn write_lines(buffer: &Buffer, mut output: impl Write) {
    let mut text = Vec::new();
    let mut is_last = false;
    while !is_last {
        is_last = buffer.take(&mut text);
        let mut rest = &text[..];
        let written = |text: &[u8]| buffer.record_written(text);
        if let Err(error) = write_whole_lines(&mut rest, &mut output, written) {
            if error.kind() == ErrorKind::BrokenPipe {
                buffer.close();
                report(format_args!("access log ends: standard output: {error}"));
                return;
            }
            let lost = rest.iter().filter(|&&byte| byte == b'\n').count() as u64;
            buffer.count_lost(lost, &error);
            if !is_last {
                // A full disk, for example, may have space again later.
                std::thread::sleep(REPORT_INTERVAL);
            }
        }
        text.clear();
        text.shrink_to(KEPT_CAPACITY);
    }
    buffer.report_losses();
}

/// Writes `text`. After an error, `text` holds the lines that were not written whole.
fn write_whole_lines(
    text: &mut &[u8],
    output: &mut impl Write,
    record_written: impl Fn(&[u8]),
) -> io::Result<()> {
    let mut written = 0;
    while written < text.len() {
        let error = match output.write(&text[written..]) {
            Ok(0) => ErrorKind::WriteZero.into(),
            Ok(count) => {
                record_written(&text[written..written + count]);
                written += count;
                continue;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => error,
        };
        let last_line_end = text[..written].iter().rposition(|&byte| byte == b'\n');
        let whole = last_line_end.map_or(0, |end| end + 1);
        if whole < written {
            // Ends the torn line before the next one, if that is possible.
            let _ = output.write(b"\n");
        }
        *text = &text[whole..];
        return Err(error);
    }
    *text = &[];
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes `space` bytes, then fails once, then takes everything.
    struct FullDisk {
        space: usize,
        has_failed: bool,
        text: Vec<u8>,
    }

    impl Write for FullDisk {
        fn write(&mut self, content: &[u8]) -> io::Result<usize> {
            let count = if self.has_failed { content.len() } else { content.len().min(self.space) };
            if count == 0 {
                self.has_failed = true;
                return Err(ErrorKind::StorageFull.into());
            }
            self.space = self.space.saturating_sub(count);
            self.text.extend_from_slice(&content[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_line_that_is_torn_by_a_full_disk_ends_before_the_next_one() {
        let mut output = FullDisk { space: 9, has_failed: false, text: Vec::new() };
        let mut text = &b"first\nsecond\nthird\n"[..];
        let error = write_whole_lines(&mut text, &mut output, |_| {}).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
        assert_eq!(text, b"second\nthird\n");
        write_whole_lines(&mut &b"fourth\n"[..], &mut output, |_| {}).unwrap();
        assert_eq!(String::from_utf8(output.text).unwrap(), "first\nsec\nfourth\n");
    }
}
