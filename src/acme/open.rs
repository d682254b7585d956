//! The steps before the server is ready. Bad options make the start fail.

use std::path::Path;
use std::sync::Arc;

use super::account::Registration;
use super::authority::Authority;
use super::client::Client;
use super::domain::Domain;
use super::external_account;
use super::history::History;
use super::options::Options;
use super::roots;
use super::schedule::Schedule;
use super::state_folder::{AuthorityFolder, StateFolder};
use super::stored_certificate::{self, Stored};
use super::target::Target;
use crate::diagnostics::report;
use crate::tls::Certificates;

/// A site's certificate, and the means to renew it.
pub struct Acme {
    pub(super) domains: Vec<Domain>,
    pub(super) authority: Authority,
    pub(super) profile: Option<String>,
    pub(super) schedule: Schedule,
    pub(super) registration: Registration,
    pub(super) state: StateFolder,
    /// The part of `state` for the authority.
    pub(super) folder: AuthorityFolder,
    pub(super) history: History,
    pub(super) certificates: Arc<Certificates>,
    /// The certificate that `certificates` presents.
    pub(super) current: Option<Stored>,
}

impl Acme {
    /// Reads all files, locks the state folder, and installs the certificate that the
    /// folder holds for the authority, if any. The certificate may be for other names or
    /// have expired: until there is a new one, it serves the visitors that accept it.
    /// After this call, only name resolution opens files outside of the state folder.
    ///
    /// The error states the problem and the remedy in one line. Nothing is written if
    /// an option is bad.
    pub fn open(options: Options, certificates: Arc<Certificates>) -> Result<Self, String> {
        let Options { folder, authority, email, profile, schedule, .. } = &options;
        let domains = without_repetitions(&options.domains);
        if domains.is_empty() {
            return Err("cannot obtain a certificate: no domain is named; name one".to_owned());
        }
        let client = Client::new(roots::client_config(options.root_file.as_deref())?);
        let external_account =
            options.external_account.as_ref().map(external_account::read_key).transpose()?;
        let state = StateFolder::open(folder)?;
        let explain = |error| {
            format!(
                "cannot use the state folder: {}: {error}; make this user its owner, or choose \
                 another folder",
                folder.display()
            )
        };
        let folder = state.authority(&authority.directory).map_err(explain)?;
        let current = stored(&folder).map_err(explain)?;
        if let Some(current) = &current {
            certificates.install(Arc::clone(&current.certificate));
        }
        Ok(Self {
            domains,
            authority: authority.clone(),
            profile: profile.clone(),
            schedule: schedule.clone(),
            registration: Registration { client, email: email.clone(), external_account },
            history: History::read(&folder).map_err(explain)?,
            state,
            folder,
            certificates,
            current,
        })
    }
}

impl Acme {
    /// The state folder: the only one in which files are read and written.
    pub fn folder(&self) -> &Path {
        self.state.path()
    }

    /// The ports of the authority.
    pub fn ports(&self) -> Vec<u16> {
        let urls = std::iter::once(&self.authority.directory).chain(&self.authority.staging);
        let targets = urls.filter_map(|url| Target::of(&url.parse().ok()?).ok());
        targets.map(|target| target.port).collect()
    }
}

/// Authorities reject an order that repeats a name.
fn without_repetitions(domains: &[Domain]) -> Vec<Domain> {
    let is_first = |&(position, domain): &(usize, &Domain)| !domains[..position].contains(domain);
    domains.iter().enumerate().filter(is_first).map(|(_, domain)| domain.clone()).collect()
}

/// The certificate in `folder`.
fn stored(folder: &AuthorityFolder) -> std::io::Result<Option<Stored>> {
    let Some(content) = folder.read(stored_certificate::FILE)? else { return Ok(None) };
    let stored = Stored::from_file(&content).map_err(|error| {
        let path = folder.path(stored_certificate::FILE);
        report(format_args!("cannot use {}: {error}; a new one is ordered", path.display()));
    });
    Ok(stored.ok())
}
