//! WIRE-1, WIRE-5 and WIRE-24 for the embedded site.

use std::io::Read;

use brotli_decompressor::Decompressor;
use recipelog_site::site::{Coding, Settings, Site};

#[test]
fn every_variant_decodes_to_the_plain_bytes_and_saves_five_percent() {
    let origin = Some("https://pans.example".parse().expect("an origin"));
    for settings in [Settings::default(), Settings { origin, ..Settings::default() }] {
        let site = Site::embedded(&settings);
        let mut compressed = 0;
        for (path, resource) in site.iter() {
            let plain = resource.identity.body.bytes();
            for variant in resource.variants() {
                let mut decoded = Vec::new();
                let body: &[u8] = &variant.body.bytes();
                match variant.coding {
                    Coding::Identity => continue,
                    Coding::Gzip => flate2::read::GzDecoder::new(body).read_to_end(&mut decoded),
                    Coding::Brotli => Decompressor::new(body, 4096).read_to_end(&mut decoded),
                }
                .unwrap_or_else(|error| panic!("{path} in {:?}: {error}", variant.coding));
                assert_eq!(decoded, plain, "{path} in {:?}", variant.coding);
                assert!(body.len() * 100 <= plain.len() * 95, "{path} in {:?}", variant.coding);
                // RFC 1952: a time would change the ETag of each replica (WIRE-1).
                assert!(variant.coding == Coding::Brotli || body[4..8] == [0; 4], "{path}");
                compressed += 1;
            }
        }
        assert!(compressed >= 10, "{compressed} variants");
    }
}

#[test]
fn no_served_file_contains_a_path_of_the_build_machine() {
    let site = Site::embedded(&Settings::default());
    let home = std::env::var("HOME").unwrap_or_default();
    let forbidden = [env!("CARGO_MANIFEST_DIR"), &home, "node_modules", "file://", "/target/"];
    for (path, resource) in site.iter() {
        let body = resource.identity.body.bytes();
        let text = String::from_utf8_lossy(&body);
        for word in forbidden.iter().filter(|word| word.len() > 1) {
            assert!(!text.contains(word), "{path} contains {word}");
        }
    }
}
