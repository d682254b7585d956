//! WIRE-1, PAGE-22, PAGE-24, PAGE-25, PAGE-27: the operator's name, support address and origin in pages and files.

use std::collections::BTreeMap;

use recipelog_site::http::Front;
use recipelog_site::site::{Settings, Site};

use crate::support::site::{pages, send};

const NAME: &str = r#"Tom & "Jerry's" </script> 🍳 שלום"#;
const NAME_IN_HTML: &str = "Tom &amp; &quot;Jerry&#x27;s&quot; &lt;/script&gt; 🍳 שלום";
const EMAIL: &str = "cook@kitchen.example";
const ORIGIN: &str = "https://kitchen.example";

fn settings(origin: Option<&str>) -> Settings {
    Settings {
        app_name: NAME.parse().unwrap(),
        support_email: EMAIL.parse().unwrap(),
        origin: origin.map(|origin| origin.parse().unwrap()),
        contact_url: Some("/api/contact".to_owned()),
        ..Settings::default()
    }
}

/// The site with `settings`.
fn embedded(settings: &Settings) -> Front {
    Site::embedded(settings).into()
}

/// A file without its compression; empty if it is binary.
fn text(site: &Front, path: &str) -> String {
    let response = send(site, &format!("GET {path}"), &[("accept", "text/html")]);
    String::from_utf8(response.content.to_vec()).unwrap_or_default()
}

fn texts(site: &Front) -> Vec<(String, String)> {
    let paths =
        site.site.iter().map(|(path, _)| path.to_owned()).chain(["/no-such-page".to_owned()]);
    paths.map(|path| (path.clone(), text(site, &path))).collect()
}

#[test]
fn no_text_keeps_a_placeholder_or_a_default() {
    let defaults: BTreeMap<String, String> =
        serde_json::from_str(include_str!("../../ui/src/settings.json")).unwrap();
    for settings in [Settings::default(), settings(None), settings(Some(ORIGIN))] {
        let site = embedded(&settings);
        for (path, text) in texts(&site) {
            // A script is the same for every operator: it contains no setting and no placeholder.
            assert!(path.ends_with(".js") || !text.contains("{{"), "{path} keeps a placeholder");
            if settings != Settings::default() {
                // An owner may write the name out there.
                let words = include_str!("../../ui/src/words.json");
                for (name, default) in defaults.iter().filter(|(_, name)| !words.contains(*name)) {
                    assert!(!text.contains(default), "{path} keeps the default of {name}");
                }
            }
        }
    }
}

#[test]
fn addresses_in_stores_are_in_the_documents_only_if_they_are_set() {
    let app_store = "https://apps.apple.com/app/id123";
    let play_store = "https://play.google.com/store/apps/details?id=a.b&hl=en";
    let banner = r#"<meta name="apple-itunes-app" content="app-id=123">"#;
    for (ios, android) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let site = embedded(&Settings {
            app_store_url: (ios > 0).then(|| app_store.to_owned()),
            play_store_url: (android > 0).then(|| play_store.to_owned()),
            ..Settings::default()
        });
        for path in pages(&site.site) {
            let html = text(&site, &path);
            let count = |text: &str| html.matches(text).count();
            // In the attribute that the script reads; on the landing page in the link and in JSON-LD, too, which
            // has the address of Google Play unescaped.
            let (of_ios, of_android) = if path == "/" { (3, 2) } else { (1, 1) };
            assert_eq!(count(app_store), ios * of_ios, "{path}");
            assert_eq!(count(&play_store.replace('&', "&amp;")), android * of_android, "{path}");
            assert_eq!((count(banner), count("apple-itunes-app")), (ios, ios), "{path}");
            let has_data = path == "/" && ios + android > 0;
            assert_eq!(html.contains("installUrl"), has_data, "{path}");
        }
    }
}

