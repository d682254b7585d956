//! Content negotiation by Accept-Encoding (RFC 9110 §12.5.3; WIRE-6, WIRE-7, WIRE-8, WIRE-9).
//!
//! A parser of our own, because crates lose `q=0`, `*` or the special role of identity
//! (DECISION-17).

use http::header::{ACCEPT_ENCODING, HeaderMap};

use super::request_fields::{Weight, members};
use crate::site::{Coding, Resource, Variant};

/// The variant that the client prefers; `None` if it accepts no variant.
pub(super) fn negotiate<'a>(resource: &'a Resource, headers: &HeaderMap) -> Option<&'a Variant> {
    let accepted = Accepted::parse(headers);
    let ranked =
        resource.variants().filter_map(|variant| Some((accepted.rank(variant.coding)?, variant)));
    ranked.max_by_key(|(rank, _)| *rank).map(|(_, variant)| variant)
}

/// Order of preference of a coding: the client's weight, then, on a tie, the coding that compresses
/// better.
type Rank = (Weight, u8);

/// The weights of an Accept-Encoding field; `None` for codings that it does not name.
#[derive(Default)]
struct Accepted {
    brotli: Option<Weight>,
    gzip: Option<Weight>,
    identity: Option<Weight>,
    /// The weight of `*`.
    others: Option<Weight>,
}

impl Accepted {
    /// A member with a malformed weight is ignored.
    fn parse(headers: &HeaderMap) -> Self {
        let mut accepted = Self::default();
        for (token, weight) in members(headers, &ACCEPT_ENCODING) {
            let named = match token {
                b"*" => &mut accepted.others,
                _ if token.eq_ignore_ascii_case(b"br") => &mut accepted.brotli,
                // §8.4.1.3: "x-gzip" is equivalent to "gzip".
                _ if token.eq_ignore_ascii_case(b"gzip")
                    || token.eq_ignore_ascii_case(b"x-gzip") =>
                {
                    &mut accepted.gzip
                }
                _ if token.eq_ignore_ascii_case(b"identity") => &mut accepted.identity,
                _ => continue,
            };
            *named = (*named).max(weight);
        }
        accepted
    }

    /// The rank of `coding`; `None` if the client does not accept it.
    fn rank(&self, coding: Coding) -> Option<Rank> {
        match coding {
            Coding::Brotli => Some((self.brotli.or(self.others).filter(|&weight| weight > 0)?, 2)),
            Coding::Gzip => Some((self.gzip.or(self.others).filter(|&weight| weight > 0)?, 1)),
            // Identity is acceptable unless `identity;q=0` or `*;q=0` excludes it. If the field
            // does not mention it, any named coding has precedence.
            Coding::Identity => match self.identity.or(self.others) {
                Some(0) => None,
                named => Some((named.unwrap_or(0), 0)),
            },
        }
    }
}
