//! Accept-Encoding (RFC 9110 §12.5.3).
//!
//! Our own: `headers` does not parse this field, and the crates that do lose
//! `q=0`, `*` or the identity coding's special place.

use http::HeaderValue;
use http::header::GetAll;

use crate::site::{Coding, Resource, Variant};

/// A weight in thousandths, 0 to 1000 (RFC 9110 §12.4.2).
pub(super) type Weight = u16;

const WEIGHT_MAX: Weight = 1000;

/// The variant that the client likes best; `None` where it refuses them all.
pub(super) fn negotiate<'a>(
    resource: &'a Resource,
    accept_encoding: GetAll<'_, HeaderValue>,
) -> Option<&'a Variant> {
    let accepted = Accepted::parse(accept_encoding);
    let mut best: Option<(&Variant, Rank)> = None;
    for variant in resource.variants() {
        let Some(rank) = accepted.rank(variant.coding) else { continue };
        if best.is_none_or(|(_, highest)| rank > highest) {
            best = Some((variant, rank));
        }
    }
    best.map(|(variant, _)| variant)
}

/// What a coding is worth: the client's weight, then our own preference, the
/// smaller one first.
type Rank = (Weight, u8);

/// The weights that a client gave; `None` for what it did not name.
#[derive(Debug, Default)]
struct Accepted {
    brotli: Option<Weight>,
    gzip: Option<Weight>,
    identity: Option<Weight>,
    others: Option<Weight>,
}

impl Accepted {
    /// Field lines are combined (§5.3); an element that is not well-formed
    /// says nothing.
    fn parse(lines: GetAll<'_, HeaderValue>) -> Self {
        let mut accepted = Self::default();
        for line in lines {
            for element in line.as_bytes().split(|&byte| byte == b',') {
                let mut parts = element.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
                let token = parts.next().unwrap_or_default();
                let named = match token {
                    b"*" => &mut accepted.others,
                    _ if token.eq_ignore_ascii_case(b"br") => &mut accepted.brotli,
                    // §8.4.1.3: "x-gzip" is the same coding.
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

    /// `None` where the client refuses `coding`.
    fn rank(&self, coding: Coding) -> Option<Rank> {
        match coding {
            Coding::Brotli => {
                self.brotli.or(self.others).filter(|&weight| weight > 0).map(|weight| (weight, 2))
            }
            Coding::Gzip => {
                self.gzip.or(self.others).filter(|&weight| weight > 0).map(|weight| (weight, 1))
            }
            // Identity is acceptable unless it is excluded, by name or by a
            // `*;q=0`; where nobody mentioned it, whatever was asked for wins.
            Coding::Identity => match self.identity.or(self.others) {
                Some(0) => None,
                named => Some((named.unwrap_or(0), 0)),
            },
        }
    }
}

/// The weight among an element's parameters: 1 without a `q`, `None` where it
/// is not the `qvalue` of §12.4.2.
pub(super) fn weight<'a>(parameters: impl Iterator<Item = &'a [u8]>) -> Option<Weight> {
    for parameter in parameters {
        if let [b'q' | b'Q', b'=', value @ ..] = parameter {
            return parse_weight(value);
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
    for (digit, place) in decimals.iter().zip([100, 10, 1]) {
        if !digit.is_ascii_digit() {
            return None;
        }
        weight += Weight::from(digit - b'0') * place;
    }
    (weight <= WEIGHT_MAX).then_some(weight)
}
