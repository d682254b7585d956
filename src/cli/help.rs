//! The command line with its help: `-h` for the usual options, `--help` and the manual page for all of them, and
//! for each command the options that have an effect on it.

use clap::{Arg, Command};

/// The options that say where the server listens, and with which certificate.
const OF_HEALTHCHECK: [&str; 8] = [
    "listen",
    "port",
    "tls_listen",
    "tls_cert",
    "tls_key",
    "expires_within",
    "acme_domain",
    "origin",
];

/// What follows the options in `--help` and in the manual page, which joins lines unless the next begins with a
/// space. At most 70 columns, so neither wraps a line.
pub(super) const MORE: &str = include_str!("more.txt");

/// Lets each command accept the server's whole command line, and list the options that have an effect on it.
pub(super) fn with_effective_options(command: Command) -> Command {
    let options: Vec<Arg> = command.get_arguments().cloned().collect();
    command.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        command.args(options.iter().map(|option| {
            let id = option.get_id().as_str();
            let is_effective = match &*name {
                "healthcheck" => OF_HEALTHCHECK.contains(&id),
                "export" => option.get_help_heading() == Some("Site") || id == "acme_domain",
                _ => false,
            };
            option.clone().hide(!is_effective).hide_short_help(false)
        }))
    })
}

/// An option of all commands. Its full help ends with the default and the variable.
pub(super) fn documented(option: Arg) -> Arg {
    let help = option.get_long_help().or(option.get_help()).map(ToString::to_string);
    let mut help = help.unwrap_or_default().replace("\n\n", ". ");
    let has_default = !option.get_default_values().is_empty();
    if let [default] = option.get_default_values() {
        help += &format!(" [default: {}]", default.to_string_lossy());
    }
    if let Some(variable) = option.get_env() {
        help += &format!(" [env: {}]", variable.to_string_lossy());
    }
    option.global(true).long_help(help).hide_default_value(has_default).hide_env(true)
}
