//! The heap allocations of `respond`. This is a separate executable, because the
//! count includes the whole process.

use std::alloc::System;

use http::{Request, StatusCode, Version};
use recipelog_site::http::respond;
use recipelog_site::site::{Settings, Site};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The lowest count of several runs is used, because the thread of the test runner
/// allocates now and then.
const TRIES: usize = 20;

/// Number of allocations of `work`. Its result is dropped after the count.
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
fn a_response_from_the_table_allocates_its_header_map_only() {
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
        let expected = allocations(|| response.headers().clone());
        assert!(expected > 0);
        assert_eq!(allocations(|| respond(&site, &request)), expected, "{status}");
    }
}
