//! Times in the formats of the log.

use std::time::SystemTime;

/// A moment in UTC, to the second.
pub(super) struct Timestamp(pub(super) SystemTime);

impl Timestamp {
    /// `20/Nov/2026:12:21:53 +0000`
    pub(super) fn common_log(&self) -> String {
        let [day, month, year, time] = self.parts();
        format!("{day}/{month}/{year}:{time} +0000")
    }

    /// `2026-11-20T12:21:53Z`
    pub(super) fn rfc_3339(&self) -> String {
        const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
        let [day, month, year, time] = self.parts();
        let month = MONTHS.find(&month).unwrap_or_default() / 3 + 1;
        format!("{year}-{month:02}-{day}T{time}Z")
    }

    /// Day, month, year and time of `Fri, 20 Nov 2026 12:21:53 GMT`.
    fn parts(&self) -> [String; 4] {
        let date = httpdate::fmt_http_date(self.0);
        let mut parts = date.split(' ').skip(1).map(str::to_owned);
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_have_the_notation_of_each_format() {
        let time = Timestamp(SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_177_313));
        assert_eq!(time.common_log(), "20/Nov/2026:12:21:53 +0000");
        assert_eq!(time.rfc_3339(), "2026-11-20T12:21:53Z");
    }
}
