//! Options, environment variables, error messages and exit codes.

use std::net::TcpListener;
use std::process::{Command, Output};

use crate::executable::{FREE_PORT, Server, command};
use crate::wire::Connection;

fn run(mut command: Command) -> (i32, String, String) {
    let Output { status, stdout, stderr } = command.output().expect("the executable starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code().expect("an exit code"), text(stdout), text(stderr))
}

/// Asserts that the command fails with one line on standard error that contains
/// `part`.
fn assert_fails(command: Command, expected_code: i32, part: &str) {
    let shown = format!("{command:?}");
    let (code, stdout, stderr) = run(command);
    assert_eq!((code, stdout.as_str()), (expected_code, ""), "{shown}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{shown}: {stderr}");
    assert!(stderr.starts_with("recipelog-site: "), "{shown}: {stderr}");
    assert!(stderr.contains(part), "{shown}: {stderr}");
}

#[test]
fn a_usage_error_is_one_line_and_exit_code_2() {
    for (options, part) in [
        (&["--nope"][..], "--nope"),
        (&["frobnicate"], "frobnicate"),
        (&["--listen", "nonsense"], "127.0.0.1:8080"),
        (&["--listen", ":8080"], "127.0.0.1:8080"),
        (&["--port", "99999"], "65535"),
        (&["--port", "http"], "for example 8080"),
        (&["--threads", "0"], "from 1 to 1024"),
        (&["--header-timeout", "5"], "10s"),
        (&["--idle-timeout", "0s"], "10s"),
        (&["--write-timeout=-1s"], "--write-timeout"),
        (&["--drain-timeout", "1h"], "10s"),
        (&["--max-connections", "0"], "4096"),
        (&["--max-connections", "many"], "4096"),
        (&["--trust-proxy", "x"], "example 1"),
        (&["--access-log", "xml"], "combined"),
        (&["--origin", "recipelog.example"], "https://recipelog.example"),
        (&["--origin", "https://recipelog.example/path"], "https://recipelog.example"),
        (&["--app-name", ""], "RecipeLog"),
        (&["--support-email", "nobody"], "support@recipelog.example"),
        (&["export"], "DIR"),
    ] {
        assert_fails(command(options), 2, part);
    }
}

#[test]
fn an_invalid_variable_is_a_usage_error() {
    for (name, value) in [
        ("LISTEN", "nonsense"),
        ("PORT", "99999"),
        ("THREADS", "1025"),
        ("ORIGIN", "nonsense"),
        ("HEADER_TIMEOUT", "5"),
        ("IDLE_TIMEOUT", "5"),
        ("WRITE_TIMEOUT", "5"),
        ("DRAIN_TIMEOUT", "5"),
        ("MAX_CONNECTIONS", "0"),
        ("ACCESS_LOG", "xml"),
        ("TRUST_PROXY", "all"),
    ] {
        let mut command = command(&[]);
        command.env(name, value);
        assert_fails(command, 2, value);
    }
}

#[test]
fn an_address_that_cannot_be_bound_is_one_line_and_exit_code_1() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    assert_fails(command(&["--listen", &address]), 1, "already in use");
    // RFC 5737: no machine has an address of TEST-NET-3.
    assert_fails(command(&["--listen", "203.0.113.1:8080"]), 1, "203.0.113.1:8080");
}

#[test]
fn port_0_picks_a_free_port_and_reports_it() {
    let (first, second) = (Server::start(&[]), Server::start(&[]));
    assert_ne!(first.address.port(), 0);
    assert_ne!(first.address, second.address);
    assert_eq!(Connection::open(first.address).get("/healthz").status, 200);
}

#[test]
fn an_option_overrides_its_variable() {
    // With the address in LISTEN, the server would not start.
    let mut command = command(&[&["--header-timeout", "5s"][..], &FREE_PORT].concat());
    command.env("LISTEN", "203.0.113.1:80").env("HEADER_TIMEOUT", "1s");
    let server = Server::of(command);
    assert_eq!(Connection::open(server.address).get("/healthz").status, 200);
}

#[test]
fn a_variable_applies_if_its_option_is_not_given() {
    let mut command = command(&FREE_PORT);
    command.env("APP_NAME", "Pans & Pots").env("ORIGIN", "https://pans.example");
    let server = Server::of(command);
    let reply = Connection::open(server.address).get("/");
    assert!(String::from_utf8_lossy(&reply.content).contains("Pans &amp; Pots"));
    assert!(reply.field("strict-transport-security").is_some());
}

/// Every option that has a variable.
const OPTIONS: [(&str, &str); 13] = [
    ("--listen", "LISTEN"),
    ("--port", "PORT"),
    ("--threads", "THREADS"),
    ("--origin", "ORIGIN"),
    ("--app-name", "APP_NAME"),
    ("--support-email", "SUPPORT_EMAIL"),
    ("--header-timeout", "HEADER_TIMEOUT"),
    ("--idle-timeout", "IDLE_TIMEOUT"),
    ("--write-timeout", "WRITE_TIMEOUT"),
    ("--drain-timeout", "DRAIN_TIMEOUT"),
    ("--max-connections", "MAX_CONNECTIONS"),
    ("--access-log", "ACCESS_LOG"),
    ("--trust-proxy", "TRUST_PROXY"),
];

#[test]
fn help_fits_a_terminal_of_80_columns_and_names_every_option_with_its_variable() {
    let (code, help, stderr) = run(command(&["--help"]));
    assert_eq!((code, stderr.as_str()), (0, ""));
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let unwrapped = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for (option, variable) in OPTIONS {
        assert!(unwrapped.contains(option), "{option}");
        assert!(unwrapped.contains(&format!("[env: {variable}]")), "{variable}");
    }
    // The state folder depends on the first of these that is set.
    for variable in ["$STATE_DIRECTORY", "$XDG_STATE_HOME", "~/.local/state"] {
        assert!(unwrapped.contains(variable), "{variable}");
    }
}

#[test]
fn the_manual_names_every_option_with_its_variable_every_command_and_exit_code() {
    let mut command = command(&["man"]);
    // The manual page must not depend on the environment.
    command.env("APP_NAME", "Pans & Pots");
    let (code, page, stderr) = run(command);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(!page.contains("Pans"), "{page}");
    // roff escapes a hyphen with a backslash.
    let page = page.replace("\\-", "-");
    for (option, variable) in OPTIONS {
        assert!(page.contains(&format!("\\fB{option}\\fR")), "{option}");
        assert!(page.contains(&format!("\\fB{variable}\\fR")), "{variable}");
    }
    for part in ["healthcheck", "export DIR [--force]", "completions SHELL", "0", "1", "2"] {
        assert!(page.contains(&format!(".TP\n\\fB{part}\\fR")), "{part}: {page}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let (code, stdout, _) = run(command(&["--version"]));
    assert_eq!(code, 0);
    assert!(stdout.starts_with(concat!("recipelog-site ", env!("CARGO_PKG_VERSION"))), "{stdout}");
}
