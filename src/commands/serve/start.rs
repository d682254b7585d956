//! `recipelog-site`: serves the site until a shutdown request.

use std::io;
use std::thread;
use std::time::Duration;

use tokio::runtime::{Builder, LocalOptions};
use tokio::task::AbortHandle;

use super::certificate_source::CertificateSource;
use super::qr_code;
use crate::cli::{Config, Logging};
use crate::http::Front;
use crate::output::{install_panic_hook, report, start_writer};
use crate::problem::Problem;
use crate::sandbox::Sandbox;
use crate::server::{
    self, AccessLog, BoundSockets, ListenAddress, Scheme, Service, Signals, Tls, UnixSocket,
    systemd,
};
use crate::site::{Origin, Site};

/// Serves until SIGTERM, SIGINT or SIGQUIT, then drains; a second signal ends the drain at once.
/// The error states the problem and the remedy in one line.
pub fn serve(config: &Config) -> Result<(), Problem> {
    install_panic_hook();
    let runtime = Builder::new_current_thread()
        .enable_all()
        // A thread that has looked up a name must not stay outside of the sandbox.
        .thread_keep_alive(Duration::ZERO)
        .build_local(LocalOptions::default())
        .map_err(Problem::of_process("cannot start the runtime"))?;
    let result = runtime.block_on(run(config));
    // Does not wait for a name server.
    runtime.shutdown_background();
    result
}

async fn run(config: &Config) -> Result<(), Problem> {
    let mut signals =
        Signals::new().map_err(Problem::of_process("cannot install signal handlers"))?;
    let workers = config.listening.threads();
    // A signal ends the wait for a name server or a file system that does not answer.
    let (sockets, certificate) = tokio::select! {
        opened = open(config, workers) => opened?,
        () = signals.recv() => {
            report("ended before the addresses and the certificate were known");
            return Ok(());
        }
    };
    let limits = config.limits.within_open_files(&sockets.workers)?;
    confine(config, &sockets, certificate.as_ref())?;
    let Logging { access_log, trusted_proxies } = config.logging;
    let access_log = AccessLog::start(access_log, trusted_proxies)
        .map_err(Problem::of_process("cannot start the access log"))?;
    let front = Front {
        site: Site::embedded(&config.settings),
        origin: config.redirect.clone(),
        other_names: config.other_names.clone(),
        trusts_proxy: trusted_proxies > 0,
    };
    let (tls, renewal) = certificate.map(CertificateSource::start).transpose()?.unzip();
    let has_certificate = tls.as_ref().is_some_and(|tls: &Tls| tls.certificates.has_default());
    if config.settings.shows_default_address() {
        report("the pages show a placeholder as your address; set --support-email to yours");
    }
    report(config.settings.contact_report());
    if config.settings.origin.is_none() {
        report("shared links to the site have no picture; set --origin to its address");
    }
    report(ready_line(config.settings.origin.as_ref(), has_certificate, &sockets.addresses));
    if config.listening.qr {
        qr_code::print(config.redirect.as_ref(), &sockets.addresses);
    }
    systemd::notify("READY=1");
    let service = Service::new(front, tls, access_log.clone());
    let BoundSockets { workers, mut paths, .. } = sockets;
    let signal = async || {
        signals.recv().await;
        systemd::notify("STOPPING=1");
        // The next instance may bind the paths and use the state folder from now on.
        paths.clear();
        renewal.iter().flatten().for_each(AbortHandle::abort);
    };
    let is_complete = server::run(workers, service, limits, signal)
        .await
        .map_err(Problem::of_process("cannot serve"))?;
    if let Some(access_log) = access_log {
        access_log.finish();
    }
    if !is_complete {
        let remedy = "a longer --drain-timeout, and no second signal, lets them complete";
        return Err(Problem::new("ended, connections cut off", remedy));
    }
    report("ended, every request answered");
    Ok(())
}

/// Opens the sockets and the certificate.
async fn open(
    config: &Config,
    workers: usize,
) -> Result<(BoundSockets, Option<CertificateSource>), Problem> {
    let sockets = match BoundSockets::bind(&config.addresses, workers).await {
        Err(problem)
            if problem.kind() == Some(io::ErrorKind::AddrInUse) && config.may_change_port() =>
        {
            let any_port = (Scheme::Http, ListenAddress::Tcp("::".to_owned(), 0));
            BoundSockets::bind(&[any_port], workers).await?
        }
        bound => bound?,
    };
    let has_tls = sockets.workers.iter().any(|worker| worker.serves(Scheme::Https));
    // Only the sockets of LISTEN_FDS can differ from the options.
    let (what, remedy) = match (has_tls, config.https.is_used()) {
        (true, true) => return Ok((sockets, Some(CertificateSource::open(config).await?))),
        (false, false) => return Ok((sockets, None)),
        (true, false) => {
            let what = "systemd's socket for HTTPS needs a certificate";
            (what, "set ACME_DOMAIN, or TLS_CERT and TLS_KEY")
        }
        (false, true) => {
            ("no socket of systemd is for HTTPS", "set FileDescriptorName=https in its unit")
        }
    };
    Err(Problem::new(what, remedy))
}

/// Gives up all files, ports and signals that the process does not need from now on. The browser
/// needs them, so it starts before.
fn confine(
    config: &Config,
    sockets: &BoundSockets,
    certificate: Option<&CertificateSource>,
) -> Result<(), Problem> {
    if config.listening.open {
        // On another thread, because this waits until the browser has started.
        let addresses = sockets.addresses.clone();
        let thread = thread::Builder::new().name("browser-start".to_owned());
        if let Err(error) = thread.spawn(move || open_browser(&addresses)) {
            report(Problem::of_process("cannot open a browser")(error));
        }
    }
    let mut sandbox = Sandbox::default();
    sandbox.remove.extend(sockets.paths.iter().filter_map(UnixSocket::folder));
    if let Some(certificate) = certificate {
        certificate.allow(&mut sandbox);
    }
    sandbox.enter().map_err(Problem::of_process("cannot restrict the process"))?;
    start_writer().map_err(Problem::of_process("cannot start a thread"))
}

/// The line with the address for visitors, if it is known, and the addresses of this machine.
/// Without a certificate, handshakes fail, so HTTPS follows.
fn ready_line(origin: Option<&Origin>, has_certificate: bool, addresses: &[String]) -> String {
    let visitors = origin.map_or_else(String::new, |origin| format!("{origin}: "));
    let is_ready = |address: &&str| has_certificate || !address.starts_with("https://");
    let (now, later): (Vec<_>, Vec<_>) = addresses.iter().map(|it| &**it).partition(is_ready);
    let (now, later) = (now.join(" and "), later.join(" and "));
    match (&*now, &*later) {
        (now, "") => format!("{visitors}ready on {now}"),
        ("", later) => format!("{visitors}ready on {later} once there is a certificate"),
        _ => format!("{visitors}ready on {now}; once there is a certificate, also on {later}"),
    }
}

/// Opens the first address that is a URL.
fn open_browser(addresses: &[String]) {
    let Some(address) = addresses.iter().find(|address| address.starts_with("http")) else {
        report("a browser cannot open a Unix socket; add a --listen with a port");
        return;
    };
    // The library's error lists its attempts, not a reason.
    if open::that_detached(address).is_err() {
        report(format_args!("cannot open a browser; open {address} yourself"));
    }
}
