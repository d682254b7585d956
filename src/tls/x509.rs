//! The fields of an X.509 certificate that determine when it is renewed (RFC 5280
//! §4.1). rustls verifies certificates, but does not expose them (DECISION-51).

use std::time::SystemTime;

use yasna::models::{GeneralizedTime, ObjectIdentifier, UTCTime};
use yasna::tags::{TAG_GENERALIZEDTIME, TAG_UTCTIME};
use yasna::{ASN1Error, ASN1ErrorKind, ASN1Result, BERReader, Tag};

/// The authority key identifier (RFC 5280 §4.2.1.1).
const AUTHORITY_KEY_IDENTIFIER: &[u64] = &[2, 5, 29, 35];

/// Fields of a certificate.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) not_before: SystemTime,
    pub(super) not_after: SystemTime,
    /// The content octets of the serial number.
    pub(super) serial: Vec<u8>,
    /// `None` if it is missing, as in a self-signed certificate.
    pub(super) authority_key_id: Option<Vec<u8>>,
}

/// Reads a certificate in DER.
pub(super) fn parse(der: &[u8]) -> ASN1Result<Fields> {
    yasna::parse_der(der, |reader| {
        reader.read_sequence(|certificate| {
            let fields = certificate.next().read_sequence(|body| {
                body.read_optional(|reader| {
                    reader.read_tagged(Tag::context(0), |version| version.read_u8())
                })?;
                let serial = body.next().read_tagged_der()?.value().to_vec();
                let _signature_algorithm = body.next().read_der()?;
                let _issuer = body.next().read_der()?;
                let (not_before, not_after) = body.next().read_sequence(|validity| {
                    Ok((time(validity.next())?, time(validity.next())?))
                })?;
                let _subject = body.next().read_der()?;
                let _public_key = body.next().read_der()?;
                // Unique identifiers of issuer and subject, which are not used in practice.
                for number in [1, 2] {
                    body.read_optional(|reader| {
                        reader
                            .read_tagged_implicit(Tag::context(number), |id| id.read_bitvec_bytes())
                    })?;
                }
                let authority_key_id = body
                    .read_optional(|reader| {
                        reader.read_tagged(Tag::context(3), find_authority_key_id)
                    })?
                    .flatten();
                Ok(Fields { not_before, not_after, serial, authority_key_id })
            })?;
            let _signature_algorithm = certificate.next().read_der()?;
            let _signature = certificate.next().read_der()?;
            Ok(fields)
        })
    })
}

/// RFC 5280 §4.1.2.5: UTCTime until 2049, GeneralizedTime from then on.
fn time(reader: BERReader<'_, '_>) -> ASN1Result<SystemTime> {
    match reader.lookahead_tag()? {
        TAG_UTCTIME => reader.read_utctime().map(|time: UTCTime| (*time.datetime()).into()),
        TAG_GENERALIZEDTIME => {
            reader.read_generalized_time().map(|time: GeneralizedTime| (*time.datetime()).into())
        }
        _ => Err(ASN1Error::new(ASN1ErrorKind::Invalid)),
    }
}

fn find_authority_key_id(reader: BERReader<'_, '_>) -> ASN1Result<Option<Vec<u8>>> {
    let mut found = None;
    reader.read_sequence_of(|extension| {
        extension.read_sequence(|extension| {
            let id = extension.next().read_oid()?;
            extension.read_optional(|critical| critical.read_bool())?;
            let value = extension.next().read_bytes()?;
            if id == ObjectIdentifier::from_slice(AUTHORITY_KEY_IDENTIFIER) {
                found = key_identifier(&value)?;
            }
            Ok(())
        })
    })?;
    Ok(found)
}

/// The key identifier of an AuthorityKeyIdentifier: the first member of its sequence, and optional.
fn key_identifier(value: &[u8]) -> ASN1Result<Option<Vec<u8>>> {
    yasna::parse_der(value, |reader| {
        reader.read_sequence(|members| {
            let id = members.read_optional(|reader| {
                reader.read_tagged_implicit(Tag::context(0), |id| id.read_bytes())
            })?;
            for number in [1, 2] {
                members.read_optional(|reader| match reader.lookahead_tag()? {
                    tag if tag == Tag::context(number) => reader.read_tagged_der().map(drop),
                    _ => Err(ASN1Error::new(ASN1ErrorKind::Invalid)),
                })?;
            }
            Ok(id)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, Issuer, KeyIdMethod, KeyPair, SerialNumber, date_time_ymd};
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn validity_and_serial_number_are_read() {
        let mut params = CertificateParams::new(["recipelog.example".to_owned()]).unwrap();
        params.not_before = date_time_ymd(2026, 11, 22);
        params.not_after = date_time_ymd(2051, 1, 1);
        params.serial_number = Some(SerialNumber::from_slice(&[0x80, 1]));
        let der = params.self_signed(&KeyPair::generate().unwrap()).unwrap();

        let fields = parse(der.der()).unwrap();

        assert_eq!(fields.not_before, UNIX_EPOCH + Duration::from_secs(1_795_305_600));
        assert_eq!(fields.not_after, UNIX_EPOCH + Duration::from_secs(2_556_144_000));
        // DER puts a zero before a number whose first bit is set.
        assert_eq!(fields.serial, [0, 0x80, 1]);
        assert_eq!(fields.authority_key_id, None);
    }

    #[test]
    fn the_authority_key_identifier_of_a_certificate_is_read() {
        let mut authority = CertificateParams::default();
        authority.key_identifier_method = KeyIdMethod::PreSpecified(vec![1, 2, 3]);
        let authority = Issuer::new(authority, KeyPair::generate().unwrap());
        let mut params = CertificateParams::new(["recipelog.example".to_owned()]).unwrap();
        params.use_authority_key_identifier_extension = true;
        let der = params.signed_by(&KeyPair::generate().unwrap(), &authority).unwrap();

        let fields = parse(der.der()).unwrap();

        assert_eq!(fields.authority_key_id, Some(vec![1, 2, 3]));
    }

    #[test]
    fn input_that_is_not_an_x_509_certificate_is_an_error() {
        for der in [&b""[..], b"\x30\x00", b"-----BEGIN CERTIFICATE-----"] {
            assert!(parse(der).is_err());
        }
    }
}
