//! A certificate authority in this process: ACME (RFC 8555) with external accounts, validation by TLS-ALPN-01
//! (RFC 8737) at one port of this machine, and suggestions to renew (RFC 9773). It verifies no signature of an account:
//! instant-acme makes them.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use self::Behaviour::*;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rcgen::{
    BasicConstraints, CertificateParams, CertificateSigningRequestParams, IsCa, Issuer, KeyPair,
    date_time_ymd,
};
use recipelog_site::tls::{ACME_TLS_ALPN, unverified_client};
use ring::{digest, hmac};
use rustls::{ServerConnection, StreamOwned};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};
use x509_parser::prelude::{FromDer, X509Certificate};

use crate::support::process::free_port;
use crate::support::tls::CertifiedKey;

/// The paths at which orders and accounts are created.
pub const ORDERS: &str = "/new-order";
pub const ACCOUNTS: &str = "/new-account";

/// A name without an address.
pub const UNKNOWN: &str = "unknown.recipes.example";

/// A name whose validation does not end.
pub const HANGING: &str = "hanging.recipes.example";

/// Id and key of an external account.
pub const EXTERNAL_ACCOUNT: (&str, &str) =
    ("kid-1", "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W");

/// How the authority behaves.
#[derive(Clone, Copy, Default, PartialEq)]
pub enum Behaviour {
    #[default]
    Normal,
    NeedsExternalAccount,
    /// Suggests renewing each certificate at once.
    Renews,
    /// The name and the last year of each certificate, which differ from the order's.
    Issues(&'static str, i32),
    /// The status and the content of each response at a path.
    Answers(&'static str, u16, &'static str),
}

/// An authority on a port of this machine.
pub struct Authority {
    pub directory: String,
    /// The root certificate to trust for its HTTPS.
    pub root_file: PathBuf,
    /// The port at which it validates names.
    pub tls_port: u16,
    seen: Arc<Mutex<Seen>>,
    _folder: TempDir,
}

impl Authority {
    pub fn start(behaviour: Behaviour) -> Self {
        let (folder, certified) = (tempdir().unwrap(), CertifiedKey::new());
        let [root_file, _] = certified.write(folder.path());
        let config = Arc::clone(certified.tls().acceptor.config());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let (directory, tls_port) = (format!("{url}/dir"), free_port());
        let seen = Arc::new(Mutex::new(Seen { behaviour, url, tls_port, ..Seen::default() }));
        let served = Arc::clone(&seen);
        // The thread ends with the process.
        thread::spawn(move || {
            for stream in listener.incoming() {
                let tls = ServerConnection::new(Arc::clone(&config)).unwrap();
                serve(StreamOwned::new(tls, stream.unwrap()), &served);
            }
        });
        Self { directory, root_file, tls_port, seen, _folder: folder }
    }

    /// Number of requests to a path.
    pub fn count(&self, path: &str) -> usize {
        self.payloads(path).len()
    }

    /// The payloads of the requests to a path.
    pub fn payloads(&self, path: &str) -> Vec<Value> {
        let seen = self.seen.lock().unwrap();
        let requests = seen.requests.iter().filter(|(requested, _)| requested == path);
        requests.map(|(_, payload)| payload.clone()).collect()
    }