#[test]
fn name_and_address_appear_on_every_page_and_in_the_structured_data_of_the_landing_page_escaped() {
    let site = embedded(&settings(Some(ORIGIN)));
    for path in pages(&site.site).into_iter().chain(["/no-such-page".to_owned()]) {
        let html = text(&site, &path);
        assert!(html.contains(NAME_IN_HTML) && !html.contains(NAME), "{path}");
        assert!(html.contains(&format!(r#"data-support-email="{EMAIL}""#)), "{path}");
    }
    let html = text(&site, "/");
    let (_, data) = html.split_once(r#"<script type="application/ld+json">"#).expect("JSON-LD");
    let (data, _) = data.split_once("</script>").expect("its end");
    let read: serde_json::Value = serde_json::from_str(data).expect("JSON");
    for text in ["Jerry's", ORIGIN, EMAIL] {
        assert!(!data.contains('<') && read.to_string().contains(text), "{data}");
    }
    let manifest: serde_json::Value =
        serde_json::from_str(&text(&site, "/site.webmanifest")).unwrap();
    assert_eq!(manifest["name"], NAME);
    for (path, expected) in [
        ("/privacy", format!(r#"href="mailto:{EMAIL}""#)),
        ("/llms.txt", NAME.to_owned()),
        ("/.well-known/security.txt", format!("mailto:{EMAIL}")),
    ] {
        assert!(text(&site, path).contains(&expected), "{path}");
    }
}

/// The model of escaping: what a parser of HTML or JSON reads is the name.
#[test]
fn any_name_is_shown_unchanged() {
    for seed in 0..20 {
        let mut random = fastrand::Rng::with_seed(seed);
        let signs = [
            "<", ">", "&", "\"", "'", "{{", "}}", "#", "/", "\\", "\u{2028}", "é", "🍳", "a", "</",
        ];
        let name: String = (0..20).map(|_| *random.choice(&signs).expect("a sign")).collect();
        let site = embedded(&Settings {
            app_name: name.parse().expect("a name"),
            ..settings(Some(ORIGIN))
        });
        let mut escaped = name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        escaped = escaped.replace('"', "&quot;").replace('\'', "&#x27;");
        let html = text(&site, "/privacy");
        assert!(html.contains(&format!("data-app-name=\"{escaped}\"")), "{name}");
        let manifest: serde_json::Value =
            serde_json::from_str(&text(&site, "/site.webmanifest")).expect("JSON");
        assert_eq!(manifest["name"], name);
        assert!(text(&site, "/llms.txt").contains(&name), "{name}");
    }
}

#[test]
fn absolute_addresses_are_present_only_with_an_origin() {
    let with = embedded(&settings(Some(ORIGIN)));
    let without = embedded(&settings(None));
    for (path, address) in [
        ("/", r#"<link rel="canonical" href="https://kitchen.example/">"#),
        ("/privacy", r#"<link rel="canonical" href="https://kitchen.example/privacy">"#),
        ("/", "https://kitchen.example/og.png"),
        ("/robots.txt", "Sitemap: https://kitchen.example/sitemap.xml"),
        ("/.well-known/security.txt", "Canonical: https://kitchen.example/"),
    ] {
        assert!(text(&with, path).contains(address), "{path} with an origin: {address}");
    }
    for path in pages(&with.site) {
        let address = format!("{ORIGIN}{path}");
        assert!(text(&with, "/sitemap.xml").contains(&format!("<loc>{address}</loc>")), "{path}");
        assert!(text(&with, "/llms.txt").contains(&format!("]({address})")), "{path}");
        assert!(text(&without, "/llms.txt").contains(&format!("]({path})")), "{path}");
    }
    for (path, text) in texts(&without) {
        // Names of vocabularies are no links, and a text of an owner may contain one.
        let text = text.replace("https://schema.org", "").replace("http://www.w3.org/", "");
        let head = text.split("<main").next().expect("a head");
        let has_address = ["canonical", "og:url", "://"].iter().any(|each| head.contains(each));
        assert!(path.ends_with(".js") || !has_address, "{path}");
    }
    assert_eq!(send(&without, "GET /sitemap.xml", &[]).status, 404);
}
