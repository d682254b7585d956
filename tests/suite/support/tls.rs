//! Certificates of tests, and clients that trust them.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::SystemTime;

use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use recipelog_site::server::Tls;
use recipelog_site::tls::{Certificate, Certificates, provider, server_config, unverified_client};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, SupportedProtocolVersion,
};
use tempfile::{TempDir, tempdir};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::support::client::Connection;
use crate::support::http2_client::Client;
use crate::support::process::{Server, command};

/// A connection with HTTP/2, after its preface with `settings`.
pub async fn http2(site: &TlsServer, settings: &[u8]) -> Client<TlsStream<TcpStream>> {
    let mut client = Client { stream: site.connect(b"h2").await };
    client.begin(settings).await;
    client
}

/// A connection over TLS, before its handshake. An address is no name that a client sends.
pub fn connect_unverified(
    server: &Server,
    name: &'static str,
) -> StreamOwned<ClientConnection, std::net::TcpStream> {
    StreamOwned::new(
        unverified_client(name, &[]).unwrap(),
        Connection::open(server.tls_address).stream,
    )
}

/// The certificate that a client gets. `None` if the handshake is rejected.
pub fn presented_for(server: &Server, name: &'static str) -> Option<CertificateDer<'static>> {
    let mut stream = connect_unverified(server, name);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock).ok()?;
    }
    Some(stream.conn.peer_certificates()?.first()?.clone().into_owned())
}

pub const NAMES: [&str; 2] = ["a.example", "localhost"];

/// In PEM, but not X.509.
pub const NOT_X509: &str = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

/// A self-signed certificate, for [`NAMES`] if no others are given, and its key, in PEM.
pub struct CertifiedKey {
    pub certificate: String,
    pub key: String,
}

impl CertifiedKey {
    pub fn new() -> Self {
        Self::between(2000, 4000)
    }

    /// Valid from the start of one year to the start of another.
    pub fn between(first: i32, end: i32) -> Self {
        Self::of(&NAMES, first, date_time_ymd(end, 1, 1).into())
    }

    /// For `names`, valid from the start of a year to a time.
    pub fn of(names: &[&str], first: i32, end: SystemTime) -> Self {
        let names: Vec<_> = names.iter().map(ToString::to_string).collect();
        Self::with(|params| {
            params.subject_alt_names = CertificateParams::new(names).unwrap().subject_alt_names;
            params.not_before = date_time_ymd(first, 1, 1);
            params.not_after = end.into();
        })
    }

    /// For [`NAMES`], valid from 1975 to 4096, with a change.
    pub fn with(change: impl FnOnce(&mut CertificateParams)) -> Self {
        let mut params = CertificateParams::new(NAMES.map(str::to_owned)).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        Self { certificate: certificate.pem(), key: key.serialize_pem() }
    }

    /// Writes both files, and returns their paths.
    pub fn write(&self, folder: &Path) -> [PathBuf; 2] {
        let paths = ["certificate.pem", "key.pem"].map(|name| folder.join(name));
        fs::write(&paths[0], &self.certificate).unwrap();
        fs::write(&paths[1], &self.key).unwrap();
        paths
    }

    pub fn der(&self) -> CertificateDer<'static> {
        CertificateDer::from_pem_slice(self.certificate.as_bytes()).unwrap()
    }

    /// A server that presents this certificate.
    pub fn tls(&self) -> Tls {
        let [certificate, key] = [&self.certificate, &self.key].map(|pem| pem.as_bytes());
        let certificates = Arc::<Certificates>::default();
        certificates.install_default(Certificate::from_pem(certificate, key).unwrap());
        Tls { acceptor: server_config(Arc::clone(&certificates)).unwrap().into(), certificates }
    }

    /// A client that trusts this certificate.
    pub fn client(
        &self,
        protocols: &[&[u8]],
        versions: &[&'static SupportedProtocolVersion],
    ) -> ClientConfig {
        let mut config = self.client_of(Arc::clone(provider()), versions);
        config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
        config
    }

    /// The same with the key exchanges of `provider`.
    pub fn client_of(
        &self,
        provider: Arc<CryptoProvider>,
        versions: &[&'static SupportedProtocolVersion],
    ) -> ClientConfig {
        let mut roots = RootCertStore::empty();
        roots.add(self.der()).unwrap();
        let builder = ClientConfig::builder_with_provider(provider);
        let builder = builder.with_protocol_versions(versions).unwrap();
        builder.with_root_certificates(roots).with_no_client_auth()
    }

    /// A handshake that agrees on `protocol`.
    pub async fn connect(&self, address: SocketAddr, protocol: &[u8]) -> TlsStream<TcpStream> {
        let config = self.client(&[protocol], rustls::DEFAULT_VERSIONS);
        let stream = connect(address, Arc::new(config)).await.expect("a handshake");
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(protocol));
        stream
    }
}

pub async fn connect(
    address: SocketAddr,
    config: Arc<ClientConfig>,
) -> std::io::Result<TlsStream<TcpStream>> {
    handshake(TcpStream::connect(address).await?, config).await
}

pub async fn handshake<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    config: Arc<ClientConfig>,
) -> std::io::Result<TlsStream<S>> {
    TlsConnector::from(config).connect(ServerName::try_from(NAMES[0]).unwrap(), stream).await
}

/// The executable with a certificate and its key, a free port for HTTPS, and `options`.
pub fn command_with(files: &[PathBuf; 2], options: &[&str]) -> Command {
    let mut command = command(options);
    command.arg("--tls-cert").arg(&files[0]).arg("--tls-key").arg(&files[1]);
    command.args(["--tls-listen", "127.0.0.1:0"]);
    command
}

/// A server with a certificate in files.
pub struct TlsServer {
    pub server: Server,
    pub certified: CertifiedKey,
    pub folder: TempDir,
}

impl TlsServer {
    /// Listens on a free port for HTTPS, and on the ports in `options`.
    pub fn start(options: &[&str]) -> Self {
        let (folder, certified) = (tempdir().unwrap(), CertifiedKey::new());
        let server = Server::of(command_with(&certified.write(folder.path()), options));
        Self { server, certified, folder }
    }

    pub async fn connect(&self, protocol: &[u8]) -> TlsStream<TcpStream> {
        self.certified.connect(self.server.tls_address, protocol).await
    }
}
