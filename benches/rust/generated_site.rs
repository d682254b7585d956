//! Serves a site with any number of generated files. `benches/curve` uses it,
//! because an embedded site would need a build for each number of files.
//!
//! `generated_site PORT FILES`

use std::error::Error;
use std::future::pending;
use std::sync::Arc;

use recipelog_site::server::{self, Limits, Listener, bind_tcp};
use recipelog_site::site::{File, Settings, Site};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, files] = &arguments[..] else {
        return Err("usage: generated_site PORT FILES".into());
    };
    let site = Site::new(files_of_a_site(files.parse()?), &Settings::default(), None);
    let listener = Listener::from(bind_tcp(&format!("127.0.0.1:{port}"))?);
    server::run(vec![listener], Arc::new(site), Limits::DEFAULT, pending(), pending()).await?;
    Ok(())
}

/// The pages `/`, `/recipes/1`, `/recipes/2` and so on, each with a gzip variant.
/// The server does not decode variants, so a shorter text replaces the compression.
fn files_of_a_site(count: usize) -> impl Iterator<Item = File> {
    let page = |name: String| {
        let text = format!("<!doctype html><title>{name}</title>{}", "<p>Soup</p>".repeat(90));
        let gzip = text[..text.len() / 2].to_owned();
        [File::new(format!("{name}.html.gz"), gzip), File::new(format!("{name}.html"), text)]
    };
    let recipes = (1..count).map(|number| format!("recipes/{number}"));
    std::iter::once("index".to_owned()).chain(recipes).flat_map(page)
}
