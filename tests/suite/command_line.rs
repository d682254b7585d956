//! WIRE-25, PAGE-13: options, variables and their values in the helps and in the documents; error messages and exit
//! codes.

use std::ffi::OsStr;
use std::fs;
use std::net::TcpListener;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;

use recipelog_site::cli;
use tempfile::tempdir;

use crate::support::client::Connection;
use crate::support::files::write_script;
use crate::support::process::{FREE_PORT, Running, Server, assert_rejected, command, run};
use crate::support::tls::TlsServer;

/// Each line is a command line, `=>`, and parts of the error with `&` between them. A word with spaces is in single
/// quotes. A word in capitals with `=` is a variable.
const USAGE_ERRORS: &str = "
        --prot 80                      => unknown option '--prot'; did you mean --port?
        --log-format                   => unknown option '--log-format'; see --help
        heathcheck                     => unknown command 'heathcheck'; did you mean healthcheck?
        help                           => unknown command 'help'; did you mean --help?
        :8080                          => ':8080'; give none to serve the site, or --listen to set an address; see --help
        \u{1b}[31mred                  => '\\u{1b}[31mred'
        export                         => missing <DIR>; usage: recipelog-site export <DIR>
        healthcheck http://a           => argument 'http://a'; healthcheck takes the server's options
        completions sh                 => '<SHELL>': expected one of bash, elvish, fish, powershell, zsh
        --port                         => '--port <PORT>' but none was supplied; see --help
        --qr --qr                      => '--qr' is given twice; give it once
        healthcheck --port -1          => '-1' for '--port <PORT>': expected a port from 0 to 65535
        --threads 0                    => expected a whole number from 1 to 255
        --max-connections 0            => 4096
        --trust-proxy x                => such as 1
        --access-log xml               => for '--access-log <FORMAT>': expected one of off, combined, json
        --drain-timeout 1w             => 1h or 14d
        --idle-timeout 0s              => 10s
        --hsts=500ms                   => for '--hsts <TIME>': expected 0 or a time of at least a second, such as 1h
        --origin https://a/shop        => expected no path, because the site is at the root of a host, such as https://recipes
        --app-name ''                  => RecipeLog
        --support-email nobody         => support@recipelog.example
        --contact-url http://a.example => or a path, such as /api/contact
        --app-store-url http://a/id1   => https://apps.apple.com/app/id
        --listen https://127.0.0.1:1   => 127.0.0.1:8080
        --listen [::1:80               => expected an address with a port, such as 127.
        --listen 127.0.0.1:+80         => expected an address with a port
        --listen '127.0.0.1:0, b'      => ' b' for '--listen <ADDR>': expected an address
        --listen 127.0.0.1:0,          => '' for '--listen <ADDR>': expected an address
        --listen [::]:1,[::]:1         => [::]:1 is given twice; give it once
        PORT=1 --listen 127.0.0.1      => '127.0.0.1' for '--listen <ADDR>': expected
        PORT=abc healthcheck           => invalid value 'abc' for PORT: expected a port
        QR=si                          => for QR: expected yes, no, 1 or 0
        PORT=\"8080\"                  => PORT has quotation marks around its value; remove the quotation

        --tls-cert c                   => --tls-cert & add --tls-key
        TLS_CERT=c                     => TLS_CERT needs its key; add --tls-key
        --tls-key k                    => --tls-key & add --tls-cert
        --tls-listen 127.0.0.1:0       => --tls-listen & add --tls-cert & --acme-domain
        --tls-listen unix:/a           => --tls-listen & [::]:443
        --listen :443 --tls-cert c --tls-key k --tls-listen :443 => [::]:443 is given twice; give it once
        ACME_DOMAIN=a.example --tls-cert c --tls-key k => --tls-cert and ACME_DOMAIN exclude each other; choose one
        --tls-cert c --tls-key k --origin http://a.example => --origin & https://
        --acme-domain 'a.example, *.b' => ' *.b' for '--acme-domain <NAME>': wildcards are not supported
        --acme-domain ,                => --acme-domain
        --acme-email a@a.example       => add --acme-domain
        --acme-domain a.example        => set --acme-dir
        ACME_DIR=~/certs --acme-domain a.example    => '~/certs' for ACME_DIR: expected a whole path, because
        ACME_DIR=/a --acme-directory x              => for '--acme-directory <URL>': expected
        STATE_DIRECTORY=:/a --acme-domain a.example => path in STATE_DIRECTORY is not absolute
        --acme-domain a.example --acme-dir /s --acme-eab-kid a => --acme-eab-key
";

#[test]
fn a_usage_error_gives_one_line_and_exit_code_2() {
    for line in USAGE_ERRORS.lines().filter(|line| !line.is_empty()) {
        let (given, parts) = line.split_once(" => ").unwrap_or_else(|| panic!("no => in {line}"));
        let mut command = command(&[]);
        for (number, text) in given.split('\'').enumerate() {
            let is_quoted = number % 2 == 1;
            let words = if is_quoted { vec![text] } else { text.split_whitespace().collect() };
            for word in words {
                match word.split_once('=') {
                    Some((name, value)) if !name.contains(char::is_lowercase) => {
                        command.env(name, value)
                    }
                    _ => command.arg(word),
                };
            }
        }
        assert_rejected(command, 2, &parts.split(" & ").map(str::trim).collect::<Vec<_>>());
    }
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

#[test]
fn the_start_says_what_the_pages_lack_and_where_messages_go() {
    let public = [&FREE_PORT[..], &["--origin", "https://a.example"]].concat();
    let own = [&public[..], &["--support-email", "cook@kitchen.example"]].concat();
    let sending = [&own[..], &["--contact-url", "https://b.example/f"]].concat();
    for (options, said) in [
        (&public[..], "set --support-email"),
        (&own, "form sends nothing; set --contact-url"),
        (&sending, "form sends its messages to https://b.example/f"),
        (&FREE_PORT, "form sends nothing; set --contact-url"),
        (&FREE_PORT, "no picture"),
    ] {
        let mut server = Running(command(options).stderr(Stdio::piped()).spawn().unwrap());
        server.console().line_with(said);
    }
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
        assert_rejected(command, 1, &["cannot write to standard output"]);
    }
}

#[test]
fn an_address_that_cannot_be_bound_gives_one_line_and_exit_code_1() {
    // No name has an empty part, so no name server is asked.
    let lookup = "choose an address, or a name that this machine can look up, with --listen";
    assert_rejected(command(&["--listen", "a..b:8080"]), 1, &[lookup]);
    // RFC 5737: no machine has an address of TEST-NET-3.
    assert_rejected(command(&["--listen", "203.0.113.1:8080"]), 1, &["203.0.113.1:8080"]);
}

#[test]
fn an_option_overrides_its_variable_and_port_overrides_listen() {
    for options in [FREE_PORT, ["--port", "0"]] {
        // With the address in the variable, the server would not start.
        let mut command = command(&options);
        command.env("LISTEN", "203.0.113.1:80");
        let server = Server::of(command);
        assert_eq!(Connection::open(server.address).get("/healthz").status, 200, "{options:?}");
    }
}

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(path).expect("a file of the repository")
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
        let expected = format!("| --{name}{value} | {} | {default} |", variable.display());
        assert!(row.starts_with(&expected.replace("|  |", "| |")), "{row} instead of {expected}");
        if name.ends_with("-timeout") {
            let row = format!("| {} s | `--{name}` |", default.trim_end_matches('s'));
            assert!(promises.contains(&row), "no {row}");
        }
    }
    assert_eq!(rows.next(), None);
}

/// Compares what the executable prints with the files in `texts`; with the variable UPDATE_TEXTS, writes them.
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
        let path = Path::new("tests/suite/texts").join(name).with_extension("txt");
        if std::env::var_os("UPDATE_TEXTS").is_some() {
            fs::write(&path, &text).expect("a file of the repository");
        }
        let read = file(path.to_str().expect("UTF-8"));
        assert!(text == read, "read the text, then UPDATE_TEXTS=1 cargo test help: {text}");
    }
}
