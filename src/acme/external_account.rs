//! The key of an account outside of ACME (RFC 8555 §7.3.4).

use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use instant_acme::ExternalAccountKey;

use super::options::ExternalAccount;
use crate::operator_file;

/// RFC 8555 §7.3.4: without padding. Some authorities pad nevertheless.
const BASE64URL: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Reads the key. The error states the problem and the remedy in one line, without
/// the content of the file.
pub(super) fn read_key(account: &ExternalAccount) -> Result<ExternalAccountKey, String> {
    let path = account.key_file.display();
    let text = operator_file::read(&account.key_file).map_err(|error| {
        let remedy = operator_file::remedy(&account.key_file, &error);
        format!("cannot read the key of the external account: {path}: {error}; {remedy}")
    })?;
    match BASE64URL.decode(text.trim_ascii()) {
        Ok(key) if !key.is_empty() => Ok(ExternalAccountKey::new(account.key_id.clone(), &key)),
        _ => Err(format!(
            "cannot use the key of the external account: {path} has no base64url text; write the \
             key into it as the authority shows it"
        )),
    }
}
