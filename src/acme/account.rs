//! The account at an authority (RFC 8555 §7.3).

use instant_acme::{Account, AccountCredentials, Error, ExternalAccountKey, NewAccount};

use super::client::Client;
use super::failure;
use super::nonce::repeat_for_nonce;
use super::state_folder::AuthorityFolder;

const FILE: &str = "account.json";

/// How accounts are registered and used.
pub(super) struct Registration {
    /// Sends the requests of all accounts.
    pub(super) client: Client,
    /// Email address to which the authority can send messages.
    pub(super) email: Option<String>,
    /// An existing account with the authority, which some authorities require.
    pub(super) external_account: Option<ExternalAccountKey>,
}

impl Registration {
    /// The stored account. `None` without one, or if it cannot be parsed.
    pub(super) async fn restore(&self, folder: &AuthorityFolder) -> Result<Option<Account>, Error> {
        let json = folder.read(FILE).map_err(|error| {
            failure::error(format!("cannot read {}: {error}", folder.path(FILE).display()))
        })?;
        let credentials = json.and_then(|json| serde_json::from_slice(&json).ok());
        let Some(credentials) = credentials else { return Ok(None) };
        let builder = Account::builder_with_http(Box::new(self.client.clone()));
        builder.from_credentials(credentials).await.map(Some)
    }

    /// The stored account, or a new one at `directory`.
    pub(super) async fn account(
        &self,
        folder: &AuthorityFolder,
        directory: &str,
    ) -> Result<Account, Error> {
        match self.restore(folder).await? {
            Some(account) => Ok(account),
            None => self.register(folder, directory).await,
        }
    }

    /// Replaces the stored account with a new one at `directory`.
    pub(super) async fn register(
        &self,
        folder: &AuthorityFolder,
        directory: &str,
    ) -> Result<Account, Error> {
        let contact = self.email.as_ref().map(|email| format!("mailto:{email}"));
        let contact = contact.as_deref();
        let new = NewAccount {
            contact: contact.as_slice(),
            terms_of_service_agreed: true,
            only_return_existing: false,
        };
        let (account, credentials) =
            repeat_for_nonce!(Account::builder_with_http(Box::new(self.client.clone())).create(
                &new,
                directory.to_owned(),
                self.external_account.as_ref()
            ))?;
        store(folder, &credentials)?;
        Ok(account)
    }
}

fn store(folder: &AuthorityFolder, credentials: &AccountCredentials) -> Result<(), Error> {
    folder.write(FILE, &serde_json::to_vec(credentials)?).map_err(|error| {
        failure::error(format!("cannot write {}: {error}", folder.path(FILE).display()))
    })
}
