//! WIRE-6, WIRE-7, WIRE-8, WIRE-9: content negotiation by Accept-Encoding.

use crate::fixture::{Response, send, site};

const NOT_ACCEPTABLE: &str = "406";

/// The coding of a 200; the status of any other response.
fn coding(response: &Response) -> String {
    match response.status.as_u16() {
        200 => response.field("content-encoding").unwrap_or("identity").to_owned(),
        status => status.to_string(),
    }
}

/// Lines of Accept-Encoding, separated by line breaks, and the coding that each selects for the start page.
fn assert_negotiated(cases: &[(&str, &str)]) {
    let site = site();
    for (accept_encoding, expected) in cases {
        let fields = accept_encoding.split('\n').map(|value| ("accept-encoding", value));
        let response = send(&site, "GET /", &fields.collect::<Vec<_>>());
        assert_eq!(coding(&response), *expected, "Accept-Encoding: {accept_encoding}");
    }
}

#[test]
fn the_highest_weight_above_zero_is_selected_and_on_a_tie_brotli_before_gzip() {
    assert_negotiated(&[
        ("gzip, br", "br"),
        ("gzip, deflate, br, zstd", "br"),
        ("gzip;q=1.0, br;q=0.9", "gzip"),
        ("gzip;q=0.5, br;q=0.501", "br"),
        ("gzip; q=0.8 , br; q=0.2", "gzip"),
        ("gzip;Q=0.8,br;Q=0.2", "gzip"),
        ("identity;q=0.5, gzip;q=0.4", "identity"),
        ("identity;q=0.5, gzip;q=0.5", "gzip"),
        ("deflate, zstd", "identity"),
        ("br;q=0, gzip", "gzip"),
        ("br;q=0.0, gzip", "gzip"),
        ("br;q=0.000, gzip", "gzip"),
        ("br;q=0, gzip;q=0", "identity"),
    ]);
}

#[test]
fn a_member_with_an_invalid_weight_is_ignored() {
    assert_negotiated(&[
        ("br;q=2, gzip", "gzip"),
        ("br;q=1.001, gzip", "gzip"),
        ("br;q=0.9999, gzip;q=0.5", "gzip"),
        ("br;q=-1, gzip", "gzip"),
        ("br;q=, gzip", "gzip"),
        ("br;q, gzip", "gzip"),
        ("br;q =1, gzip", "gzip"),
        ("br;q= 1, gzip", "gzip"),
        ("br;qs=0, gzip;q=0.5", "br"),
        (";;;,,,=", "identity"),
    ]);
}

#[test]
fn coding_names_are_whole_tokens_and_case_insensitive_in_all_field_lines_together() {
    assert_negotiated(&[
        ("GZIP", "gzip"),
        ("Br", "br"),
        ("gzipx", "identity"),
        ("xgzip", "identity"),
        ("x-gzip", "gzip"),
        ("X-GZip;q=0.5", "gzip"),
        ("gzip\nbr", "br"),
        ("gzip;q=0.5\nbr;q=0.1", "gzip"),
        ("\ngzip", "gzip"),
    ]);
}

#[test]
fn a_wildcard_applies_only_to_codings_that_are_not_named_and_an_empty_field_to_none() {
    assert_negotiated(&[
        ("*", "br"),
        ("br;q=0, *", "gzip"),
        ("br;q=0.1, *;q=0.05", "br"),
        ("gzip;q=0.2, *;q=0.1", "gzip"),
        ("identity, *;q=0", "identity"),
        ("br;q=0, gzip;q=0, *", "identity"),
        ("", "identity"),
        (" ", "identity"),
        (",", "identity"),
    ]);
    assert_eq!(coding(&send(&site(), "GET /", &[])), "identity");
}

#[test]
fn without_identity_an_acceptable_variant_is_sent_or_406() {
    assert_negotiated(&[
        ("identity;q=0, gzip;q=0.1", "gzip"),
        ("*;q=0, br;q=0.1", "br"),
        ("identity;q=0, *", "br"),
        ("identity;q=0", NOT_ACCEPTABLE),
        ("*;q=0", NOT_ACCEPTABLE),
        ("zstd, *;q=0", NOT_ACCEPTABLE),
    ]);
    // A resource without compressed variants.
    for (accept_encoding, expected) in
        [("br, gzip", "identity"), ("br, identity;q=0", NOT_ACCEPTABLE), ("*;q=0", NOT_ACCEPTABLE)]
    {
        let response = send(&site(), "GET /privacy", &[("accept-encoding", accept_encoding)]);
        assert_eq!(coding(&response), expected, "Accept-Encoding: {accept_encoding}");
    }
}
