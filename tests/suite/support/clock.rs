//! Times of a process that runs on the clock of the machine.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::support::process::DEADLINE;

/// Asserts that what `measure` measures takes `limit`, with an error of an eighth. It must never take less. A busy machine
/// can prolong it, as it prolongs a process that sleeps for as long meanwhile; the shortest of several measurements counts.
pub fn assert_takes(what: &str, limit: Duration, mut measure: impl FnMut() -> Duration) {
    let (begun, mut shortest) = (Instant::now(), Duration::MAX);
    while begun.elapsed() < DEADLINE {
        let sleeping = thread::spawn(move || {
            let begun = Instant::now();
            let mut sleep = Command::new("sleep");
            let status = sleep.arg(limit.as_secs_f64().to_string()).status();
            assert!(status.expect("sleep").success());
            begun.elapsed()
        });
        let measured = measure();
        assert!(measured >= limit, "{what}: {measured:?} instead of {limit:?}");
        shortest = shortest.min(measured);
        let slept = sleeping.join().expect("a process that sleeps");
        if measured <= slept + limit / 8 {
            return;
        }
    }
    panic!("{what}: {shortest:?} instead of {limit:?}");
}

/// Asserts that `text` shows a time between `begun` and now in UTC, as Date (RFC 9110 §5.6.7) or the access log
/// does. Protocol libraries format Date once a second, so it may be two seconds late.
pub fn assert_shows_time(text: &str, begun: SystemTime) {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let second = |time: SystemTime| time.duration_since(UNIX_EPOCH).expect("since 1970").as_secs();
    for second in second(begun) - 2..=second(SystemTime::now()) {
        // `Fri, 20 Nov 2026 12:21:53 GMT`
        let date = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(second));
        let [day, month, year, clock] = date[5..25].split(' ').collect::<Vec<_>>()[..] else {
            panic!()
        };
        let number = MONTHS.find(month).expect("a month") / 3 + 1;
        let combined = format!("[{day}/{month}/{year}:{clock} +0000]");
        let json = format!("{year}-{number:02}-{day}T{clock}Z");
        if [date, combined, json].iter().any(|shown| text.contains(shown)) {
            return;
        }
    }
    panic!("{text}: no time since {begun:?}");
}
