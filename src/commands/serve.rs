//! `recipelog-site`: serves the site until it is told to end.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use crate::cli::Cli;
use crate::server::{
    self, AccessLog, Ended, Limits, ListenAddress, Listener, Service, Signals,
    connections_within_limit, supervisor,
};
use crate::site::Site;

/// Serves until SIGTERM or SIGINT; a second one ends the drain at once. The
/// error says in one line what to do.
pub fn serve(cli: &Cli) -> Result<ExitCode, String> {
    server::panics_in_one_line();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("cannot start: {error}"))?;
    runtime.block_on(run(cli))
}

async fn run(cli: &Cli) -> Result<ExitCode, String> {
    let mut signals = Signals::new().map_err(|error| format!("cannot handle signals: {error}"))?;
    let Sockets { listener, addresses, paths } = Sockets::open(cli)?;
    let access_log = cli
        .logging
        .format()
        .map(|format| AccessLog::start(format, cli.logging.trust_proxy))
        .transpose()
        .map_err(|error| format!("cannot start the access log: {error}"))?;
    let site = Arc::new(Site::embedded(&cli.settings()));
    let limits = cli.limits();
    let limits =
        Limits { max_connections: connections_within_limit(limits.max_connections), ..limits };

    eprintln!("recipelog-site: ready on {}", addresses.join(" and "));
    supervisor::ready();
    if cli.listening.open {
        // Apart: whether the browser starts is waited for.
        std::thread::spawn(move || open_browser(&addresses));
    }
    let (wish, wished) = tokio::sync::oneshot::channel();
    let server = server::run(listener, Service::new(site, access_log), limits, async {
        // The sender is kept until it has sent.
        let _ = wished.await;
        supervisor::stopping();
        // Before the drain: afterwards the path may be the next instance's.
        unlink(&paths);
    });
    let ended = tokio::select! {
        ended = server => ended,
        () = async {
            signals.recv().await;
            let _ = wish.send(());
            signals.recv().await;
        } => Ended::CutOff,
    };
    match ended {
        Ended::Drained => {
            eprintln!("recipelog-site: ended, every request answered");
            Ok(ExitCode::SUCCESS)
        }
        Ended::CutOff => Err("ended, connections cut off".to_owned()),
    }
}

/// Opens the first address that a browser understands.
fn open_browser(addresses: &[String]) {
    let Some(address) = addresses.iter().find(|address| address.starts_with("http")) else {
        eprintln!("recipelog-site: no browser opens a Unix socket; add a --listen with a port");
        return;
    };
    if let Err(error) = open::that_detached(address) {
        // The site is served all the same.
        eprintln!("recipelog-site: cannot open a browser: {error}; open {address} yourself");
    }
}

fn unlink(paths: &[PathBuf]) {
    for path in paths {
        // Somebody may have tidied up already.
        let _ = std::fs::remove_file(path);
    }
}

/// What is listened on, and where people find it.
#[derive(Default)]
struct Sockets {
    listener: Listener,
    addresses: Vec<String>,
    paths: Vec<PathBuf>,
}

impl Sockets {
    /// Those that a supervisor handed over, else those that the command line
    /// names.
    fn open(cli: &Cli) -> Result<Self, String> {
        let mut sockets = Self::default();
        supervisor::take_sockets(&mut sockets.listener, &mut sockets.addresses)
            .map_err(|error| format!("cannot take over a socket of LISTEN_FDS: {error}"))?;
        if sockets.addresses.is_empty() {
            for address in cli.listening.addresses() {
                if let Err(error) = sockets.listen(&address) {
                    unlink(&sockets.paths);
                    return Err(explain(&address, &error));
                }
            }
        }
        Ok(sockets)
    }

    fn listen(&mut self, address: &ListenAddress) -> io::Result<()> {
        match address {
            ListenAddress::Tcp(address) => {
                let socket = server::listen_tcp(address)?;
                self.addresses.push(server::browsable(socket.local_addr()?));
                self.listener.push_tcp(socket);
            }
            #[cfg(unix)]
            ListenAddress::Unix(path) => {
                self.listener.push_unix(server::listen_unix(path)?);
                self.addresses.push(address.to_string());
                self.paths.push(path.clone());
            }
            #[cfg(not(unix))]
            ListenAddress::Unix(_) => return Err(io::ErrorKind::Unsupported.into()),
        }
        Ok(())
    }
}

fn explain(address: &ListenAddress, error: &io::Error) -> String {
    let is_path = matches!(address, ListenAddress::Unix(_));
    let advice = match error.kind() {
        io::ErrorKind::AddrInUse if is_path => {
            "end the program that has it, remove what else is there, or choose another path"
        }
        io::ErrorKind::PermissionDenied if is_path => "choose a folder that this user may write to",
        _ if is_path => "choose a path of at most 107 bytes in a folder that exists",
        io::ErrorKind::AddrInUse => {
            "end the program that has it, or choose another one with --listen or --port"
        }
        io::ErrorKind::PermissionDenied => {
            "choose one that this user may have, such as a port above 1023, with --listen or --port"
        }
        _ => "choose an address of this machine with --listen",
    };
    format!("cannot listen on {address}: {error}; {advice}")
}
