//! Pebble, an authority for tests, behind a proxy that records requests and adds what Debian's
//! version of Pebble lacks: ACME Renewal Information (RFC 9773).

use std::collections::HashSet;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::header::{HOST, RETRY_AFTER};
use http::response::Parts;
use http::{HeaderValue, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::{client, server, service::service_fn};
use hyper_util::rt::TokioIo;
use rcgen::{CertificateParams, CertificateSigningRequestParams, Issuer, KeyPair, date_time_ymd};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};
use tokio::net::TcpListener;

use self::Behaviour::*;
use crate::certified_key::{CertifiedKey, connect};
use crate::child_process::{Running, wait_until};
use crate::port::free_port;

/// The paths at which Pebble creates orders and accounts.
pub const ORDERS: &str = "/order-plz";
pub const ACCOUNTS: &str = "/sign-me-up";

/// A name without an address, as others that begin with `unknown`.
pub const UNKNOWN: &str = "unknown.recipes.example";

/// A name whose validation takes many seconds.
pub const HANGING: &str = "hanging.recipes.example";

/// The authority rejects orders for it.
pub const BLOCKED: &str = "blocked.example";

/// Id and key of an external account.
pub const EXTERNAL_ACCOUNT: (&str, &str) =
    ("kid-1", "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W");

const RENEWAL_INFO: &str = "/renewal-info";

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How the authority behaves.
#[derive(Clone, Copy, PartialEq)]
pub enum Behaviour {
    Normal,
    NeedsExternalAccount,
    /// Suggests renewing so many certificates at once.
    Renews(usize),
    /// The name and the last year of each certificate, which differ from the order's.
    Issues(&'static str, i32),
    /// Responses at a path have another value at a JSON pointer (RFC 6901).
    Replaces(&'static str, &'static str, &'static str),
    /// The status and the content of each response at a path.
    Answers(&'static str, u16, &'static str),
    /// The field Retry-After of each response.
    RetryAfter(&'static str),
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
    pub fn start(behaviour: Behaviour) -> Self {
        let tls_port = free_port();
        let (folder, certified) = (tempdir().unwrap(), CertifiedKey::new());
        let [root_file, _] = certified.write(folder.path());
        let (child, upstream) = spawn(&folder, tls_port, behaviour);
        let seen = Mutex::new(Seen { upstream, requests: Vec::new() });
        let proxy = Arc::new(Proxy { behaviour, certified, seen });
        let address = proxy.start();
        let directory = format!("https://localhost:{}/dir", address.port());
        Self { directory, root_file, folder, proxy, tls_port, child }
    }

    /// Number of requests to a path.
    pub fn count(&self, path: &str) -> usize {
        let seen = self.proxy.seen.lock().unwrap();
        seen.requests.iter().filter(|(requested, _)| requested == path).count()
    }

    /// The payload of the last request to a path.
    pub fn payload(&self, path: &str) -> Value {
        self.proxy.seen.lock().unwrap().payload(path)
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
    let config = json!({
        "listenAddress": address,
        "certificate": file("certificate.pem"),
        "privateKey": file("key.pem"),
        "httpPort": tls_port,
        "tlsPort": tls_port,
        "externalAccountBindingRequired": behaviour == NeedsExternalAccount,
        "externalAccountMACKeys": { (EXTERNAL_ACCOUNT.0): EXTERNAL_ACCOUNT.1 },
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
    let mut child = Running(command.spawn().expect("pebble, which apt-get installs"));
    wait_until("a connection to Pebble", || {
        assert_eq!(child.0.try_wait().unwrap(), None, "Pebble ended");
        std::net::TcpStream::connect(address).is_ok()
    });
    (child, address)
}

/// A name server for which every name, except those that begin with `unknown`,
/// is an address of this machine (RFC 1035 §4). It never answers for those that begin with `hanging`.
fn name_server() -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut query = [0; 512];
        while let Ok((length, client)) = socket.recv_from(&mut query) {
            if query[13..length].starts_with(b"hanging") {
                continue;
            }
            // A client that has gone away gets no answer.
            let _ = socket.send_to(&answer(&query[..length]), client);
        }
    });
    address
}

fn answer(query: &[u8]) -> Vec<u8> {
    // The header has 12 bytes; type and class follow the name.
    let name_end = 12 + query[12..].iter().position(|&byte| byte == 0).unwrap();
    let question = &query[12..name_end + 5];
    // Type A and class IN.
    let has_address = !question[1..].starts_with(b"unknown") && question.ends_with(&[0, 1, 0, 1]);
    // The name of the question, type A, class IN, a lifetime of 0, 4 bytes.
    const ADDRESS: [u8; 16] = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1];
    // Recursion is available; NXDOMAIN is 3. The numbers of questions, answers and other records.
    let (code, answer) = if has_address { (0x80, &ADDRESS[..]) } else { (0x83, &[][..]) };
    let counts = [0, 1, 0, u8::from(has_address), 0, 0, 0, 0];
    [&query[..2], &[0x81, code], &counts, question, answer].concat()
}

/// The proxy in front of Pebble.
struct Proxy {
    behaviour: Behaviour,
    certified: CertifiedKey,
    seen: Mutex<Seen>,
}

struct Seen {
    upstream: SocketAddr,
    /// Path and content of each request.
    requests: Vec<(String, Bytes)>,
}

impl Seen {
    /// The payload of the last request whose path begins with `path` (RFC 8555 §6.2).
    fn payload(&self, path: &str) -> Value {
        let mut requests = self.requests.iter().rev();
        let (_, body) = requests.find(|(requested, _)| requested.starts_with(path)).unwrap();
        let signed: Value = serde_json::from_slice(body).unwrap();
        serde_json::from_slice(&base64(&signed["payload"])).unwrap()
    }
}

fn base64(value: &Value) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(value.as_str().unwrap()).unwrap()
}

/// A certificate for the key of a request.
fn issue(csr: Vec<u8>, name: &str, last_year: i32) -> String {
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
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let (tls, proxy) = (self.certified.tls().acceptor, Arc::clone(self));
        thread::spawn(move || {
            runtime.block_on(async {
                while let Ok((stream, _)) = listener.accept().await {
                    let (tls, proxy) = (tls.clone(), Arc::clone(&proxy));
                    tokio::spawn(async move {
                        let Ok(stream) = tls.accept(stream).await else { return };
                        let service = service_fn(|request| proxy.respond(request));
                        let http1 = server::conn::http1::Builder::new();
                        // The client may close the connection without close_notify.
                        let _ = http1.serve_connection(TokioIo::new(stream), service).await;
                    });
                }
            });
        });
        address
    }

