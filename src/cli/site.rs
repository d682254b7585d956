//! Options of the site.

use clap::Args;

use crate::site::{AppName, EmailAddress, Origin, Settings};

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Site")]
pub(super) struct SiteOptions {
    /// Public URL of the site, such as https://recipelog.example; HSTS and the
    /// redirect to HTTPS need it [default with ACME: the first domain]
    #[arg(long, env, value_name = "URL")]
    pub(super) origin: Option<Origin>,
    /// Product name on the pages
    #[arg(long, env, value_name = "NAME", default_value_t)]
    app_name: AppName,
    /// Support address on the pages, the only way to reach you: the contact
    /// form sends nothing
    #[arg(long, env, value_name = "EMAIL", default_value_t)]
    support_email: EmailAddress,
}

impl SiteOptions {
    /// The settings of a site that the public reaches at `origin`.
    pub(super) fn settings(&self, origin: Option<Origin>) -> Settings {
        Settings {
            app_name: self.app_name.clone(),
            support_email: self.support_email.clone(),
            origin,
        }
    }
}
