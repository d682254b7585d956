//! Pebble, an authority for tests, behind a proxy that records requests and adds what Debian's
//! version of Pebble lacks: ACME Renewal Information (RFC 9773).

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::fs;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::header::RETRY_AFTER;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::{client, server, service::service_fn};
use hyper_util::rt::TokioIo;
use rcgen::{CertificateParams, CertificateSigningRequestParams, Issuer, KeyPair, date_time_ymd};
use recipelog_site::tls::provider;
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::certified_key::{CertifiedKey, handshake};
use crate::child_process::{Running, wait_until};
use crate::port::free_port;

/// The paths at which Pebble creates orders and accounts.
pub const ORDERS: &str = "/order-plz";
pub const ACCOUNTS: &str = "/sign-me-up";

/// Names that begin with it have no address.
pub const UNKNOWN: &str = "unknown.";

/// The authority rejects orders for it.
pub const BLOCKED: &str = "blocked.example";

/// Id and key of an external account.
pub const EXTERNAL_ACCOUNT: (&str, &str) =
    ("kid-1", "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W");

const RENEWAL_INFO: &str = "/renewal-info/";

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How the authority behaves.
#[derive(Clone, Copy, Default)]
pub struct Behaviour {
    pub needs_external_account: bool,
    /// Suggests renewing so many certificates at once.
    pub renews: usize,
    /// The directory has an address that is no URL, on which instant-acme panics.
    pub has_bad_directory: bool,
    /// The name and the last year of each certificate, if they are not those of the order.
    pub issues: Option<(&'static str, i32)>,
    /// The name of each authorization, if it is not that of the order.
    pub validates: Option<&'static str>,
    /// The field Retry-After of each response.
    pub retry_after: Option<&'static str>,
}

/// An authority that validates names at one port of this machine.
pub struct Pebble {
    pub directory: String,
    /// The root certificate to trust for its HTTPS.
    pub root_file: PathBuf,
    folder: TempDir,
    proxy: Arc<Proxy>,
    pub tls_port: u16,
    child: Running,
}

impl Pebble {
    pub fn start(tls_port: u16, behaviour: Behaviour) -> Self {
        let (folder, certified) = (tempdir().unwrap(), CertifiedKey::new());
        let [root_file, _] = certified.write(folder.path());
        let (child, upstream) = spawn(&folder, tls_port, behaviour);
        let seen = Mutex::new(Seen {
            upstream,
            paths: Vec::new(),
            bodies: HashMap::new(),
            csr: Vec::new(),
        });
        let proxy = Arc::new(Proxy { behaviour, certified, seen });
        let address = proxy.start();
        let directory = format!("https://localhost:{}/dir", address.port());
        Self { directory, root_file, folder, proxy, tls_port, child }
    }

    /// Number of requests to a path.
    pub fn count(&self, path: &str) -> usize {
        let seen = self.proxy.seen.lock().unwrap();
        seen.paths.iter().filter(|requested| *requested == path).count()
    }

    /// The payload of the last request to a path.
    pub fn payload(&self, path: &str) -> Value {
        payload(&self.proxy.seen.lock().unwrap().bodies[path])
    }

    /// Forgets all accounts and orders.
    pub fn reset(&mut self) {
        let (child, upstream) = spawn(&self.folder, self.tls_port, self.proxy.behaviour);
        self.child = child;
        self.proxy.seen.lock().unwrap().upstream = upstream;
    }
}

/// Starts Pebble on a free port, and waits until it accepts connections.
fn spawn(folder: &TempDir, tls_port: u16, behaviour: Behaviour) -> (Running, SocketAddr) {
    let file = |name| folder.path().join(name);
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()));
    let (id, key) = EXTERNAL_ACCOUNT;
    let config = json!({
        "listenAddress": address,
        "certificate": file("certificate.pem"),
        "privateKey": file("key.pem"),
        "httpPort": tls_port,
        "tlsPort": tls_port,
        "externalAccountBindingRequired": behaviour.needs_external_account,
        "externalAccountMACKeys": { id: key },
        "domainBlocklist": [BLOCKED],
    });
    fs::write(file("pebble.json"), json!({ "pebble": config }).to_string()).unwrap();
    let mut command = Command::new("pebble");
    command.arg("-config").arg(file("pebble.json"));
    command.args(["-dnsserver", &name_server().to_string()]);
    command.env("PEBBLE_VA_NOSLEEP", "1").env("PEBBLE_WFE_NONCEREJECT", "0");
    // Later orders get valid authorizations again.
    command.env("PEBBLE_AUTHZREUSE", "100");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = match command.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            panic!("pebble is not installed: apt-get install pebble")
        }
        child => Running(child.expect("pebble starts")),
    };
    wait_until("a connection to Pebble", || {
        assert_eq!(child.0.try_wait().unwrap(), None, "Pebble ended");
        std::net::TcpStream::connect(address).is_ok()
    });
    (child, address)
}

