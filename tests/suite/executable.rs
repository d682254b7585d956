//! The executable itself, started as its users start it.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_recipelog-site");

/// Options for a port that nobody has.
pub const FREE_PORT: [&str; 2] = ["--listen", "127.0.0.1:0"];

/// Long enough for a machine that is busy with the other tests.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// The executable with `options`, without the settings of whoever runs the
/// tests.
pub fn command(options: &[&str]) -> Command {
    let mut command = Command::new(EXECUTABLE);
    command.args(options).env_clear().stdin(Stdio::null());
    command
}

/// `kill -s NAME`.
#[cfg(unix)]
pub fn signal(process: &Child, name: &str) {
    let id = process.id().to_string();
    let status = Command::new("kill").args(["-s", name, &id]).status().expect("kill starts");
    assert!(status.success(), "kill -s {name} {id}: {status}");
}

/// A server on a free port of this machine; ended when it is dropped.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    console: Receiver<String>,
}

impl Server {
    pub fn start(options: &[&str]) -> Self {
        Self::of(command(&[options, &FREE_PORT].concat()))
    }

    /// As the shell's `ulimit -n` limits it.
    #[cfg(unix)]
    pub fn start_with_open_files(limit: u32, options: &[&str]) -> Self {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &format!("ulimit -n {limit}; exec \"$0\" \"$@\""), EXECUTABLE]);
        command.args(options).args(FREE_PORT).env_clear().stdin(Stdio::null());
        Self::of(command)
    }

    /// As `command` says, with nobody at its standard output.
    pub fn of(command: Command) -> Self {
        Self::writing_to(Stdio::null(), command)
    }

    /// With `options`, and what it writes to standard output.
    pub fn start_with_output(options: &[&str]) -> (Self, ChildStdout) {
        let command = command(&[options, &FREE_PORT].concat());
        let mut server = Self::writing_to(Stdio::piped(), command);
        let output = server.child.stdout.take().expect("a pipe");
        (server, output)
    }

    fn writing_to(output: Stdio, mut command: Command) -> Self {
        let mut child =
            command.stdout(output).stderr(Stdio::piped()).spawn().expect("the executable starts");
        let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let (lines, console) = channel();
        thread::spawn(move || {
            // Whoever dropped the server reads no more lines.
            stderr.lines().map_while(Result::ok).try_for_each(|line| lines.send(line))
        });
        let mut server = Self { child, address: ([0, 0, 0, 0], 0).into(), console };
        let ready = server.line_with("ready on ");
        let address = ready.rsplit_once("http://").expect("an address").1;
        server.address = address.parse().expect("an address and a port");
        server
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line on standard error that holds `text`.
    pub fn line_with(&self, text: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.console.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("no line with {text:?} on standard error"));
            if line.contains(text) {
                return line;
            }
        }
    }

    /// The lines on standard error that nobody has read.
    pub fn lines(&self) -> Vec<String> {
        self.console.try_iter().collect()
    }

    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a child of ours").is_none()
    }

    /// How it ended and how long that took.
    pub fn wait(&mut self) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a child of ours") {
                return (status, begun.elapsed());
            }
            assert!(begun.elapsed() < PATIENCE, "the server does not end");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
