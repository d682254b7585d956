//! What failed, why, and what the operator can do about it, in one line (WIRE-27).

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};

use rustix::io::Errno;

pub(crate) type Cause = Box<dyn Error + Send + Sync>;

/// An error as the operator reads it: `WHAT: CAUSE; REMEDY`.
#[derive(Debug)]
pub struct Problem {
    what: String,
    cause: Option<Cause>,
    remedy: String,
}

impl Problem {
    /// A problem that needs no cause.
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), cause: None, remedy: remedy.into() }
    }

    /// The problem with its cause.
    pub fn because(self, cause: impl Into<Cause>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// The problem as the cause of `what`, with the same remedy.
    pub fn within(self, what: impl Into<String>) -> Self {
        Self::new(what, self.remedy).because(self.what)
    }

    /// What failed.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// A call that failed with `error`. `remedy` says what the operator can do about an error that not
    /// every call may end with.
    pub fn of<R: Into<String>>(
        what: impl Into<String>,
        error: io::Error,
        remedy: impl FnOnce(&io::Error) -> R,
    ) -> Self {
        use ErrorKind::*;
        let common = match (error.kind(), Errno::from_io_error(&error)) {
            (_, Some(Errno::MFILE)) => "raise the limit on open files",
            (_, Some(Errno::NFILE)) => "raise the machine's limit fs.file-max",
            (OutOfMemory, _) => "raise the limit on memory, or free some",
            (StorageFull | QuotaExceeded, _) => "free some space on the disk",
            _ => return Self::new(what, remedy(&error)).because(error),
        };
        Self::new(what, common).because(error)
    }

    /// The kind of the cause, if that is an error of the operating system.
    pub fn kind(&self) -> Option<ErrorKind> {
        self.cause.as_ref()?.downcast_ref().map(io::Error::kind)
    }
}

impl Error for Problem {}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.what)?;
        if let Some(cause) = &self.cause {
            write!(formatter, ": {}", words_of(cause))?;
        }
        write!(formatter, "; {}", self.remedy)
    }
}

/// The words of `error` that say why, without the number that says the same.
pub(crate) fn words_of(error: &impl fmt::Display) -> String {
    let text = error.to_string();
    let text = text.split(" (os error ").next().unwrap_or_default();
    text.trim_start_matches("failed to lookup address information: ").to_owned()
}
