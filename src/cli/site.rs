//! Options of the site.

use clap::Args;

use crate::site::{AppName, EmailAddress, Origin, Settings, StoreUrl};

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
    /// Address of the app in the App Store, which the landing page links to
    #[arg(long, env, value_name = "URL")]
    app_store_url: Option<StoreUrl>,
    /// Address of the app in Google Play, which the landing page links to
    #[arg(long, env, value_name = "URL")]
    play_store_url: Option<StoreUrl>,
}

impl SiteOptions {
    /// The settings of a site that the public reaches at `origin`.
    pub(super) fn settings(&self, origin: Option<Origin>) -> Settings {
        Settings {
            app_name: self.app_name.clone(),
            support_email: self.support_email.clone(),
            origin,
            app_store_url: self.app_store_url.clone(),
            play_store_url: self.play_store_url.clone(),
        }
    }
}
