//! Does the work of one scenario, for `benches/instructions`:
//!
//! - `instructions` prints the names of the scenarios;
//! - `instructions SCENARIO` does the work once to fill caches, and once in
//!   [`counted`], whose instructions callgrind counts. Prints the number of times that
//!   the work is repeated in it, and its heap allocations.

mod connection;
#[path = "../requests.rs"]
mod requests;

use std::alloc::System;
use std::hint::black_box;
use std::process::ExitCode;

use recipelog_site::http::respond;
use recipelog_site::site::{Settings, Site};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

use requests::{BROWSER_CODINGS, etag_of_page, request};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Repetitions of a request, so that the set-up of a connection adds little to each.
const REQUESTS: usize = 100;

const ACCEPTS_CODINGS: (&str, &str) = ("accept-encoding", BROWSER_CODINGS);

const SCENARIOS: [(&str, fn()); 9] = [
    ("respond: page", || respond_to("/", &[ACCEPTS_CODINGS])),
    ("respond: 304", || respond_to("/", &[ACCEPTS_CODINGS, ("if-none-match", &etag_of_page())])),
    ("respond: range", || respond_to("/", &[("range", "bytes=0-99")])),
    ("respond: 404", || respond_to("/none", &[ACCEPTS_CODINGS, ("accept", "text/html")])),
    ("respond: redirect", || respond_to("/privacy/", &[])),
    ("start", || count(1, || drop(black_box(Site::embedded(&Settings::default()))))),
    ("start with an origin", || {
        let origin = Some("https://recipes.example".parse().expect("an origin"));
        let settings = Settings { origin, ..Settings::default() };
        count(1, || drop(black_box(Site::embedded(&settings))));
    }),
    ("HTTP/1.1 connection: page", || {
        let serve = connection::http1(REQUESTS);
        count(REQUESTS, serve);
    }),
    ("HTTP/2 connection: page", || {
        let serve = connection::http2(REQUESTS);
        count(REQUESTS, serve);
    }),
];

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        for (name, _) in SCENARIOS {
            println!("{name}");
        }
        return ExitCode::SUCCESS;
    };
    let Some((_, run)) = SCENARIOS.iter().find(|(known, _)| *known == name) else {
        eprintln!("instructions: unknown scenario {name:?}");
        return ExitCode::from(2);
    };
    run();
    ExitCode::SUCCESS
}

/// Counts `work`, which repeats something `repetitions` times.
fn count(repetitions: usize, mut work: impl FnMut()) {
    work();
    let region = Region::new(ALLOCATOR);
    counted(&mut work);
    let change = region.change();
    println!("{repetitions} {}", change.allocations + change.reallocations);
}

/// The function that callgrind looks for.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
}

fn respond_to(target: &str, fields: &[(&str, &str)]) {
    let site = Site::embedded(&Settings::default());
    let request = request(target, fields);
    // The drop of the response is counted too, because each request includes it.
    count(REQUESTS, || {
        for _ in 0..REQUESTS {
            drop(black_box(respond(&site, black_box(&request))));
        }
    });
}
