//! WIRE-25, PAGE-13: options, variables and their values in the helps and in the documents; error messages and exit
//! codes.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::net::TcpListener;
use std::os::unix::ffi::OsStrExt;
use std::process::Stdio;

use recipelog_site::cli;
use tempfile::tempdir;

use crate::support::files::write_script;
use crate::support::process::{FREE_PORT, Running, Server, assert_rejected, command, run};
use crate::support::texts::{assert_outcomes, assert_text, command_of, file};
use crate::support::tls::TlsServer;

#[test]
fn a_usage_error_gives_one_line_and_exit_code_2() {
    assert_outcomes("usage-errors", |line| assert_rejected(command_of(line), 2, &[]));
    assert_rejected(command(&["\u{1b}[31mred"]), 2, &[r"'\u{1b}[31mred'"]);
}

/// A line is an option and several values that have the same outcome. Commands take the options of the server.
#[test]
fn a_value_of_an_option_is_accepted_or_refused_with_an_example() {
    assert_outcomes("values", |line| {
        let (option, values) = line.split_once(' ').expect("an option and values");
        let outcomes = values.split(' ').map(|value| {
            match run(command(&["man", &format!("{option}={value}")])) {
                (2, _, error) => {
                    error.split_once(">': ").expect("a reason").1.trim_end().to_owned()
                }
                (code, ..) => format!("exit code {code}"),
            }
        });
        outcomes.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("\n")
    });
}

#[test]
fn a_variable_or_an_argument_that_is_not_utf_8_is_named() {
    let text = OsStr::from_bytes(b"a\xff");
    let mut by_variable = command(&[]);
    by_variable.env("LISTEN", text);
    assert_rejected(by_variable, 2, &["LISTEN is not UTF-8; set it to text in UTF-8"]);
    let mut by_argument = command(&["--app-name"]);
    by_argument.arg(text);
    assert_rejected(by_argument, 2, &["argument 'a\u{fffd}' is not UTF-8; write it in UTF-8"]);
}

#[test]
fn variables_may_be_written_as_tools_write_them() {
    let on = ["1", "yes", "TRUE"].map(|switch| (switch, true));
    let off = ["0", "off", ""].map(|switch| (switch, false));
    for (switch, is_on) in on.into_iter().chain(off) {
        let mut command = command(&[]);
        command.env("LISTEN", " 127.0.0.1:0,\r\n").env("QR", format!("{switch} \r"));
        command.env("PORT", "").env("IDLE_TIMEOUT", " 10s\r").env("APP_NAME", " \r");
        let server = Server::of(command);
        if is_on {
            server.line_with("no address for --qr");
        } else {
            server.assert_reported_nothing();
        }
    }
}

#[test]
fn a_variable_that_a_command_does_not_read_does_not_end_it() {
    let mut command = command(&["licenses"]);
    command.env("PORT", "abc").env("OPEN", "maybe").env("LISTEN", "'a'");
    assert_eq!(run(command).0, 0);
}

/// The lines of a start, which fails or is ready. An option overrides its variable, and --port overrides --listen.
#[test]
fn the_start_says_what_the_pages_lack_where_messages_go_and_why_it_fails() {
    assert_outcomes("starts", |line| {
        let mut server = Running(command_of(line).stderr(Stdio::piped()).spawn().unwrap());
        let (console, mut lines) = (server.console(), Vec::new());
        while !lines.last().is_some_and(|line: &String| line.contains("ready on")) {
            let Some(line) = console.next() else { break };
            lines.push(line);
        }
        let text = lines.join("\n");
        // The port is a free one, and a second URL is for the network of the machine.
        let text = text.split(" and http").next().unwrap_or_default();
        text.trim_end_matches(|last: char| last.is_ascii_digit()).to_owned()
    });
    // No name has an empty part, so no name server is asked.
    let remedy = "choose an address, or a name that this machine can look up, with --listen";
    assert_rejected(command(&["--listen", "a..b:8080"]), 1, &[remedy]);
}

