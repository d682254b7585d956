//! A certificate in the operator's files, which are read again when they change (WIRE-32).

use std::fs;
use std::mem;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

use super::certificate::Certificate;
use super::certificates::Certificates;
use super::chain::day;
use crate::operator_file;
use crate::output::report;
use crate::problem::Problem;

/// Time between two checks of the files. The operator may replace the chain and the key one after
/// the other, so both are read only after they have not changed for this time.
const INTERVAL: Duration = Duration::from_secs(1);

/// How long before its end a certificate is reported every day. At most a third of its lifetime,
/// because certificates that are valid for some days are replaced later.
const EXPIRY_TIME: Duration = Duration::from_secs(3 * 24 * 60 * 60);

// WIRE-32 promises 3 s: a change is seen within one interval, and read after one more.
const _: () = assert!(2 * INTERVAL.as_millis() < 3000);

/// The files of a chain and its key.
pub struct CertificateFiles {
    certificate: PathBuf,
    key: PathBuf,
    /// The host of the origin, if it is known.
    host: Option<String>,
    /// What presents the certificate.
    certificates: Arc<Certificates>,
    /// The versions that were read last.
    read_versions: Versions,
    /// What [`days_of_expiry`] was at the last report.
    days: Option<u64>,
}

/// The versions of the chain and of the key, to detect changes. `None` for a file without metadata.
type Versions = [Option<Version>; 2];

/// Device, inode number, and the time of the last change of content or mode (stat(2)), in seconds
/// and nanoseconds.
type Version = (u64, u64, i64, i64);

impl CertificateFiles {
    /// Reads the files of a chain and of its key, both in PEM, and installs the certificate. `host`
    /// is the origin's.
    pub fn open(certificate: PathBuf, key: PathBuf, host: Option<String>) -> Result<Self, Problem> {
        let (certificates, read_versions) = (Arc::default(), [None; 2]);
        let mut files = Self { certificate, key, host, certificates, read_versions, days: None };
        files.read()?;
        Ok(files)
    }

    /// The certificates that handshakes present.
    pub fn certificates(&self) -> &Arc<Certificates> {
        &self.certificates
    }

    /// Reads both files, and reports and installs the certificate.
    fn read(&mut self) -> Result<(), Problem> {
        // Read before the files, so a change in between is noticed.
        self.read_versions = self.versions();
        let chain = operator_file::read_for("--tls-cert", &self.certificate)?;
        let key = operator_file::read_for("--tls-key", &self.key)?;
        let certificate = Certificate::from_pem(&chain, &key);
        let certificate = certificate.map_err(|problem| {
            let (chain, key) = (self.certificate.display(), self.key.display());
            problem.within(format!("cannot use {chain} of --tls-cert with {key} of --tls-key"))
        })?;
        self.report(&certificate, SystemTime::now());
        self.certificates.install_default(certificate);
        Ok(())
    }

    /// Reports the names of `certificate`, the end of its validity, and why clients may reject it.
    fn report(&mut self, certificate: &Certificate, now: SystemTime) {
        self.days = days_of_expiry(certificate, now);
        let last_day = day(certificate.not_after);
        let validity = if now < certificate.not_before {
            let first_day = day(certificate.not_before);
            format!("not valid before {first_day}; replace it, or correct the clock")
        } else if certificate.not_after < now {
            format!("expired on {last_day}; replace it")
        } else if self.days.is_some() {
            format!("expires on {last_day}; replace it")
        } else {
            format!("valid until {last_day}")
        };
        certificate.report(&validity, self.host.as_deref());
    }

    /// Reads the files whenever they change, and installs a valid certificate; never returns. After
    /// a problem, the old certificate stays, and the files are read at each check: the reason may
    /// be a lack of open files. A problem is reported when it is new.
    ///
    /// Needs a thread of its own: a file system that does not answer blocks each thread that
    /// accesses it.
    ///
    /// The files are checked by path, because certbot and Kubernetes replace symbolic links, and
    /// other tools replace the files.
    pub fn watch(mut self) {
        let mut seen = self.read_versions;
        let mut problem = None;
        loop {
            thread::sleep(INTERVAL);
            let now = SystemTime::now();
            if let Some(certificate) = self.certificates.of_default()
                && days_of_expiry(&certificate, now) > self.days
            {
                self.report(&certificate, now);
            }
            let versions = self.versions();
            let has_settled = mem::replace(&mut seen, versions) == versions;
            let is_outdated = versions != self.read_versions || problem.is_some();
            if has_settled && is_outdated {
                let found = self.read().err().map(|problem| problem.to_string());
                if let Some(line) = found.as_ref().filter(|_| found != problem) {
                    report(format_args!("{line}; the old certificate stays in use"));
                }
                problem = found;
            }
        }
    }

    fn versions(&self) -> Versions {
        [&self.certificate, &self.key].map(|path| {
            let data = fs::metadata(path).ok()?;
            Some((data.dev(), data.ino(), data.ctime(), data.ctime_nsec()))
        })
    }
}

/// For how many days `certificate` has been reported every day; `None` before that.
fn days_of_expiry(certificate: &Certificate, now: SystemTime) -> Option<u64> {
    let Certificate { not_before, not_after, .. } = certificate;
    let lifetime = not_after.duration_since(*not_before).unwrap_or_default();
    let since = now.duration_since(*not_after - EXPIRY_TIME.min(lifetime / 3)).ok()?;
    Some(since.as_secs() / (24 * 60 * 60))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::generate_simple_self_signed;

    #[test]
    fn a_certificate_is_reported_daily_from_three_days_or_a_third_of_its_lifetime_before_its_end() {
        const HOUR: Duration = Duration::from_secs(60 * 60);
        let issued = generate_simple_self_signed(["a.example".to_owned()]).unwrap();
        let (chain, key) = (issued.cert.pem(), issued.signing_key.serialize_pem());
        let mut certificate = Certificate::from_pem(chain.as_bytes(), key.as_bytes()).unwrap();
        for (lifetime, left, expected) in [
            (90 * 24, 73, None),
            (90 * 24, 72, Some(0)),
            (90 * 24, 48, Some(1)),
            (6 * 24, 49, None),
        ] {
            certificate.not_after = certificate.not_before + lifetime * HOUR;
            let now = certificate.not_after - left * HOUR;
            assert_eq!(days_of_expiry(&certificate, now), expected, "{left} of {lifetime} hours");
        }
    }
}
