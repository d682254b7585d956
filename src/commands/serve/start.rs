//! `recipelog-site`: serves the site until a shutdown request.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use tokio::sync::Mutex;
use tokio::task::AbortHandle;

use super::certificate::Certificate;
use super::qr_code;
use crate::cli::Cli;
use crate::http::Front;
use crate::output::{install_panic_hook, report, start_writer};
use crate::sandbox::Sandbox;
use crate::server::{
    self, AccessLog, BindError, BoundSockets, Ended, Limits, ListenAddress, Scheme, Service,
    Signals, Tls, UnixSocket, systemd,
};
use crate::site::{Origin, Site};
use crate::system_error;

/// Serves until SIGTERM, SIGINT or SIGQUIT, then drains; a second signal ends the drain
/// at once. The error states the problem and the remedy in one line.
pub fn serve(cli: &Cli) -> Result<ExitCode, String> {
    install_panic_hook();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| system_error::line("cannot start the runtime", &error))?;
    let result = runtime.block_on(run(cli));
    // Without a wait for a name server.
    runtime.shutdown_background();
    result
}

async fn run(cli: &Cli) -> Result<ExitCode, String> {
    let mut signals = Signals::new()
        .map_err(|error| system_error::line("cannot install signal handlers", &error))?;
    let workers = cli.listening.threads();
    let limits = cli.limits.within_open_files(workers)?;
    // A name server or a file system may not answer.
    let (sockets, certificate) = tokio::select! {
        opened = open(cli, workers) => opened?,
        () = signals.recv() => {
            report("ended before the addresses and the certificate were known");
            return Ok(ExitCode::SUCCESS);
        }
    };
    confine(cli, &sockets, certificate.as_ref())?;
    let access_log = cli
        .log_format()
        .map(|format| AccessLog::start(format, cli.limits.trusted_proxies))
        .transpose()
        .map_err(|error| system_error::line("cannot start the access log", &error))?
        .map(Arc::new);
    let front = Front {
        site: Site::embedded(&cli.settings()),
        origin: cli.redirect_origin(),
        other_names: cli.other_domains(),
        trusts_proxy: cli.limits.trusted_proxies > 0,
    };
    let (tls, renewal) = certificate.map(Certificate::start).transpose()?.unzip();
    let has_certificate =
        tls.as_ref().is_some_and(|tls: &Tls| tls.certificates.current().is_some());
    report(ready_line(cli.origin().as_ref(), has_certificate, &sockets.addresses));
    if cli.listening.qr {
        qr_code::print(cli.redirect_origin(), &sockets.addresses);
    }
    systemd::notify("READY=1");
    let service = Service::new(front, tls, access_log.clone());
    let ended = serve_until_signal(sockets, service, limits, signals, renewal.flatten()).await?;
    if let Some(access_log) = access_log {
        access_log.finish();
    }
    match ended {
        Ended::Drained => {
            report("ended, every request answered");
            Ok(ExitCode::SUCCESS)
        }
        Ended::CutOff => {
            Err("ended, connections cut off; a longer --drain-timeout lets them complete"
                .to_owned())
        }
        Ended::Aborted => {
            Err("ended, connections cut off by a second signal; send one to let them complete"
                .to_owned())
        }
    }
}

/// Opens the sockets and the certificate.
async fn open(cli: &Cli, workers: usize) -> Result<(BoundSockets, Option<Certificate>), String> {
    let sockets = bind(cli, workers).await.map_err(bind_problem)?;
    let has_tls = sockets.listeners.iter().any(|listener| listener.serves(Scheme::Https));
    check_passed_sockets(has_tls, cli.https.is_used())?;
    let certificate = if cli.https.is_used() { Some(Certificate::open(cli).await?) } else { None };
    Ok((sockets, certificate))
}

/// Gives up all files, ports and signals that the process does not need any more. What they are needed for once
/// is done before.
fn confine(
    cli: &Cli,
    sockets: &BoundSockets,
    certificate: Option<&Certificate>,
) -> Result<(), String> {
    if cli.listening.open {
        // On another thread, because this waits until the browser has started. A browser does not work in the
        // sandbox.
        let addresses = sockets.addresses.clone();
        let thread = thread::Builder::new().name("browser-start".to_owned());
        if let Err(error) = thread.spawn(move || open_browser(&addresses)) {
            report(system_error::line("cannot open a browser", &error));
        }
    }
    let mut sandbox = Sandbox::default();
    sandbox.remove.extend(sockets.paths.iter().filter_map(UnixSocket::folder));
    if let Some(certificate) = certificate {
        certificate.allow(&mut sandbox);
    }
    sandbox.enter().map_err(|error| format!("cannot restrict the process: {error}"))?;
    start_writer().map_err(|error| system_error::line("cannot start a thread", &error))
}