/// A name server for which every name, except those that begin with [`UNKNOWN`],
/// is an address of this machine (RFC 1035 §4).
fn name_server() -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut query = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut query) {
            // A client that has gone away gets no answer.
            let _ = socket.send_to(&answer(&query[..length]), client);
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

/// The proxy in front of Pebble.
struct Proxy {
    behaviour: Behaviour,
    certified: CertifiedKey,
    seen: Mutex<Seen>,
}

struct Seen {
    upstream: SocketAddr,
    paths: Vec<String>,
    /// The content of the last request to each path.
    bodies: HashMap<String, Bytes>,
    /// The last request for a certificate.
    csr: Vec<u8>,
}

/// The payload of a request (RFC 8555 §6.2).
fn payload(body: &[u8]) -> Value {
    let signed: Value = serde_json::from_slice(body).unwrap();
    let payload = URL_SAFE_NO_PAD.decode(signed["payload"].as_str().unwrap()).unwrap();
    serde_json::from_slice(&payload).unwrap()
}

/// A certificate for the key of a request.
fn issue(csr: &[u8], name: &str, last_year: i32) -> String {
    let mut request = CertificateSigningRequestParams::from_der(&csr.into()).unwrap();
    let names = CertificateParams::new([name.to_owned()]).unwrap();
    request.params.subject_alt_names = names.subject_alt_names;
    request.params.not_before = date_time_ymd(2000, 1, 1);
    request.params.not_after = date_time_ymd(last_year, 1, 1);
    let issuer = Issuer::new(CertificateParams::default(), KeyPair::generate().unwrap());
    request.signed_by(&issuer).unwrap().pem()
}

impl Proxy {
    /// Starts a thread that ends with the process. Returns the address.
    fn start(self: &Arc<Self>) -> SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let key = PrivateKeyDer::from_pem_slice(self.certified.key.as_bytes()).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::clone(provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![self.certified.der()], key)
            .unwrap();
        let tls = TlsAcceptor::from(Arc::new(config));
        let proxy = Arc::clone(self);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.unwrap().block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                while let Ok((stream, _)) = listener.accept().await {
                    let (tls, proxy) = (tls.clone(), Arc::clone(&proxy));
                    tokio::spawn(async move {
                        let Ok(stream) = tls.accept(stream).await else { return };
                        let service = service_fn(|request| proxy.respond(address, request));
                        let connection = server::conn::http1::Builder::new()
                            .serve_connection(TokioIo::new(stream), service);
                        // The client may close the connection without close_notify.
                        let _ = connection.await;
                    });
                }
            });
        });
        address
    }

    async fn respond(
        &self,
        address: SocketAddr,
        request: Request<Incoming>,
    ) -> Result<Response<Full<Bytes>>, Infallible> {
        let path = request.uri().path().to_owned();
        let (head, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let upstream = {
            let mut seen = self.seen.lock().unwrap();
            seen.paths.push(path.clone());
            seen.bodies.insert(path.clone(), body.clone());
            if path.starts_with("/finalize-order/") {
                let csr = payload(&body)["csr"].as_str().unwrap().to_owned();
                seen.csr = URL_SAFE_NO_PAD.decode(csr).unwrap();
            }
            seen.upstream
        };
        if path.starts_with(RENEWAL_INFO) {
            return Ok(self.renewal_info());
        }
        let (mut head, mut body) = self.forward(upstream, Request::from_parts(head, body)).await;
        if path == "/dir" {
            let mut directory: Value = serde_json::from_slice(&body).unwrap();
            let renewal_info = RENEWAL_INFO.trim_end_matches('/');
            directory["renewalInfo"] =
                format!("https://localhost:{}{renewal_info}", address.port()).into();
            if self.behaviour.has_bad_directory {
                directory["newNonce"] = "not a URL".into();
            }
            body = directory.to_string().into();
        }
        if let Some((name, last_year)) = self.behaviour.issues
            && path.starts_with("/certZ/")
        {
            body = issue(&self.seen.lock().unwrap().csr, name, last_year).into();
        }
        if let Some(name) = self.behaviour.validates
            && path.starts_with("/authZ/")
        {
            let mut authorization: Value = serde_json::from_slice(&body).unwrap();
            authorization["identifier"]["value"] = name.into();
            body = authorization.to_string().into();
        }
        if let Some(retry_after) = self.behaviour.retry_after {
            head.headers.insert(RETRY_AFTER, retry_after.parse().unwrap());
        }
        head.headers.remove("content-length");
        Ok(Response::from_parts(head, body.into()))
    }

    /// Suggests a renewal tomorrow, or two days ago.
    fn renewal_info(&self) -> Response<Full<Bytes>> {
        let seen = self.seen.lock().unwrap();
        let requests = seen.paths.iter().filter(|seen| seen.starts_with(RENEWAL_INFO));
        let certificates: HashSet<&String> = requests.collect();
        let is_due = certificates.len() <= self.behaviour.renews;
        let now = SystemTime::now();
        let start = if is_due { now - 2 * DAY } else { now + DAY };
        let window = json!({ "start": rfc3339(start), "end": rfc3339(start + DAY) });
        let body = json!({ "suggestedWindow": window }).to_string();
        Response::builder().header("retry-after", "3600").body(body.into()).unwrap()
    }

    async fn forward(
        &self,
        upstream: SocketAddr,
        request: Request<Bytes>,
    ) -> (http::response::Parts, Bytes) {
        let config = self.certified.client(&[], rustls::DEFAULT_VERSIONS);
        let stream = TcpStream::connect(upstream).await.unwrap();
        let stream = handshake(stream, Arc::new(config)).await.unwrap();
        let (mut sender, connection) =
            client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let response = sender.send_request(request.map(Full::new)).await.unwrap();
        let (head, body) = response.into_parts();
        (head, body.collect().await.unwrap().to_bytes())
    }
}

fn rfc3339(time: SystemTime) -> String {
    let time = date_time_ymd(1970, 1, 1) + time.duration_since(UNIX_EPOCH).unwrap();
    let (month, day) = (u8::from(time.month()), time.day());
    format!("{}-{month:02}-{day:02}T{:02}:00:00Z", time.year(), time.hour())
}
