//! The manual page: names, options and commands as the command line declares
//! them, and around them what no declaration says.

use std::io;

use clap::{Arg, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::Cli;

/// One form of use a line.
const USAGE: &str = "recipelog-site [OPTIONS]\nrecipelog-site COMMAND";

const DESCRIPTION: &str = "Serves the site that is built into this file: no other file is read, \
                           nothing is written, nobody is called. It serves until SIGTERM or \
                           SIGINT, then finishes the answers that it has begun; a second signal \
                           ends it at once.";

const ENVIRONMENT: [(&str, &str); 3] = [
    (
        "LISTEN, PORT, ORIGIN, …",
        "Each option names its own, which counts where the option is not given.",
    ),
    ("LISTEN_FDS", "Sockets that systemd opened; they count before --listen and --port."),
    ("NOTIFY_SOCKET", "Where systemd is told that the site is served, and that it ends."),
];

const EXIT_STATUS: [(&str, &str); 3] = [
    ("0", "It did what it was asked for; a server has finished every answer that it began."),
    (
        "1",
        "It could not: an address is taken, a folder is not empty, nobody answers, or answers \
         were cut off at the end.",
    ),
    ("2", "It was asked wrongly. One line on standard error says which option, with an example."),
];

const EXAMPLES: [(&str, &str); 3] = [
    ("recipelog-site --port 80", "Serve on every interface."),
    ("recipelog-site --listen unix:/run/recipelog.sock", "Serve a proxy on the same machine."),
    (
        "recipelog-site export ./site --origin https://recipelog.example",
        "Write the site as files for a CDN.",
    ),
];

/// The page in roff, which `man -l -` shows.
pub(super) fn page() -> Vec<u8> {
    let mut page = Vec::new();
    render(&mut page).expect("memory takes all that is written");
    page
}

fn render(page: &mut Vec<u8>) -> io::Result<()> {
    let mut command = Cli::command().override_usage(USAGE);
    command.build();
    let mut rest = Roff::default();
    rest.control("SH", ["COMMANDS"]);
    for command in command.get_subcommands() {
        push_command(&mut rest, command);
    }
    for (heading, entries) in
        [("ENVIRONMENT", &ENVIRONMENT[..]), ("EXIT STATUS", &EXIT_STATUS), ("EXAMPLES", &EXAMPLES)]
    {
        rest.control("SH", [heading]);
        for (term, meaning) in entries {
            push_entry(&mut rest, term, meaning);
        }
    }
    let mut description = Roff::default();
    description.control("SH", ["DESCRIPTION"]).text([roman(DESCRIPTION)]);
    if let Some(spelling) = command.get_after_help() {
        description.control("PP", []).text([roman(spelling.to_string().replace('\n', " "))]);
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
    rest.to_writer(page)
}

/// A command with what it alone takes: its arguments, of which those with a
/// name are switches, on its own line, then each one's meaning.
fn push_command(section: &mut Roff, command: &Command) {
    let own: Vec<&Arg> = command
        .get_arguments()
        .filter(|argument| !argument.is_global_set() && argument.get_id() != "help")
        .collect();
    let mut term = command.get_name().to_owned();
    for argument in &own {
        term.push_str(&match argument.get_long() {
            Some(long) => format!(" [--{long}]"),
            None => format!(" {}", name(argument)),
        });
    }
    push_entry(section, &term, &command.get_about().unwrap_or_default().to_string());
    for argument in own {
        let help = argument.get_help().unwrap_or_default();
        let values: Vec<String> = argument
            .get_possible_values()
            .iter()
            .map(|value| value.get_name().to_owned())
            .collect();
        let separator = if values.is_empty() { "" } else { ": " };
        section.control("RS", []);
        push_entry(section, &name(argument), &format!("{help}{separator}{}", values.join(", ")));
        section.control("RE", []);
    }
}

fn name(argument: &Arg) -> String {
    match argument.get_long() {
        Some(long) => format!("--{long}"),
        None => argument.get_value_names().unwrap_or_default().join(" "),
    }
}

fn push_entry(section: &mut Roff, term: &str, meaning: &str) {
    section.control("TP", []).text([bold(term)]).text([roman(meaning)]);
}
