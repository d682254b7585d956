//! `recipelog-site man`: the manual page. Options and commands come from their
//! declarations in `cli`; the text of the other sections is in this file.

use std::io;
use std::process::ExitCode;

use clap::{Arg, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::{Cli, print};
use crate::problem::Problem;

/// One form of use per line.
const USAGE: &str = "recipelog-site [OPTIONS]\nrecipelog-site COMMAND [OPTIONS]";

const DESCRIPTION: &str = "Serves the site that is embedded in the executable. Without HTTPS, the \
                           server needs no file and no other machine. With a certificate in files \
                           it reads them; with ACME it also writes to one folder and connects to \
                           the authority. After SIGTERM, SIGINT or SIGQUIT it completes the requests \
                           in progress and ends; after a second signal it waits for no client. On \
                           SIGHUP it reads certificate files again, and does nothing else.";

const ENVIRONMENT: [(&str, &str); 6] = [
    (
        "LISTEN, PORT, ORIGIN, …",
        "Value of an option that is not given. Each option names its variable.",
    ),
    (
        "LISTEN_FDS",
        "Number of sockets from systemd, which replace --listen, --port and --tls-listen.",
    ),
    ("LISTEN_PID", "Id of the process that the sockets are for. Another process ignores them."),
    ("LISTEN_FDNAMES", "Names of the sockets, with colons between them. https selects TLS."),
    ("NOTIFY_SOCKET", "Socket of systemd for the notifications READY=1 and STOPPING=1."),
    ("STATE_DIRECTORY", "Folder from systemd for account, keys and certificates of ACME."),
];

const EXIT_STATUS: [(&str, &str); 3] = [
    ("0", "Success. For a server: every request was answered before the end."),
    (
        "1",
        "Failure: for example an address that is in use, a folder that is not empty, a health \
         check without a response, or connections that were cut off at the end.",
    ),
    ("2", "Usage error. One line on standard error names the option and gives an example."),
];

const EXAMPLES: [(&str, &str); 3] = [
    ("recipelog-site --port 80", "Serve on port 80 of all interfaces."),
    (
        "recipelog-site --listen unix:/run/recipelog.sock",
        "Serve on a Unix socket, for a proxy on the same machine.",
    ),
    (
        "recipelog-site export ./site --origin https://recipelog.example",
        "Write the site as files for a CDN.",
    ),
];

/// Prints the manual page.
#[inline(never)]
pub fn man() -> Result<ExitCode, Problem> {
    let mut page = Vec::new();
    render(&mut page).expect("writing to memory does not fail");
    print(&page)
}

/// Writes the manual page in roff: `recipelog-site man | man -l -` shows it.
fn render(page: &mut Vec<u8>) -> io::Result<()> {
    let mut command = Cli::command().override_usage(USAGE);
    command.build();
    let mut sections = Roff::default();
    sections.control("SH", ["COMMANDS"]);
    for command in command.get_subcommands() {
        // Global options are left out, because the section OPTIONS has them.
        let name = command.get_name();
        let about = command.get_about().unwrap_or_default();
        let term = command.get_positionals().fold(name.to_owned(), |term, argument| {
            format!("{term} {}", argument.get_value_names().unwrap_or_default().join(" "))
        });
        let values: Vec<String> = command
            .get_positionals()
            .flat_map(Arg::get_possible_values)
            .map(|value| value.get_name().to_owned())
            .collect();
        let separator = if values.is_empty() { "" } else { ": " };
        push_entry(&mut sections, &term, &format!("{about}{separator}{}", values.join(", ")));
    }
    for (heading, entries) in
        [("ENVIRONMENT", &ENVIRONMENT[..]), ("EXIT STATUS", &EXIT_STATUS), ("EXAMPLES", &EXAMPLES)]
    {
        sections.control("SH", [heading]);
        for (term, meaning) in entries {
            push_entry(&mut sections, term, meaning);
        }
    }
    let mut description = Roff::default();
    description.control("SH", ["DESCRIPTION"]).text([roman(DESCRIPTION)]);
    if let Some(paragraph) = command.get_after_help() {
        description.control("PP", []).text([roman(paragraph.to_string().replace('\n', " "))]);
    }

    let man = Man::new(command)
        .date(env!("RECIPELOG_DATE"))
        .source(concat!("recipelog-site ", env!("CARGO_PKG_VERSION")))
        .manual("User Commands");
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    description.to_writer(page)?;
    man.render_options_section(page)?;
    sections.to_writer(page)
}

fn push_entry(section: &mut Roff, term: &str, meaning: &str) {
    section.control("TP", []).text([bold(term)]).text([roman(meaning)]);
}
