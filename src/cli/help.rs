//! The command line with its help: `-h` for the usual options, `--help` and the manual page for all
//! of them, and for each command the options that have an effect on it.

use clap::Arg;
use clap::builder::StyledStr;

/// The help of `--acme-domain` for commands, which order no certificate.
const DOMAIN: &str = "Domain of the server; the first is the origin by default [env: ACME_DOMAIN]";

/// What follows the options in `--help` and in the manual page. The manual page joins two lines
/// unless the second begins with a space. At most 70 columns, so neither wraps a line.
pub(super) const MORE: &str = include_str!("more.txt");

/// True if `option` has an effect on a command; `None` is the server.
pub(super) fn is_read(command: Option<&str>, option: &Arg) -> bool {
    let id = option.get_id().as_str();
    match command {
        None => id != "expires_within",
        // Where the server listens, and with which certificate.
        Some("healthcheck") => {
            matches!(id, "listen" | "port" | "tls_listen" | "tls_cert" | "tls_key")
                || matches!(id, "expires_within" | "acme_domain" | "origin")
        }
        Some("export") => option.get_help_heading() == Some("Site") || id == "acme_domain",
        Some(_) => false,
    }
}

/// Lets each command accept the server's whole command line, and list the options that have an
/// effect on it.
pub(super) fn with_effective_options(command: clap::Command) -> clap::Command {
    let options: Vec<Arg> = command.get_arguments().cloned().collect();
    command.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        command.args(options.iter().map(|option| {
            let is_read = is_read(Some(&name), option);
            let option = option.clone().hide(!is_read).hide_short_help(false);
            if option.get_id() == "acme_domain" {
                option.help(DOMAIN).long_help(DOMAIN)
            } else {
                option
            }
        }))
    })
}

/// Longest default that a line of `-h` has space for.
const SHORT_DEFAULT_MAX: usize = " [default: RecipeLog]".len();

/// An option of all commands. Its full help ends with the default and the variable.
pub(super) fn documented(option: Arg) -> Arg {
    let text = |help: Option<&StyledStr>| help.map(ToString::to_string).unwrap_or_default();
    let mut short = text(option.get_help());
    let mut help = text(option.get_long_help().or(option.get_help())).replace("\n\n", ". ");
    let has_default = !option.get_default_values().is_empty();
    if let [default] = option.get_default_values() {
        let default = format!(" [default: {}]", default.to_string_lossy());
        help += &default;
        if default.len() <= SHORT_DEFAULT_MAX {
            short += &default;
        }
    }
    if let Some(variable) = option.get_env() {
        help += &format!(" [env: {}]", variable.to_string_lossy());
    }
    // So -1 is a bad value, not an unknown option.
    let takes_value = option.get_action().takes_values();
    let option = option.allow_negative_numbers(takes_value);
    option.global(true).help(short).long_help(help).hide_default_value(has_default).hide_env(true)
}