/// Serves until a signal, then drains. Ends the `renewal` of the certificate at the signal.
async fn serve_until_signal(
    sockets: BoundSockets,
    service: Service,
    limits: Limits,
    signals: Signals,
    renewal: Option<AbortHandle>,
) -> Result<Ended, String> {
    let BoundSockets { listeners, paths, .. } = sockets;
    let signals = Mutex::new(signals);
    let second_signal = async { signals.lock().await.recv().await };
    let shutdown = async {
        signals.lock().await.recv().await;
        systemd::notify("STOPPING=1");
        // The next instance may bind the paths and use the state folder from now on.
        drop(paths);
        if let Some(renewal) = renewal {
            renewal.abort();
        }
    };
    server::run(listeners, service, limits, shutdown, second_signal)
        .await
        .map_err(|error| system_error::line("cannot serve", &error))
}

async fn bind(cli: &Cli, workers: usize) -> Result<BoundSockets, BindError> {
    match BoundSockets::bind(&cli.addresses(), workers).await {
        Err(problem)
            if problem.error.kind() == io::ErrorKind::AddrInUse && cli.may_change_port() =>
        {
            let any_port = (Scheme::Http, ListenAddress::Tcp("[::]:0".to_owned()));
            BoundSockets::bind(&[any_port], workers).await
        }
        bound => bound,
    }
}

/// The line with the address for visitors, if it is known, and those of this machine. Without a certificate,
/// handshakes fail.
fn ready_line(origin: Option<&Origin>, has_certificate: bool, addresses: &[String]) -> String {
    let is_ready = |address: &&String| has_certificate || !address.starts_with("https://");
    let (ready, later): (Vec<&String>, Vec<&String>) = addresses.iter().partition(is_ready);
    let join = |addresses: &[&String]| {
        addresses.iter().map(|address| address.as_str()).collect::<Vec<_>>().join(" and ")
    };
    let ready = (!ready.is_empty()).then(|| format!("ready on {}", join(&ready)));
    let later = (!later.is_empty())
        .then(|| format!("HTTPS on {} follows once there is a certificate", join(&later)));
    let line = ready.into_iter().chain(later).collect::<Vec<_>>().join("; ");
    match origin {
        Some(origin) => format!("{origin}: {line}"),
        None => line,
    }
}

/// Only the sockets of LISTEN_FDS can differ from the options.
fn check_passed_sockets(has_tls: bool, has_certificate: bool) -> Result<(), String> {
    let problem = match (has_tls, has_certificate) {
        (true, false) => {
            "a socket of LISTEN_FDS is for HTTPS; add --tls-cert and --tls-key, or --acme-domain"
        }
        (false, true) => {
            "no socket of LISTEN_FDS is for HTTPS; set FileDescriptorName=https in its unit"
        }
        _ => return Ok(()),
    };
    Err(problem.to_owned())
}

/// Opens the first address that is a URL.
fn open_browser(addresses: &[String]) {
    let Some(address) = addresses.iter().find(|address| address.starts_with("http")) else {
        report("a browser cannot open a Unix socket; add a --listen with a port");
        return;
    };
    // The error lists the library's attempts, not a reason.
    if open::that_detached(address).is_err() {
        report(format_args!("cannot open a browser; open {address} yourself"));
    }
}

/// The line for an address that cannot be listened on, with the remedy.
fn bind_problem(BindError { address, error }: BindError) -> String {
    let Some((scheme, address)) = address else {
        return system_error::line("cannot use a socket of LISTEN_FDS", &error);
    };
    let problem = format!("cannot listen on {address}");
    let remedy = match address {
        ListenAddress::Unix(_) => path_remedy(error.kind()).map(str::to_owned),
        ListenAddress::Tcp(address) => {
            port_remedy(error.kind(), &address).map(|remedy| match scheme {
                Scheme::Http => format!("{remedy} with --listen or --port"),
                Scheme::Https => format!("{remedy} with --tls-listen"),
            })
        }
    };
    match remedy {
        Some(remedy) => format!("{problem}: {error}; {remedy}"),
        None => system_error::line(&problem, &error),
    }
}

