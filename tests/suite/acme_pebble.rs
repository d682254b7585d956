//! Pebble, an authority for tests, with a name server and a front that counts
//! requests, can be closed, and adds renewal information, which Debian's version of Pebble lacks.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use recipelog_site::acme::Authority;
use serde_json::json;
use tokio::net::{TcpStream, UdpSocket};

use crate::acme_certificate::{AuthorityCertificate, CERTIFICATE_FILE, KEY_FILE, ROOT_FILE};
use crate::acme_front::Front;
use crate::acme_site::until;
use crate::child_process::Running;
use crate::folder::Folder;
use crate::port::free_port;

/// Names that begin with it have no address.
pub const UNKNOWN: &str = "unknown.";

/// Id and key of an external account.
pub const EXTERNAL_ACCOUNT: (&str, &str) =
    ("kid-1", "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W");

/// How Pebble behaves.
#[derive(Clone, Copy, Default)]
pub struct Behaviour {
    /// Lifetime of certificates in seconds; 0 for Pebble's default, which is years.
    pub lifetime: u64,
    /// Share of nonces that are rejected, in per cent.
    pub rejected_nonces: u8,
    /// Share of valid authorizations that later orders get again, in per cent.
    pub reused_authorizations: u8,
    pub needs_external_account: bool,
}

/// An authority that validates names at one port of this machine.
pub struct Pebble {
    pub front: Front,
    /// The root certificate to trust for its HTTPS.
    pub root_file: PathBuf,
    folder: Folder,
    certificate: AuthorityCertificate,
    behaviour: Behaviour,
    tls_port: u16,
    child: Running,
}

impl Pebble {
    pub async fn start(tls_port: u16, behaviour: Behaviour) -> Self {
        Self::start_with(tls_port, behaviour, AuthorityCertificate::new()).await
    }

    async fn start_with(
        tls_port: u16,
        behaviour: Behaviour,
        certificate: AuthorityCertificate,
    ) -> Self {
        let folder = Folder::new();
        certificate.write(folder.path());
        let (child, address) = spawn(&folder, tls_port, behaviour).await;
        let front = Front::start(&certificate, address).await;
        let root_file = folder.path().join(ROOT_FILE);
        Self { front, root_file, folder, certificate, behaviour, tls_port, child }
    }

    /// Another authority with the same root certificate for its HTTPS.
    pub async fn start_beside(&self) -> Self {
        Self::start_with(self.tls_port, self.behaviour, self.certificate.clone()).await
    }

    pub fn authority(&self) -> Authority {
        self.front.directory().parse().expect("an HTTPS URL")
    }

    /// Forgets all accounts and orders.
    pub async fn reset(&mut self) {
        let (child, address) = spawn(&self.folder, self.tls_port, self.behaviour).await;
        self.front.forward_to(address);
        self.child = child;
    }
}

/// Starts Pebble on a free port, and waits until it accepts connections.
async fn spawn(folder: &Folder, tls_port: u16, behaviour: Behaviour) -> (Running, SocketAddr) {
    let names = name_server().await;
    let address = (Ipv4Addr::LOCALHOST, free_port()).into();
    let mut child = start(folder, address, names, tls_port, behaviour);
    until("Pebble accepts connections", async || {
        assert_eq!(child.0.try_wait().unwrap(), None, "Pebble ended");
        TcpStream::connect(address).await.is_ok()
    })
    .await;
    (child, address)
}

fn start(
    folder: &Folder,
    address: SocketAddr,
    names: SocketAddr,
    tls_port: u16,
    behaviour: Behaviour,
) -> Running {
    let file = |name| folder.path().join(name);
    let (id, key) = EXTERNAL_ACCOUNT;
    let mut config = json!({
        "listenAddress": address,
        "certificate": file(CERTIFICATE_FILE),
        "privateKey": file(KEY_FILE),
        "httpPort": tls_port,
        "tlsPort": tls_port,
        "externalAccountBindingRequired": behaviour.needs_external_account,
        "externalAccountMACKeys": { id: key },
    });
    if behaviour.lifetime > 0 {
        config["certificateValidityPeriod"] = behaviour.lifetime.into();
    }
    std::fs::write(file("pebble.json"), json!({ "pebble": config }).to_string()).unwrap();
    let mut command = Command::new("pebble");
    command.arg("-config").arg(file("pebble.json")).args(["-dnsserver", &names.to_string()]);
    command.env("PEBBLE_VA_NOSLEEP", "1");
    command.env("PEBBLE_AUTHZREUSE", behaviour.reused_authorizations.to_string());
    command.env("PEBBLE_WFE_NONCEREJECT", behaviour.rejected_nonces.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    match command.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("pebble is not installed: apt-get install pebble")
        }
        child => Running(child.expect("pebble starts")),
    }
}

/// A name server for which every name, except those that begin with [`UNKNOWN`],
/// is an address of this machine (RFC 1035 §4).
async fn name_server() -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    tokio::spawn(async move {
        let mut query = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut query).await {
            // A client that has gone away gets no answer.
            let _ = socket.send_to(&answer(&query[..length]), client).await;
        }
    });
    address
}

fn answer(query: &[u8]) -> Vec<u8> {
    const HEADER: usize = 12;
    let name_end = HEADER + query[HEADER..].iter().position(|&byte| byte == 0).unwrap();
    let question = &query[HEADER..name_end + 5];
    let is_known = !question[1..].starts_with(UNKNOWN.trim_end_matches('.').as_bytes());
    let has_address = is_known && question[question.len() - 4..] == [0, 1, 0, 1];
    // Recursion is available; NXDOMAIN is 3. One question.
    let mut answer = [&query[..2], &[0x81, if is_known { 0x80 } else { 0x83 }, 0, 1]].concat();
    answer.extend([0, u8::from(has_address), 0, 0, 0, 0]);
    answer.extend(question);
    if has_address {
        // The name of the question, type A, class IN, a lifetime of 0, 4 bytes.
        answer.extend([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
    }
    answer
}
