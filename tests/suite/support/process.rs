//! Child processes and the executable: how they start, what they write, and how they end. Ports for them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getrlimit, kill_process, prlimit, waitid,
};
use serde_json::Value;
use socket2::{Domain, Socket, Type};

/// Maximum time that a test waits for an event. It is long because a machine may be busy.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// Waits for an event that nothing reports.
pub fn wait_until(event: &str, mut is_true: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_true() {
        assert!(begun.elapsed() < DEADLINE, "waited in vain: {event}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Says on standard error that a test does nothing on this machine: tests/run counts these lines.
pub fn skip(reason: &str) {
    let thread = thread::current();
    let line = format!("{}: skipped: {reason}\n", thread.name().unwrap_or_default());
    // The macros for printing are silent in a test that passes.
    std::io::stderr().write_all(line.as_bytes()).expect("standard error");
}

/// A process that is killed on drop.
pub struct Running(pub Child);

impl Running {
    /// The lines on standard error, which is a pipe.
    pub fn console(&mut self) -> Lines {
        Lines::of(self.0.stderr.take().expect("a pipe"))
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> ExitStatus {
        let mut status = None;
        wait_until("the end of the process", || {
            status = self.0.try_wait().expect("a child process");
            status.is_some()
        });
        status.expect("it has ended")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails only for a process that has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Asserts that `command` ends with exit code `code` and one line on standard error, which
/// contains each of `parts`. Returns the line.
pub fn assert_rejected(mut command: Command, code: i32, parts: &[&str]) -> String {
    let mut process = Running(command.stderr(Stdio::piped()).spawn().expect("a process"));
    let console = process.console();
    let line = console.next().expect("a line");
    assert!(!line.contains(char::is_control), "{command:?}: {line:?}");
    for part in parts {
        assert!(line.contains(part), "{command:?}: {line} without {part}");
    }
    assert_eq!(console.next(), None, "{command:?}");
    assert_eq!(process.wait().code(), Some(code), "{command:?}");
    line
}

/// The lines of an output. A test that waits for one in vain fails after [`DEADLINE`].
pub struct Lines(Receiver<String>);

impl Lines {
    pub fn of(output: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output).lines().map_while(Result::ok);
            // Sending fails when the receiver has been dropped.
            output.try_for_each(|line| sender.send(line))
        });
        Self(lines)
    }

    /// The next line; `None` at the end of the output.
    pub fn next(&self) -> Option<String> {
        match self.0.recv_timeout(DEADLINE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no further line, and no end"),
        }
    }

    /// The next line if it has arrived.
    pub fn arrived(&self) -> Option<String> {
        self.0.try_recv().ok()
    }

    /// The next line that contains `text`.
    pub fn line_with(&self, text: &str) -> String {
        let begun = Instant::now();
        let mut others = Vec::new();
        while let Some(line) = self.next() {
            if line.contains(text) {
                return line;
            }
            others.push(line);
            assert!(begun.elapsed() < DEADLINE, "no line with {text:?} in {others:#?}");
        }
        panic!("no line with {text:?} in {others:#?}");
    }

    /// All remaining lines of a process that has ended.
    pub fn rest(&self) -> Vec<String> {
        std::iter::from_fn(|| self.next()).collect()
    }
}

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

/// A port on which no socket listens, and which no other process takes before its use: the kernel picks the ports of
/// port 0 and of outgoing connections from its ephemeral range, and this one is outside. Every call returns
/// a new one.
pub fn free_port() -> u16 {
    static CALLS: AtomicU16 = AtomicU16::new(0);
    let setting = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").expect("Linux");
    let range = setting.trim().split_once('\t').expect("two ports");
    let [first, last] = [range.0, range.1].map(|port| port.parse::<u16>().expect("a port"));
    // tests/shipping/checks.bash takes ports below.
    let all = 30_000..=u16::MAX;
    let mut ports: Vec<u16> = all.clone().filter(|port| !(first..=last).contains(port)).collect();
    // On a machine whose range has them all, a port may be taken in rare cases.
    if ports.is_empty() {
        ports.extend(all);
    }
    // Concurrent test runs begin at different ports.
    let first = std::process::id() as usize * 97;
    loop {
        let call = usize::from(CALLS.fetch_add(1, Ordering::Relaxed));
        let port = ports[(first + call) % ports.len()];
        // Does not listen: a child process that another thread starts has all sockets until it
        // executes its program, and a listening socket would keep the port from its user.
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        socket.set_reuse_address(true).expect("a socket");
        if socket.bind(&SocketAddr::from((Ipv4Addr::UNSPECIFIED, port)).into()).is_ok() {
            return port;
        }
    }
}

/// An address that refuses connections: no socket can listen on port 0.
pub const CLOSED: &str = "127.0.0.1:0";

pub fn run(mut command: Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the executable starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

/// The next line of the format `json`.
pub fn object(output: &Lines) -> Value {
    serde_json::from_str(&output.next().expect("a line")).expect("JSON")
}

/// The health check of a server without HTTPS.
pub fn check(address: &str) -> Command {
    command(&["healthcheck", "--listen", address])
}

pub fn assert_healthy(mut check: Command) {
    let output = check.output().expect("the executable starts");
    assert_eq!(output.status.code(), Some(0), "{check:?}: {output:?}");
}
