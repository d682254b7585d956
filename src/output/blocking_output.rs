//! An output whose writes wait for space, although the process that started this one may have
//! set that they do not block (`O_NONBLOCK`).

use std::io::{self, ErrorKind, Write};
use std::time::Duration;

/// Interval at which a full output is tried again.
const SPACE_INTERVAL: Duration = Duration::from_millis(5);

/// An output that waits while it has no space.
#[derive(Debug)]
pub struct BlockingOutput<W>(pub W);

impl<W: Write> Write for BlockingOutput<W> {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        wait_for_space(|| self.0.write(content))
    }

    fn flush(&mut self) -> io::Result<()> {
        wait_for_space(|| self.0.flush())
    }
}

fn wait_for_space<T>(mut operation: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match operation() {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                std::thread::sleep(SPACE_INTERVAL);
            }
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe without space at every second write, which takes one byte at a time.
    #[derive(Default)]
    struct NonBlockingPipe {
        is_full: bool,
        text: Vec<u8>,
    }

    impl Write for NonBlockingPipe {
        fn write(&mut self, content: &[u8]) -> io::Result<usize> {
            self.is_full = !self.is_full;
            if self.is_full {
                return Err(ErrorKind::WouldBlock.into());
            }
            self.text.push(content[0]);
            Ok(1)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_pipe_whose_writes_do_not_block_gets_every_byte() {
        let mut output = BlockingOutput(NonBlockingPipe::default());
        output.write_all(b"first\nsecond\n").unwrap();
        assert_eq!(String::from_utf8(output.0.text).unwrap(), "first\nsecond\n");
    }
}
