//! The command line: the commands, and the options of all of them in groups.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

use super::https::HttpsOptions;
use super::limits::LimitOptions;
use super::listening::Listening;
use super::logging::Logging;
use super::site::SiteOptions;

/// Version, and commit and date of the source.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (",
    env!("RECIPELOG_COMMIT"),
    ", ",
    env!("RECIPELOG_DATE"),
    ")"
);

/// Help of a command that ignores the global options.
const HELP_WITHOUT_OPTIONS: &str =
    "{about-with-newline}\n{usage-heading} {usage}\n\n{positionals}\n";

/// Serve RecipeLog's website: this one file is the whole site.
#[derive(Clone, Debug, Parser)]
#[command(
    name = "recipelog-site",
    version = VERSION,
    disable_help_subcommand = true,
    term_width = 80,
    // Each command accepts the whole command line of the server: the health check needs
    // much of it, and no operator should have to know which options. The help does not
    // depend on the environment.
    mut_args = |option| option.global(true).hide_env_values(true),
    after_help = "Durations have the unit ms, s or m: 500ms, 10s, 2m. An option's environment\n\
                  variable applies if the option is not given."
)]
pub struct Cli {
    /// A command other than serving.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Addresses and workers.
    #[command(flatten)]
    pub listening: Listening,
    /// Certificates.
    #[command(flatten)]
    pub(super) https: HttpsOptions,
    /// Settings of the site.
    #[command(flatten)]
    pub(super) site: SiteOptions,
    /// Limits that apply to clients.
    #[command(flatten)]
    pub(super) limits: LimitOptions,
    /// The access log.
    #[command(flatten)]
    pub logging: Logging,
}

/// The commands other than serving.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Check that the running server answers: exit code 0 or 1
    #[command(
        after_help = "Give it the options and variables of the server: it checks the addresses that they name."
    )]
    Healthcheck,
    /// Write the site as plain files, for a CDN or another server
    #[command(after_help = "Only the options of the site have an effect. If --origin is not \
                      given, --acme-domain and --tls-listen determine the origin.")]
    Export {
        /// Output folder, new or empty
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Print shell completions
    #[command(help_template = HELP_WITHOUT_OPTIONS)]
    Completions {
        /// The shell
        #[arg(value_name = "SHELL")]
        shell: Shell,
    },
    /// Print the manual page
    #[command(help_template = HELP_WITHOUT_OPTIONS)]
    Man,
    /// Print the licences of all components
    #[command(help_template = HELP_WITHOUT_OPTIONS)]
    Licenses,
}
