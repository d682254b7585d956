//! What `respond` takes from the heap. A program of its own: it counts the
//! allocations of the whole process.

use std::alloc::System;

use http::{Request, StatusCode, Version};
use recipelog_site::http::respond;
use recipelog_site::site::{Settings, Site};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Others allocate too: the test runner's own thread. Nobody does so each time.
const TRIES: usize = 20;

/// Allocations of `work`, whose result is dropped after they are counted.
fn allocations<T>(mut work: impl FnMut() -> T) -> usize {
    let counts = (0..TRIES).map(|_| {
        let region = Region::new(ALLOCATOR);
        let result = work();
        let change = region.change();
        drop(result);
        change.allocations + change.reallocations
    });
    counts.min().unwrap_or_default()
}

#[test]
fn an_answer_out_of_the_table_allocates_its_header_map_and_nothing_else() {
    let site = Site::embedded(&Settings::default());
    let request = |fields: &[(&str, &str)]| {
        let mut request = Request::builder().uri("/").version(Version::HTTP_11);
        for (name, value) in
            [("host", "a.example"), ("accept-encoding", "gzip, br")].iter().chain(fields)
        {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap()
    };
    let whole = respond(&site, &request(&[]));
    let etag = whole.headers()["etag"].to_str().unwrap();
    for (fields, status) in
        [(&[][..], StatusCode::OK), (&[("if-none-match", etag)], StatusCode::NOT_MODIFIED)]
    {
        let request = request(fields);
        let response = respond(&site, &request);
        assert_eq!(response.status(), status);
        let of_the_map = allocations(|| response.headers().clone());
        assert!(of_the_map > 0);
        assert_eq!(allocations(|| respond(&site, &request)), of_the_map, "{status}");
    }
}
