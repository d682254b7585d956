//! The executable, started with options and environment variables.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_recipelog-site");

/// Options for a free port.
pub const FREE_PORT: [&str; 2] = ["--listen", "127.0.0.1:0"];

/// Maximum time that a test waits for an event. It is long because a machine may be busy.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// The executable with `options`, in an empty environment.
pub fn command(options: &[&str]) -> Command {
    let mut command = Command::new(EXECUTABLE);
    command.args(options).env_clear().stdin(Stdio::null());
    command
}

/// The path of a Unix-domain socket that does not exist yet.
#[cfg(unix)]
pub fn socket_path(name: &str) -> std::path::PathBuf {
    let path = std::env::temp_dir().join(format!("recipelog-{name}-{}.sock", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// `kill -s NAME`.
#[cfg(unix)]
pub fn signal(process: &Child, name: &str) {
    let id = process.id().to_string();
    let status = Command::new("kill").args(["-s", name, &id]).status().expect("kill starts");
    assert!(status.success(), "kill -s {name} {id}: {status}");
}

/// A server on a free port of this machine. It is killed on drop.
pub struct Server {
    child: Child,
    /// The address of plain HTTP; port 0 without one.
    pub address: SocketAddr,
    /// The address of HTTPS; port 0 without one.
    pub tls_address: SocketAddr,
    console: Receiver<String>,
}

impl Server {
    pub fn start(options: &[&str]) -> Self {
        Self::of(command(&[options, &FREE_PORT].concat()))
    }

    /// Starts with a limit on open files, set by the shell's `ulimit -n`.
    #[cfg(unix)]
    pub fn start_with_open_files(limit: u32, options: &[&str]) -> Self {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &format!("ulimit -n {limit}; exec \"$0\" \"$@\""), EXECUTABLE]);
        command.args(options).args(FREE_PORT).env_clear().stdin(Stdio::null());
        Self::of(command)
    }

    /// Starts `command` and discards its standard output.
    pub fn of(command: Command) -> Self {
        Self::writing_to(Stdio::null(), command)
    }

    /// Starts `command` with the standard output that the caller has set.
    #[cfg(unix)]
    pub fn with_own_output(command: Command) -> Self {
        Self::started(command)
    }

    /// Starts with `options`, and returns its standard output.
    pub fn start_with_output(options: &[&str]) -> (Self, ChildStdout) {
        Self::of_with_output(command(&[options, &FREE_PORT].concat()))
    }

    /// Starts `command`, and returns its standard output.
    pub fn of_with_output(command: Command) -> (Self, ChildStdout) {
        let mut server = Self::writing_to(Stdio::piped(), command);
        let output = server.child.stdout.take().expect("a pipe");
        (server, output)
    }

    fn writing_to(output: Stdio, mut command: Command) -> Self {
        command.stdout(output);
        Self::started(command)
    }

    fn started(mut command: Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the executable starts");
        let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let (lines, console) = channel();
        thread::spawn(move || {
            // Sending fails when the server and its receiver have been dropped.
            stderr.lines().map_while(Result::ok).try_for_each(|line| lines.send(line))
        });
        let none = SocketAddr::from(([0, 0, 0, 0], 0));
        let mut server = Self { child, address: none, tls_address: none, console };
        let ready = server.line_with("ready on ");
        let ready = ready.replace("localhost", "127.0.0.1");
        let addresses = ready.rsplit_once("ready on ").expect("addresses").1;
        for address in addresses.split(" and ") {
            let parsed = |address: &str| address.parse().expect("an address and a port");
            match address.split_once("://") {
                Some(("http", address)) => server.address = parsed(address),
                Some((_, address)) => server.tls_address = parsed(address),
                None => {}
            }
        }
        server
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line on standard error that contains `text`.
    pub fn line_with(&self, text: &str) -> String {
        let deadline = Instant::now() + DEADLINE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.console.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("no line with {text:?} on standard error"));
            if line.contains(text) {
                return line;
            }
        }
    }

    /// The unread lines on standard error.
    pub fn lines(&self) -> Vec<String> {
        self.console.try_iter().collect()
    }

    /// All unread lines on standard error of a process that has ended.
    pub fn last_lines(&self) -> Vec<String> {
        self.console.iter().collect()
    }

    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    /// Number of open sockets (proc(5)).
    #[cfg(target_os = "linux")]
    pub fn open_sockets(&self) -> usize {
        let files = std::fs::read_dir(format!("/proc/{}/fd", self.id())).expect("a process");
        let targets = files.flatten().filter_map(|file| std::fs::read_link(file.path()).ok());
        targets.filter(|target| target.to_string_lossy().starts_with("socket:")).count()
    }

    /// Resident memory in kilobytes (proc(5)).
    #[cfg(target_os = "linux")]
    pub fn resident_kilobytes(&self) -> u64 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", self.id())).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
        line.trim().trim_end_matches(" kB").parse().expect("digits")
    }

    /// User and system time in hundredths of a second (proc(5)).
    #[cfg(target_os = "linux")]
    pub fn processor_ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).expect("a process");
        let after_name = stat.rsplit_once(") ").expect("a name in brackets").1;
        let ticks = after_name.split(' ').skip(11).take(2);
        ticks.map(|ticks| ticks.parse::<u64>().expect("digits")).sum()
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a child process").is_none()
    }

    /// Waits for the end of the process; returns its exit status and the time that
    /// passed.
    pub fn wait(&mut self) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child process") {
                return (status, begun.elapsed());
            }
            assert!(begun.elapsed() < DEADLINE, "the server does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Errors are ignored, because `drop` cannot return them.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