    async fn respond(&self, request: Request<Incoming>) -> http::Result<Response<Full<Bytes>>> {
        let (head, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let (path, host) = (head.uri.path().to_owned(), head.headers[HOST].clone());
        self.seen.lock().unwrap().requests.push((path.clone(), body.clone()));
        if path.starts_with(RENEWAL_INFO) {
            return self.renewal_info();
        }
        if let Answers(answered, status, content) = self.behaviour
            && path == answered
        {
            return Response::builder().status(status).body(content.into());
        }
        let (mut head, mut body) = self.forward(Request::from_parts(head, body)).await;
        if path == "/dir" {
            let mut directory: Value = serde_json::from_slice(&body).unwrap();
            let renewal_info = format!("https://{}{RENEWAL_INFO}", host.to_str().unwrap());
            directory["renewalInfo"] = renewal_info.into();
            body = directory.to_string().into();
        }
        match self.behaviour {
            Issues(name, last_year) if path.starts_with("/certZ/") => {
                let request = self.seen.lock().unwrap().payload("/finalize-order/");
                body = issue(base64(&request["csr"]), name, last_year).into();
            }
            Replaces(start, pointer, value) if path.starts_with(start) => {
                let mut object: Value = serde_json::from_slice(&body).unwrap();
                *object.pointer_mut(pointer).unwrap() = value.into();
                body = object.to_string().into();
            }
            RetryAfter(value) => {
                head.headers.insert(RETRY_AFTER, HeaderValue::from_static(value));
            }
            _ => {}
        }
        head.headers.remove("content-length");
        Ok(Response::from_parts(head, body.into()))
    }

    /// Suggests a renewal long ago, or the day after tomorrow.
    fn renewal_info(&self) -> http::Result<Response<Full<Bytes>>> {
        let seen = self.seen.lock().unwrap();
        let paths = seen.requests.iter().map(|(path, _)| path);
        let certificates: HashSet<_> = paths.filter(|it| it.starts_with(RENEWAL_INFO)).collect();
        let is_due = matches!(self.behaviour, Renews(number) if certificates.len() <= number);
        let begun = if is_due { Duration::ZERO } else { UNIX_EPOCH.elapsed().unwrap() + 2 * DAY };
        let [start, end] = [begun, begun + DAY]
            .map(|time| format!("{}T00:00:00Z", (date_time_ymd(1970, 1, 1) + time).date()));
        let window = json!({ "start": start, "end": end });
        let body = json!({ "suggestedWindow": window }).to_string();
        Response::builder().header("retry-after", "3600").body(body.into())
    }

    async fn forward(&self, request: Request<Bytes>) -> (Parts, Bytes) {
        let config = self.certified.client(&[], rustls::DEFAULT_VERSIONS);
        let upstream = self.seen.lock().unwrap().upstream;
        let stream = connect(upstream, Arc::new(config)).await.unwrap();
        let (mut sender, connection) =
            client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let response = sender.send_request(request.map(Full::new)).await.unwrap();
        let (head, body) = response.into_parts();
        (head, body.collect().await.unwrap().to_bytes())
    }
}
