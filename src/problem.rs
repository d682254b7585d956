//! What failed, why, and what the operator can do about it, in one line (WIRE-27).

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;

use rustix::io::Errno;

type Cause = Box<dyn Error + Send + Sync>;

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

    /// A call about `subject` that failed with `error`, from which the remedy follows.
    pub fn of(what: impl Into<String>, subject: Subject<'_>, error: impl Into<Cause>) -> Self {
        let cause = error.into();
        Self::new(what, subject.remedy(cause.downcast_ref())).because(cause)
    }

    /// Like [`Self::of`], for what every process needs, such as threads and memory.
    pub fn of_process<E: Into<Cause>>(what: &'static str) -> impl Fn(E) -> Self + Copy {
        move |error| Self::of(what, Subject::Process, error)
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

/// What a call of the operating system was about.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A file that an option names.
    File(&'a Path),
    /// A folder in which files are written.
    Folder,
    /// The state folder of ACME, and a file in it.
    State,
    /// The path of a Unix socket to listen on.
    UnixSocket,
    /// A port to listen on, and the options that set it.
    Port(u16, &'a str),
    /// The server that the health check asks, and the options that set its address.
    Server(&'a str),
    /// Anything else.
    Process,
}

impl Subject<'_> {
    /// What the operator can do about `error`, or about a failure without an error.
    pub(crate) fn remedy(self, error: Option<&io::Error>) -> String {
        use ErrorKind::*;
        use Subject::*;
        let errno = error.and_then(Errno::from_io_error);
        let is_dangling = |path: &Path| path.is_symlink() && !path.exists();
        let remedy = match (self, error.map_or(Other, io::Error::kind)) {
            _ if errno == Some(Errno::MFILE) => "raise the limit on open files",
            _ if errno == Some(Errno::NFILE) => "raise the machine's limit fs.file-max",
            (_, OutOfMemory) => "raise the limit on memory, or free some",
            (_, StorageFull | QuotaExceeded) => "free some space on the disk",
            // The limit of the user, of the control group, or of the machine.
            (Process, WouldBlock) => "raise the limit on threads",
            // Older engines forbid clone3(2) with this error, so the C library does not fall back
            // to clone(2).
            (Process, PermissionDenied) => "update the container engine (Docker 20.10.10 or newer)",
            (Process, _) => {
                "check the seccomp profile of the container, and SystemCallFilter= of the unit"
            }

            // For example in a container that mounts only a folder of links.
            (File(path), NotFound) if path.ancestors().any(is_dangling) => {
                "a link leads nowhere; mount the folder of its target too"
            }
            (File(_), NotFound | NotADirectory) => "name a file that exists",
            (File(_), PermissionDenied) => "let this user read it",
            (File(_), InvalidInput) => "name one, not a pipe, device or folder",
            (File(_), FileTooLarge) => "name a smaller file",
            (File(_), _) => "remove the cause, or name another file",

            (Folder | UnixSocket, PermissionDenied | ReadOnlyFilesystem) => {
                "choose a folder that this user may write to"
            }
            (Folder, _) => "choose a new or empty folder",

            (State, PermissionDenied) => {
                "make this user the owner of the folder, or choose another with --acme-dir"
            }
            (State, InvalidInput | FileTooLarge) => {
                "remove it, or choose another folder with --acme-dir"
            }
            (State, _) => "choose another folder with --acme-dir",

            (UnixSocket, AddrInUse) => {
                "stop the process that listens there, remove a file that is not a socket, or \
                 choose another path"
            }
            (UnixSocket, NotFound | NotADirectory) => "choose a folder that exists",
            (UnixSocket, InvalidInput) => "choose a path of at most 107 bytes",
            (UnixSocket, _) => "choose another path",

            (Port(port, options), kind) => {
                let remedy = match kind {
                    NotFound => "choose an address, or a name that this machine can look up,",
                    AddrInUse => "stop the process that uses this address, or choose another",
                    AddrNotAvailable => "choose an address of this machine",
                    _ if errno == Some(Errno::PERM) => {
                        "let the system allow it, such as by SocketBindAllow= in the unit, or choose \
                         another address"
                    }
                    PermissionDenied if (1..1024).contains(&port) => {
                        "a port below 1024 needs rights: use sudo or the units of deploy/, or allow \
                         it with sudo setcap cap_net_bind_service=+ep FILE; or choose a port above \
                         1023"
                    }
                    _ => "choose another address",
                };
                return format!("{remedy} with {options}");
            }

            (Server(_), PermissionDenied) => "let this user connect to it",
            (Server(options), _) => {
                return format!("start the server, or set {options} to its address");
            }
        };
        remedy.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remedy_follows_from_the_error_and_its_subject() {
        let port = Subject::Port(80, "--listen or --port");
        let file = Subject::File(Path::new("/"));
        for (subject, error, remedy) in [
            (Subject::Process, Errno::AGAIN.into(), "raise the limit on threads"),
            (Subject::Process, Errno::PERM.into(), "update the container engine"),
            (Subject::Process, Errno::NOMEM.into(), "raise the limit on memory, or free some"),
            (
                Subject::Process,
                Errno::INVAL.into(),
                "check the seccomp profile of the container, and SystemCallFilter= of the unit",
            ),
            (port, Errno::MFILE.into(), "raise the limit on open files"),
            (Subject::UnixSocket, Errno::NFILE.into(), "raise the machine's limit fs.file-max"),
            (file, Errno::LOOP.into(), "remove the cause, or name another file"),
            (Subject::Folder, Errno::NOSPC.into(), "free some space on the disk"),
            (Subject::Folder, Errno::NOENT.into(), "choose a new or empty folder"),
            (Subject::State, Errno::IO.into(), "choose another folder with --acme-dir"),
            (port, Errno::ADDRNOTAVAIL.into(), "choose an address of this machine with --listen"),
            (port, Errno::ADDRINUSE.into(), "stop the process that uses this address"),
            (port, Errno::ACCESS.into(), "a port below 1024 needs rights"),
            (port, Errno::PERM.into(), "let the system allow it, such as by SocketBindAllow="),
            (port, ErrorKind::NotFound.into(), "choose an address, or a name that this machine"),
            (Subject::UnixSocket, Errno::ADDRINUSE.into(), "stop the process that listens there"),
            (Subject::UnixSocket, Errno::ACCESS.into(), "choose a folder that this user may"),
            (Subject::UnixSocket, Errno::NOENT.into(), "choose a folder that exists"),
            (Subject::UnixSocket, Errno::ROFS.into(), "choose a folder that this user may"),
            // Not for lack of rights to a port: a security module, for example.
            (Subject::Port(8080, "--port"), Errno::ACCESS.into(), "choose another address with"),
        ] {
            let found = subject.remedy(Some(&error));
            assert!(found.starts_with(remedy), "{subject:?}, {error}: {found}");
        }
    }

    #[test]
    fn a_line_states_what_failed_why_and_the_remedy() {
        let problem =
            Problem::of("cannot listen", Subject::UnixSocket, io::Error::from(Errno::ACCESS));
        let remedy = "choose a folder that this user may write to";
        assert_eq!(problem.to_string(), format!("cannot listen: Permission denied; {remedy}"));
        assert_eq!(problem.kind(), Some(ErrorKind::PermissionDenied));
        let problem = Problem::new("a is not empty", "choose another");
        assert_eq!(problem.to_string(), "a is not empty; choose another");
    }
}