/// The test holds the default port, unless another process does.
#[test]
fn a_browser_gets_another_port_if_the_default_one_is_in_use_and_its_failure_is_reported_in_words() {
    let _taken = TcpListener::bind("[::]:8080").or_else(|_| TcpListener::bind("0.0.0.0:8080"));
    let folder = tempdir().unwrap();
    // `xdg-open` exits with 3 where there is no browser.
    write_script(&folder, "xdg-open", "exit 3");
    let mut opening = command(&[]);
    opening.env("OPEN", "true").env("PATH", folder.path());
    let mut server = Running(opening.stderr(Stdio::piped()).spawn().unwrap());
    // It may come before the line with "ready on".
    let line = server.console().line_with("browser");
    let (start, rest) = line.split_once("http://localhost:").expect("a URL");
    assert_eq!(start, "recipelog-site: cannot open a browser; open ");
    assert!(rest.ends_with(" yourself") && rest != "8080 yourself", "{line}");
    assert_rejected(command(&[]), 1, &["already in use"]);
    assert_rejected(command(&["--open", "--port", "8080"]), 1, &["already in use"]);
}

#[test]
fn a_qr_code_is_black_on_white_in_lines_of_equal_width() {
    let qr = ["--qr", "--origin", "https://a.example"];
    let site = TlsServer::start(&[&qr[..], &FREE_PORT].concat());
    // 25 modules for this URL, and 4 on each side. A line shows two of them, one above the other.
    for row in 0..17 {
        let line = site.server.line_with("\u{1b}[38;5;16;48;5;231m    ");
        assert_eq!(line.chars().filter(|it| " ▀▄█".contains(*it)).count(), 33, "{line}");
        // The upper edge of the square in the corner.
        assert!(row != 2 || line.contains("m    █▀▀▀▀▀█ "), "{line}");
    }
}

#[test]
fn output_that_cannot_be_written_is_exit_code_1() {
    for options in [&["--help"][..], &["--version"], &["man"], &["licenses"]] {
        let mut command = command(options);
        command.stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
        let full =
            "cannot write to standard output: No space left on device; redirect it to a file";
        assert_rejected(command, 1, &[full]);
    }
}

/// WIRE-25.
#[test]
fn the_documents_list_every_option_with_its_variable_and_its_default() {
    let table = file("docs/options.md").replace('`', "");
    let promises = file("docs/http.md");
    let mut rows = table.lines().filter(|line| line.starts_with("| --"));
    for option in cli::command().get_arguments() {
        let (Some(name), Some(variable)) = (option.get_long(), option.get_env()) else { continue };
        let help = option.get_long_help().expect("a help").to_string();
        let (_, default) = help.split_once(" [default: ").unwrap_or_default();
        let default = default.split("] [env: ").next().unwrap_or_default();
        let value = option.get_value_names().filter(|_| option.get_action().takes_values());
        let value = value.map(|names| format!(" {}", names[0])).unwrap_or_default();
        let row = rows.next().expect("a row for each option, in the order of the help");
        let mut expected = format!("| --{name}{value} | {} |", variable.display());
        // The defaults of ui/src/settings.json are those of an owner.
        if !["app-name", "support-email"].contains(&name) {
            expected += &format!(" {default} |").replace("  ", " ");
        }
        assert!(row.starts_with(&expected), "{row} instead of {expected}");
        if name.ends_with("-timeout") {
            let row = format!("| {} s | `--{name}` |", default.trim_end_matches('s'));
            assert!(promises.contains(&row), "no {row}");
        }
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn the_helps_and_the_manual_are_the_texts_that_were_read() {
    for (name, options) in [
        ("short-help", &["-h"][..]),
        ("help", &["--help"]),
        ("healthcheck-short-help", &["healthcheck", "-h"]),
        ("healthcheck-help", &["healthcheck", "--help"]),
        ("export-help", &["export", "--help"]),
        ("manual", &["man"]),
    ] {
        let (code, text, stderr) = run(command(options));
        assert_eq!((code, stderr.as_str()), (0, ""), "{name}");
        // The lines with the date and the commit of the build.
        let is_of_build =
            |line: &str| line.starts_with(".TH ") || line.starts_with('v') && line.ends_with(')');
        let lines = text.lines().filter(|line| !is_of_build(line));
        let text = lines.map(|line| format!("{line}\n")).collect::<String>();
        assert_text(name, &text);
    }
}
