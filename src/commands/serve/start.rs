//! `recipelog-site`: serves the site until a shutdown request.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use tokio::sync::Mutex;

use super::https::Https;
use super::qr_code;
use crate::cli::Cli;
use crate::output::{install_panic_hook, report, start_writer};
use crate::sandbox::Sandbox;
use crate::server::{
    self, AccessLog, BindError, BoundSockets, Ended, HttpsService, ListenAddress, Role, Scheme,
    Service, Services, Signals, UnixSocket, systemd,
};
use crate::site::Site;
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
    let reload = Arc::clone(&signals.reload);
    let opened = async {
        let bound = bind(cli, workers).await.map_err(bind_problem)?;
        let has_tls = bound.listeners.iter().any(|listener| listener.serves(Scheme::Https));
        check_passed_sockets(has_tls, cli.https.is_used())?;
        let https = if cli.https.is_used() { Some(Https::open(cli, reload).await?) } else { None };
        Ok::<_, String>((bound, https))
    };
    // A name server or a file system may not answer.
    let (BoundSockets { listeners, addresses, paths }, https) = tokio::select! {
        opened = opened => opened?,
        () = signals.recv() => {
            report("ended before the addresses and the certificate were known");
            return Ok(ExitCode::SUCCESS);
        }
    };
    if cli.listening.open {
        // On another thread, because this waits until the browser has started. The thread
        // starts before the sandbox is entered, because a browser does not work in it.
        let addresses = addresses.clone();
        let thread = thread::Builder::new().name("browser-start".to_owned());
        if let Err(error) = thread.spawn(move || open_browser(&addresses)) {
            report(system_error::line("cannot open a browser", &error));
        }
    }
    // Gives up all files, ports and signals that the process does not need any more.
    let mut sandbox = Sandbox::default();
    sandbox.remove.extend(paths.iter().filter_map(UnixSocket::folder));
    if let Some(https) = &https {
        https.allow(&mut sandbox);
    }
    sandbox.enter().map_err(|error| format!("cannot restrict the process: {error}"))?;
    start_writer().map_err(|error| system_error::line("cannot start a thread", &error))?;
    let access_log = cli
        .log_format()
        .map(|format| AccessLog::start(format, cli.limits.trusted_proxies))
        .transpose()
        .map_err(|error| system_error::line("cannot start the access log", &error))?
        .map(Arc::new);
    let site = Arc::new(Site::embedded(&cli.settings()));

    let certificates = https.as_ref().map(|https| Arc::clone(&https.certificates));
    let (tls, renewal) = https.map(Https::start).transpose()?.unzip();
    report(ready_line(cli, &addresses));
    if cli.listening.qr {
        qr_code::print(cli.redirect_origin(), &addresses);
    }
    systemd::notify("READY=1");
    let service = Service::new(site, access_log.clone());
    let (http, service) = match (cli.redirect_origin(), certificates) {
        (Some(origin), Some(certificates)) => {
            let redirecting = |names| {
                let (origin, certificates) = (origin.to_string(), Arc::clone(&certificates));
                service.with_role(Role::Redirect { origin, certificates, names })
            };
            (redirecting(None), redirecting(Some(cli.other_domains())))
        }
        _ => (service.clone(), service.with_role(Role::AnswerOverTls)),
    };
    let https = tls.map(|tls| HttpsService { tls, service });
    let services = Services { http, https };
    let signals = Mutex::new(signals);
    let second_signal = async { signals.lock().await.recv().await };
    let shutdown = async {
        signals.lock().await.recv().await;
        systemd::notify("STOPPING=1");
        // The next instance may bind the paths and use the state folder from now on.
        drop(paths);
        if let Some(renewal) = renewal.flatten() {
            renewal.abort();
        }
    };
    let ended = server::run(listeners, services, limits, shutdown, second_signal)
        .await
        .map_err(|error| system_error::line("cannot serve", &error))?;
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

/// The line for visitors' address, if it is known, and those of this machine.
fn ready_line(cli: &Cli, addresses: &[String]) -> String {
    let ready = format!("ready on {}", addresses.join(" and "));
    match cli.origin() {
        Some(origin) if cli.https.acme.is_used() => {
            format!("{origin}, with HTTPS once there is a certificate: {ready}")
        }
        Some(origin) => format!("{origin}: {ready}"),
        None => ready,
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
    use clap::Parser;
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn the_ready_line_names_the_origin_first() {
        let addresses = ["http://[::]:80".to_owned(), "https://[::]:443".to_owned()];
        for (options, start) in [
            (&[][..], "ready on http://"),
            (&["--origin", "https://a.example"], "https://a.example: ready on http://"),
            (
                &["--acme-domain", "a.example"],
                "https://a.example, with HTTPS once there is a certificate: ready on http://",
            ),
        ] {
            let cli =
                Cli::try_parse_from([&["recipelog-site"], options].concat()).expect("options");
            let line = ready_line(&cli, &addresses);
            assert!(line.starts_with(start), "{line}");
            assert!(line.ends_with("http://[::]:80 and https://[::]:443"), "{line}");
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