fn path_remedy(error: io::ErrorKind) -> Option<&'static str> {
    Some(match error {
        io::ErrorKind::AddrInUse => {
            "end the process that listens there, remove a file that is not a socket, or choose \
             another path"
        }
        io::ErrorKind::PermissionDenied => "choose a folder that this user may write to",
        io::ErrorKind::ReadOnlyFilesystem => "choose a folder that can be written to",
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "choose a folder that exists",
        io::ErrorKind::InvalidInput => "choose a path of at most 107 bytes",
        _ => return None,
    })
}

fn port_remedy(error: io::ErrorKind, address: &str) -> Option<&'static str> {
    let port = address.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
    Some(match error {
        io::ErrorKind::NotFound => "choose an address, or a name that this machine can look up,",
        io::ErrorKind::AlreadyExists => "remove one of them, or choose another one",
        io::ErrorKind::AddrInUse => "end the process that uses it, or choose another one",
        io::ErrorKind::PermissionDenied if port.is_some_and(|port| port < 1024) => {
            "a port below 1024 needs rights: use sudo or the units of deploy/, or allow it with sudo \
             setcap cap_net_bind_service=+ep FILE; or choose a port above 1023"
        }
        io::ErrorKind::AddrNotAvailable => "choose an address of this machine",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn the_ready_line_names_the_origin_first_and_only_addresses_that_answer() {
        let origin = "https://a.example".parse().expect("an origin");
        let both = ["http://[::]:80".to_owned(), "https://[::]:443".to_owned()];
        let follows = "HTTPS on https://[::]:443 follows once there is a certificate";
        for (origin, has_certificate, addresses, expected) in [
            (None, false, &both[..1], "ready on http://[::]:80".to_owned()),
            (
                Some(&origin),
                true,
                &both,
                "https://a.example: ready on http://[::]:80 and https://[::]:443".to_owned(),
            ),
            (
                Some(&origin),
                false,
                &both,
                format!("https://a.example: ready on http://[::]:80; {follows}"),
            ),
            (Some(&origin), false, &both[1..], format!("https://a.example: {follows}")),
        ] {
            assert_eq!(ready_line(origin, has_certificate, addresses), expected);
        }
    }

    #[test]
    fn an_address_that_cannot_be_bound_has_the_remedy_of_its_error() {
        let tcp = || ListenAddress::Tcp("127.0.0.1:80".to_owned());
        let unix = || ListenAddress::Unix("/a".into());
        for (address, error, remedy) in [
            (tcp(), io::ErrorKind::AddrNotAvailable.into(), "choose an address of this machine"),
            (tcp(), io::ErrorKind::AddrInUse.into(), "end the process that uses it"),
            (unix(), io::ErrorKind::AddrInUse.into(), "remove a file that is not a socket"),
            (tcp(), io::ErrorKind::AlreadyExists.into(), "remove one of them"),
            (unix(), io::ErrorKind::PermissionDenied.into(), "that this user may write to"),
            (tcp(), io::ErrorKind::PermissionDenied.into(), "sudo setcap cap_net_bind_service=+ep"),
            (tcp(), io::ErrorKind::NotFound.into(), "a name that this machine can look up"),
            (unix(), io::ErrorKind::NotFound.into(), "choose a folder that exists"),
            (unix(), io::ErrorKind::ReadOnlyFilesystem.into(), "that can be written to"),
            (tcp(), Errno::MFILE.into(), "raise the limit on open files"),
            (unix(), Errno::MFILE.into(), "raise the limit on open files"),
        ] {
            let error: io::Error = error;
            let line = bind_problem(BindError { address: Some((Scheme::Http, address)), error });
            assert!(line.contains(remedy), "{line}");
        }
        // Not for lack of rights to a port: a security module, for example.
        let address = Some((Scheme::Http, ListenAddress::Tcp("127.0.0.1:8080".to_owned())));
        let line = bind_problem(BindError { address, error: Errno::ACCESS.into() });
        assert!(line.ends_with("(os error 13)"), "{line}");
    }
}
