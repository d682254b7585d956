//! The executable, started with options and environment variables.

use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getrlimit, kill_process, prlimit, waitid,
};

use crate::child_process::{Lines, Running, wait_until};

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_recipelog-site");

/// Options for a free port.
pub const FREE_PORT: [&str; 2] = ["--listen", "127.0.0.1:0"];

/// The executable with `options`, in an empty environment. Its standard output is a pipe.
pub fn command(options: &[&str]) -> Command {
    let mut command = Command::new(EXECUTABLE);
    command.args(options).env_clear().stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// The executable with `options` on a free port, and a limit that the shell's `ulimit` sets.
pub fn command_with_limit(limit: &str, options: &[&str]) -> Command {
    let mut command = Command::new("/bin/sh");
    // Another user may not have access to the path of the file.
    command.args(["-c", &format!("ulimit {limit}; exec /proc/self/fd/0 \"$@\""), "sh"]);
    command.args(options).args(FREE_PORT).env_clear().stdout(Stdio::piped());
    command.stdin(std::fs::File::open(EXECUTABLE).expect("the executable"));
    command
}

pub fn signal(process: &Child, signal: Signal) {
    let id = Pid::from_child(process);
    kill_process(id, signal).expect("a process");
    if signal == Signal::STOP {
        // Until then, threads may still run. A process that has ended is left for its owner.
        let state = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(id), state).expect("a child process");
    }
}

/// A server on a free port of this machine. It is killed on drop.
pub struct Server {
    child: Running,
    /// The address of plain HTTP; port 0 without one.
    pub address: SocketAddr,
    /// The address of HTTPS; port 0 without one.
    pub tls_address: SocketAddr,
    /// The addresses as the server prints them.
    pub ready: String,
    /// The unread lines on standard error.
    pub console: Lines,
}

impl Server {
    pub fn start(options: &[&str]) -> Self {
        Self::of(command(&[options, &FREE_PORT].concat()))
    }

    /// Starts `command`, which listens on these addresses. Does not wait until it does.
    pub fn starting(mut command: Command, address: SocketAddr, tls_address: SocketAddr) -> Self {
        let child = command.stderr(Stdio::piped()).spawn().expect("the executable starts");
        let mut child = Running(child);
        let console = child.console();
        Self { child, address, tls_address, ready: String::new(), console }
    }

    /// Starts `command`, and waits until it is ready.
    pub fn of(command: Command) -> Self {
        let none = SocketAddr::from(([0, 0, 0, 0], 0));
        let mut server = Self::starting(command, none, none);
        let ready = server.line_with("ready on ");
        let ready = ready.replace("localhost", "127.0.0.1");
        server.ready = ready.rsplit_once("ready on ").expect("addresses").1.to_owned();
        for address in server.ready.split([' ', ';']) {
            let parsed = |address: &str| address.parse().expect("an address and a port");
            match address.split_once("://") {
                Some(("http", address)) => server.address = parsed(address),
                Some((_, address)) => server.tls_address = parsed(address),
                None => {}
            }
        }
        server
    }

    /// Its standard output.
    pub fn output(&mut self) -> ChildStdout {
        self.child.0.stdout.take().expect("a pipe that was not taken")
    }

    pub fn id(&self) -> u32 {
        self.child.0.id()
    }

    /// The next line on standard error that contains `text`.
    pub fn line_with(&self, text: &str) -> String {
        self.console.line_with(text)
    }

    /// Sets the limit on open files to `limit`, and returns the old limit.
    pub fn set_open_files(&self, limit: Option<u64>) -> Option<u64> {
        let process = Some(Pid::from_child(&self.child.0));
        let limit = Rlimit { current: limit, ..getrlimit(Resource::Nofile) };
        prlimit(process, Resource::Nofile, limit).expect("a limit").current
    }

    pub fn signal(&self, signal: Signal) {
        self::signal(&self.child.0, signal);
    }

    /// Waits until the server has done all that it can with what has arrived: no thread runs
    /// or waits for a processor (proc(5)).
    pub fn wait_until_idle(&self) {
        let mut times_idle = 0;
        // Between two threads, or between the ends of a connection, there may be a moment.
        wait_until("an idle server", || {
            // The state follows the name, which is in parentheses.
            let is_idle = self.threads("stat").all(|stat| stat.contains(") S "));
            times_idle = if is_idle { times_idle + 1 } else { 0 };
            times_idle == 10
        });
    }

    /// The file `name` of each thread (proc(5)).
    pub fn threads(&self, name: &str) -> impl Iterator<Item = String> {
        let threads = std::fs::read_dir(format!("/proc/{}/task", self.id())).expect("a process");
        threads.flatten().map(move |thread| {
            std::fs::read_to_string(thread.path().join(name)).unwrap_or_default()
        })
    }

    /// Ends the server, and asserts that standard error has no unread lines except the
    /// drain's. While the server runs, a thread may not have written a line yet.
    pub fn assert_reported_nothing(mut self) {
        self.signal(Signal::TERM);
        let status = self.child.wait();
        let mut lines = self.console.rest();
        let ends =
            |line: &mut String| line.contains("draining for") || line.contains("ended, every");
        assert_eq!((lines.extract_if(.., ends).count(), status.code()), (2, Some(0)), "{lines:?}");
        assert_eq!(lines, Vec::<String>::new());
    }

    pub fn is_running(&mut self) -> bool {
        self.child.0.try_wait().expect("a child process").is_none()
    }

    /// Waits for the end of the process; returns its exit status and the time that
    /// passed.
    pub fn wait(&mut self) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        (self.child.wait(), begun.elapsed())
    }
}
