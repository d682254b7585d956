//! Content negotiation by Accept-Encoding (RFC 9110 §12.5.3; WIRE-6, WIRE-7, WIRE-8,
//! WIRE-9).
//!
//! A parser of our own, because crates lose `q=0`, `*` or the special role of identity (DECISION-17).

use http::header::{ACCEPT_ENCODING, HeaderMap};

use super::request_fields::lines;
use crate::site::{Coding, Resource, Variant};

/// A weight in thousandths, 0 to 1000 (RFC 9110 §12.4.2).
pub(super) type Weight = u16;

const WEIGHT_MAX: Weight = 1000;

/// The variant that the client prefers; `None` if it accepts no variant.
pub(super) fn negotiate<'a>(resource: &'a Resource, headers: &HeaderMap) -> Option<&'a Variant> {
    let accepted = Accepted::parse(lines(headers, &ACCEPT_ENCODING));
    let ranked =
        resource.variants().filter_map(|variant| Some((accepted.rank(variant.coding)?, variant)));
    ranked.max_by_key(|(rank, _)| *rank).map(|(_, variant)| variant)
}

/// Order of preference of a coding: the client's weight, then, on a tie, the
/// coding that compresses better.
type Rank = (Weight, u8);

/// The weights of an Accept-Encoding field; `None` for codings that it does not
/// name.
#[derive(Default)]
struct Accepted {
    brotli: Option<Weight>,
    gzip: Option<Weight>,
    identity: Option<Weight>,
    /// The weight of `*`.
    others: Option<Weight>,
}

impl Accepted {
    /// Combines several field lines into one list (§5.3). A malformed member is
    /// ignored.
    fn parse<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut accepted = Self::default();
        for line in lines {
            for element in line.split(|&byte| byte == b',') {
                let mut parts = element.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
                let token = parts.next().unwrap_or_default();
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
                if let Some(weight) = weight(parts) {
                    *named = Some(named.map_or(weight, |earlier| earlier.max(weight)));
                }
            }
        }
        accepted
    }

    /// The rank of `coding`; `None` if the client does not accept it.
    fn rank(&self, coding: Coding) -> Option<Rank> {
        match coding {
            Coding::Brotli => Some((self.brotli.or(self.others).filter(|&weight| weight > 0)?, 2)),
            Coding::Gzip => Some((self.gzip.or(self.others).filter(|&weight| weight > 0)?, 1)),
            // Identity is acceptable unless `identity;q=0` or `*;q=0` excludes
            // it. If the field does not mention it, any named coding has
            // precedence.
            Coding::Identity => match self.identity.or(self.others) {
                Some(0) => None,
                named => Some((named.unwrap_or(0), 0)),
            },
        }
    }
}

/// The weight of a list member with these parameters: the maximum without a `q`, `None` if
/// that does not have the form `q=qvalue` without white space (§12.4.2).
pub(super) fn weight<'a>(parameters: impl Iterator<Item = &'a [u8]>) -> Option<Weight> {
    for parameter in parameters {
        match parameter {
            [b'q' | b'Q', b'=', value @ ..] => return parse_weight(value),
            [b'q' | b'Q'] | [b'q' | b'Q', b' ' | b'\t', ..] => return None,
            _ => {}
        }
    }
    Some(WEIGHT_MAX)
}

fn parse_weight(value: &[u8]) -> Option<Weight> {
    let (whole, decimals) = match value {
        [whole @ (b'0' | b'1')] => (whole, &[][..]),
        [whole @ (b'0' | b'1'), b'.', decimals @ ..] if decimals.len() <= 3 => (whole, decimals),
        _ => return None,
    };
    let mut weight = Weight::from(whole - b'0') * WEIGHT_MAX;
    for (digit, unit) in decimals.iter().zip([100, 10, 1]) {
        if !digit.is_ascii_digit() {
            return None;
        }
        weight += Weight::from(digit - b'0') * unit;
    }
    (weight <= WEIGHT_MAX).then_some(weight)
}
