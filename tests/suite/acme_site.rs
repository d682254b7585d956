//! A TLS listener whose certificate an authority issues.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use recipelog_site::acme::{Acme, Authority, Options, Schedule};
use recipelog_site::tls::{Certificate, Certificates, server_config, unverified_config};
use rustls::pki_types::{CertificateDer, ServerName};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::acme_pebble::Pebble;
use crate::child_process::DEADLINE;
use crate::folder::Folder;

/// Waits until `condition`, which `name` describes.
pub async fn until(name: &str, mut condition: impl AsyncFnMut() -> bool) {
    let reached = timeout(DEADLINE, async {
        while !condition().await {
            sleep(Duration::from_millis(20)).await;
        }
    });
    reached.await.unwrap_or_else(|_| panic!("not reached: {name}"));
}

/// The part of the state folder for the authority.
pub fn authority_folder(options: &Options) -> PathBuf {
    let name = options.authority.directory.replace("https://", "").replace([':', '/'], "_");
    options.folder.join(name)
}

/// Opens a state folder that is about to be unlocked. A process that another test forks
/// holds a copy of the lock until it calls `exec`, so the folder may stay locked for a
/// moment after its previous user has ended.
pub fn open_unlocked(options: &Options, certificates: &Arc<Certificates>) -> Acme {
    let begun = Instant::now();
    loop {
        match Acme::open(options.clone(), Arc::clone(certificates)) {
            Err(problem) if problem.contains("another process uses") => {
                assert!(begun.elapsed() < DEADLINE, "{problem}");
                std::thread::sleep(Duration::from_millis(20));
            }
            opened => return opened.unwrap_or_else(|problem| panic!("{problem}")),
        }
    }
}

/// A listening socket and a state folder, which several servers use one after the other.
pub struct Site {
    listener: Arc<TcpListener>,
    pub folder: Folder,
}

impl Site {
    pub async fn bind() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self { listener: Arc::new(listener), folder: Folder::new() }
    }

    pub fn port(&self) -> u16 {
        self.listener.local_addr().unwrap().port()
    }

    /// Options for a certificate of `pebble` for `domains`, with little time between
    /// tries.
    pub fn options(&self, pebble: &Pebble, domains: &[&str]) -> Options {
        let root_file = Some(pebble.root_file.clone());
        Options { root_file, ..self.options_at(pebble.authority(), domains) }
    }

    pub fn options_at(&self, authority: Authority, domains: &[&str]) -> Options {
        Options {
            domains: domains.iter().map(|domain| domain.parse().unwrap()).collect(),
            folder: self.folder.path().join("state"),
            authority,
            root_file: None,
            email: Some("webmaster@recipelog.example".to_owned()),
            profile: None,
            external_account: None,
            schedule: Schedule {
                check: Duration::from_millis(100),
                retries: vec![Duration::from_millis(100)],
            },
        }
    }

    /// Starts a server and the task that maintains its certificate.
    pub fn start(&self, options: Options) -> Server {
        let certificates = Arc::new(Certificates::default());
        let acme = open_unlocked(&options, &certificates);
        let listener = Arc::clone(&self.listener);
        let config = server_config(Arc::clone(&certificates)).unwrap();
        let mut tasks = JoinSet::new();
        tasks.spawn(acme.maintain());
        tasks.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                // A handshake may be rejected.
                let _ = TlsAcceptor::from(Arc::clone(&config)).accept(stream).await;
            }
        });
        Server { port: self.port(), certificates, tasks }
    }
}

/// A server. It ends on drop.
pub struct Server {
    port: u16,
    certificates: Arc<Certificates>,
    tasks: JoinSet<()>,
}

impl Server {
    /// Waits for a certificate that satisfies `condition`.
    pub async fn certificate(
        &self,
        name: &str,
        condition: impl Fn(&Certificate) -> bool,
    ) -> Arc<Certificate> {
        let current = || self.certificates.current().filter(|current| condition(current));
        until(name, async || current().is_some()).await;
        current().expect("the certificate for which the condition holds")
    }

    /// The certificate in use.
    pub fn current(&self) -> Option<Arc<Certificate>> {
        self.certificates.current()
    }

    /// The certificate that a client gets. `None` if the handshake is rejected.
    pub async fn presented(&self) -> Option<CertificateDer<'static>> {
        let config = unverified_config().unwrap();
        let stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let name = ServerName::try_from("recipelog.example").unwrap();
        let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await.ok()?;
        Some(stream.get_ref().1.peer_certificates()?.first()?.clone().into_owned())
    }

    /// Ends the server, as a restart does.
    pub async fn stop(mut self) {
        self.tasks.shutdown().await;
    }
}