    /// Forgets all accounts.
    pub fn forget_accounts(&self) {
        self.seen.lock().unwrap().accounts.clear();
    }
}

/// Answers one request. A client that does not accept the certificate sends none.
fn serve(stream: StreamOwned<ServerConnection, TcpStream>, seen: &Mutex<Seen>) {
    let mut stream = BufReader::new(stream);
    let lines = stream.by_ref().lines().map_while(Result::ok);
    let head: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
    let Some(path) = head.first().and_then(|line| line.split(' ').nth(1)) else { return };
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: "));
    let mut content = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    stream.read_exact(&mut content).unwrap();
    let signed: Value = serde_json::from_slice(&content).unwrap_or_default();
    let (status, field, content) = seen.lock().unwrap().answer(path, &signed);
    let length = content.len();
    let response = format!(
        "HTTP/1.1 {status} \r\n{field}replay-nonce: nonce\r\nconnection: close\r\n\
         content-length: {length}\r\n\r\n{content}"
    );
    stream.into_inner().write_all(response.as_bytes()).unwrap();
}

/// What the authority knows, under one lock: it answers one request after the other.
#[derive(Default)]
struct Seen {
    behaviour: Behaviour,
    url: String,
    tls_port: u16,
    /// Path and payload of each request.
    requests: Vec<(String, Value)>,
    /// The key of each account by its URL.
    accounts: HashMap<String, Value>,
    /// Each order for one domain, which is its own authorization, too.
    orders: Vec<Value>,
}

/// Status, field and content of a response.
type Answer = (u16, String, String);

fn found(content: impl ToString) -> Answer {
    (200, String::new(), content.to_string())
}

fn created(url: &str, content: &Value) -> Answer {
    (201, format!("location: {url}\r\n"), content.to_string())
}

fn problem(kind: &str) -> Value {
    json!({ "type": format!("urn:ietf:params:acme:error:{kind}"), "detail": "No." })
}

fn rejected(kind: &str) -> Answer {
    (400, String::new(), problem(kind).to_string())
}

/// A part of a signed request (RFC 8555 §6.2).
fn part(signed: &Value, name: &str) -> Value {
    let decoded = URL_SAFE_NO_PAD.decode(signed[name].as_str().unwrap_or_default());
    // The payload is empty where nothing but a resource is asked for.
    serde_json::from_slice(&decoded.unwrap()).unwrap_or_default()
}

/// True if `signed` binds an account to [`EXTERNAL_ACCOUNT`] (RFC 8555 §7.3.4).
fn is_bound(signed: &Value) -> bool {
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
    let [protected, payload, signature] =
        ["protected", "payload", "signature"].map(|name| signed[name].as_str().unwrap_or_default());
    let key = hmac::Key::new(hmac::HMAC_SHA256, &decode(EXTERNAL_ACCOUNT.1));
    let input = format!("{protected}.{payload}");
    hmac::verify(&key, input.as_bytes(), &decode(signature)).is_ok()
        && part(signed, "protected")["kid"] == EXTERNAL_ACCOUNT.0
}

impl Seen {
    fn answer(&mut self, path: &str, signed: &Value) -> Answer {
        let [protected, payload] = ["protected", "payload"].map(|name| part(signed, name));
        self.requests.push((path.to_owned(), payload.clone()));
        let url = |path: &str| format!("{}{path}", self.url);
        match (path, self.behaviour) {
            (_, Answers(answered, status, content)) if answered == path => {
                return (status, String::new(), content.to_owned());
            }
            ("/nonce", _) => return found(""),
            ("/dir", _) => {
                return found(json!({
                    "newNonce": url("/nonce"), "newAccount": url(ACCOUNTS),
                    "newOrder": url(ORDERS), "renewalInfo": url("/renewal-info"),
                }));
            }
            (ACCOUNTS, NeedsExternalAccount) if !is_bound(&payload["externalAccountBinding"]) => {
                return rejected("externalAccountRequired");
            }
            (ACCOUNTS, _) => {
                let id = url(&format!("/account/{}", self.requests.len()));
                self.accounts.insert(id.clone(), protected["jwk"].clone());
                return created(&id, &json!({ "status": "valid" }));
            }
            _ if path.starts_with("/renewal-info") => {
                let [start, end] = ["1970-01-01T00:00:00Z", "1970-01-02T00:00:00Z"];
                let window = json!({ "suggestedWindow": { "start": start, "end": end } });
                let status = if self.behaviour == Renews { 200 } else { 404 };
                return (status, "retry-after: 3600\r\n".to_owned(), window.to_string());
            }
            _ => {}
        }
        let account = protected["kid"].as_str().and_then(|id| self.accounts.get(id)).cloned();
        let Some(key) = account else { return rejected("accountDoesNotExist") };
        if path == ORDERS {
            let url = |part| url(&format!("/{part}/{}", self.orders.len()));
            let token = self.orders.len().to_string();
            let challenge = json!({
                "type": "tls-alpn-01", "url": url("challenge"), "token": token, "status": "pending",
            });
            let (identifiers, location) = (&payload["identifiers"], url("order"));
            let order = json!({
                "status": "pending", "replaces": payload["replaces"], "identifiers": identifiers,
                "identifier": identifiers[0], "authorizations": [url("authorization")],
                "challenges": [challenge], "finalize": url("finalize"), "certificate": url("certificate"),
            });
            self.orders.push(order.clone());
            return created(&location, &order);
        }
        let (start, number) = path.rsplit_once('/').expect("the path of an order");
        let order = &mut self.orders[number.parse::<usize>().expect("the number of an order")];
        let domain = order["identifier"]["value"].as_str().expect("a name").to_owned();
        match start {
            "/challenge" if domain == HANGING => {}
            "/challenge" => {
                let found = presented(&domain, self.tls_port).filter(|_| domain != UNKNOWN);
                if found == Some(proof(number, &key)) {
                    order["status"] = "ready".into();
                } else {
                    order["status"] = "invalid".into();
                    order["challenges"][0]["error"] = problem("dns");
                }
            }
            "/authorization" if order["status"] == "ready" => {
                let mut authorization = order.clone();
                authorization["status"] = "valid".into();
                return found(authorization);
            }
            "/finalize" => {
                let csr = payload["csr"].as_str().expect("a request");
                order["pem"] = issue(csr, &domain, self.behaviour).into();
                order["status"] = "valid".into();
            }
            "/certificate" => return found(order["pem"].as_str().expect("a certificate")),
            _ => {}
        }
        found(if start == "/challenge" { &order["challenges"][0] } else { order })
    }
}

/// The proof in the certificate that a server presents to an authority (RFC 8737 §3).
fn presented(domain: &str, tls_port: u16) -> Option<Vec<u8>> {
    let mut tls = unverified_client(domain, &[ACME_TLS_ALPN]).unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", tls_port)).ok()?;
    while tls.is_handshaking() {
        tls.complete_io(&mut stream).ok()?;
    }
    let (_, certificate) = X509Certificate::from_der(tls.peer_certificates()?.first()?).ok()?;
    let mut extensions = certificate.extensions().iter();
    let proof = extensions.find(|it| it.oid.to_id_string() == "1.3.6.1.5.5.7.1.31")?;
    let is_agreed = tls.alpn_protocol() == Some(ACME_TLS_ALPN);
    // An OCTET STRING of 32 bytes.
    (is_agreed && proof.critical).then(|| proof.value[2..].to_vec())
}

/// The digest of a challenge with a token, and of the key of an account (RFC 8737 §3).
fn proof(token: &str, key: &Value) -> Vec<u8> {
    let sha_256 = |text: String| digest::digest(&digest::SHA256, text.as_bytes());
    // RFC 7638 §3: the members of the key in the order of their names.
    let [curve, kind, x, y] = ["crv", "kty", "x", "y"].map(|name| &key[name]);
    let key = format!(r#"{{"crv":{curve},"kty":{kind},"x":{x},"y":{y}}}"#);
    let thumbprint = URL_SAFE_NO_PAD.encode(sha_256(key));
    sha_256(format!("{token}.{thumbprint}")).as_ref().to_vec()
}

/// A certificate for the key of a request, and the authority's own.
fn issue(csr: &str, domain: &str, behaviour: Behaviour) -> String {
    let (name, last_year) = match behaviour {
        Issues(name, last_year) => (name, last_year),
        _ => (domain, 4000),
    };
    let mut own = CertificateParams::default();
    own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().unwrap();
    let own_certificate = own.self_signed(&key).unwrap().pem();
    let csr = URL_SAFE_NO_PAD.decode(csr).unwrap();
    let mut request = CertificateSigningRequestParams::from_der(&csr.into()).unwrap();
    let names = CertificateParams::new([name.to_owned()]).unwrap();
    request.params.subject_alt_names = names.subject_alt_names;
    request.params.use_authority_key_identifier_extension = true;
    request.params.not_before = date_time_ymd(2000, 1, 1);
    request.params.not_after = date_time_ymd(last_year, 1, 1);
    let leaf = request.signed_by(&Issuer::new(own, key)).unwrap().pem();
    format!("{leaf}{own_certificate}")
}
