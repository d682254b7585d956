//! A certificate authority in this process: ACME (RFC 8555) with external accounts, validation by TLS-ALPN-01
//! (RFC 8737) at one port of this machine, and suggestions to renew (RFC 9773).

use std::collections::{HashMap, HashSet};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use self::Behaviour::*;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rcgen::{
    BasicConstraints, CertificateParams, CertificateSigningRequestParams, DnType, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, date_time_ymd,
};
use recipelog_site::tls::{ACME_TLS_ALPN, provider};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use ring::{digest, hmac};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;
use x509_parser::prelude::{FromDer, X509Certificate};

use crate::support::process::free_port;
use crate::support::tls::CertifiedKey;

/// The paths at which orders and accounts are created, and the beginnings of those of one order.
pub const ORDERS: &str = "/new-order";
pub const ACCOUNTS: &str = "/new-account";
pub const AUTHORIZATION: &str = "/authorization/";
const RENEWAL_INFO: &str = "/renewal-info";

/// A name without an address.
pub const UNKNOWN: &str = "unknown.recipes.example";

/// A name whose validation does not end.
pub const HANGING: &str = "hanging.recipes.example";

/// The authority rejects orders for it.
pub const BLOCKED: &str = "blocked.example";

/// Id and key of an external account.
pub const EXTERNAL_ACCOUNT: (&str, &str) =
    ("kid-1", "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W");

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

/// An authority on a port of this machine.
pub struct Authority {
    pub directory: String,
    /// The root certificate to trust for its HTTPS.
    pub root_file: PathBuf,
    /// The port at which it validates names.
    pub tls_port: u16,
    state: Arc<State>,
    _folder: TempDir,
}

impl Authority {
    pub fn start(behaviour: Behaviour) -> Self {
        let (folder, certified) = (tempdir().unwrap(), CertifiedKey::new());
        let [root_file, _] = certified.write(folder.path());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
        let directory = format!("{url}/dir");
        let tls_port = free_port();
        let state = Arc::new(State { behaviour, url, tls_port, seen: Mutex::default() });
        let served = Arc::clone(&state);
        // The thread ends with the process.
        thread::spawn(move || {
            runtime.block_on(async {
                while let Ok((stream, _)) = listener.accept().await {
                    let (tls, state) = (certified.tls().acceptor, Arc::clone(&served));
                    tokio::spawn(async move {
                        let Ok(stream) = tls.accept(stream).await else { return };
                        let service = service_fn(|request| state.respond(request));
                        // The client may close the connection without close_notify.
                        let stream = TokioIo::new(stream);
                        let _ = http1::Builder::new().serve_connection(stream, service).await;
                    });
                }
            });
        });
        Self { directory, root_file, tls_port, state, _folder: folder }
    }

    /// Number of requests to a path.
    pub fn count(&self, path: &str) -> usize {
        let seen = self.state.seen.lock().unwrap();
        seen.requests.iter().filter(|(requested, _)| requested == path).count()
    }

    /// The payloads of the requests to a path.
    pub fn payloads(&self, path: &str) -> Vec<Value> {
        let seen = self.state.seen.lock().unwrap();
        let requests = seen.requests.iter().filter(|(requested, _)| requested == path);
        requests.map(|(_, payload)| payload.clone()).collect()
    }

    /// Forgets all accounts.
    pub fn forget_accounts(&self) {
        self.state.seen.lock().unwrap().accounts.clear();
    }
}

struct State {
    behaviour: Behaviour,
    url: String,
    tls_port: u16,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// Path and payload of each request.
    requests: Vec<(String, Value)>,
    /// The key of each account by its URL.
    accounts: HashMap<String, Value>,
    orders: Vec<Order>,
}

/// An order for one domain.
#[derive(Default)]
struct Order {
    domain: String,
    /// The certificate that it replaces (RFC 9773 §5).
    replaces: Value,
    status: &'static str,
    /// The reason why its authorization failed.
    error: Value,
    certificate: String,
}

/// A request that is signed (RFC 8555 §6.2).
struct Signed {
    protected: Value,
    payload: Value,
    /// What the signature covers, and the signature.
    input: String,
    signature: Vec<u8>,
}

impl Signed {
    fn parse(jws: &Value) -> Option<Self> {
        let part = |name: &str| URL_SAFE_NO_PAD.decode(jws[name].as_str()?).ok();
        let json = |name| serde_json::from_slice(&part(name)?).ok();
        Some(Self {
            protected: json("protected")?,
            // The payload is empty where nothing but a resource is asked for.
            payload: json("payload").unwrap_or_default(),
            input: format!("{}.{}", jws["protected"].as_str()?, jws["payload"].as_str()?),
            signature: part("signature")?,
        })
    }

    fn is_by(&self, key: &Value) -> bool {
        let part = |name: &str| URL_SAFE_NO_PAD.decode(key[name].as_str()?).ok();
        let Some((x, y)) = part("x").zip(part("y")) else { return false };
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, [&[4][..], &x, &y].concat());
        key.verify(self.input.as_bytes(), &self.signature).is_ok()
    }

    /// True if it binds the account to [`EXTERNAL_ACCOUNT`] (RFC 8555 §7.3.4).
    fn is_bound(&self) -> bool {
        let (id, key) = EXTERNAL_ACCOUNT;
        let key = URL_SAFE_NO_PAD.decode(key).unwrap();
        let binding = Self::parse(&self.payload["externalAccountBinding"]);
        binding.is_some_and(|binding| {
            let key = hmac::Key::new(hmac::HMAC_SHA256, &key);
            binding.protected["kid"] == id
                && binding.payload == self.protected["jwk"]
                && hmac::verify(&key, binding.input.as_bytes(), &binding.signature).is_ok()
        })
    }
}

/// Status, Location and content of a response, or the kind of an error and its detail.
type Answer = Result<(u16, String, String), (&'static str, &'static str)>;

impl State {
    async fn respond(
        self: &Arc<Self>,
        request: Request<Incoming>,
    ) -> http::Result<Response<Full<Bytes>>> {
        let (head, body) = request.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let path = head.uri.path();
        let signed = serde_json::from_slice(&body).ok().and_then(|body| Signed::parse(&body));
        let payload = signed.as_ref().map(|signed| signed.payload.clone()).unwrap_or_default();
        self.seen.lock().unwrap().requests.push((path.to_owned(), payload));
        let answer = match &self.behaviour {
            Answers(answered, status, content) if *answered == path => {
                Ok((*status, String::new(), (*content).to_owned()))
            }
            _ => self.answer(path, signed.as_ref()).await,
        };
        let (status, location, mut content) = answer.unwrap_or_else(|(kind, detail)| {
            let kind = format!("urn:ietf:params:acme:error:{kind}");
            (400, String::new(), json!({ "type": kind, "detail": detail }).to_string())
        });
        if let Replaces(start, pointer, value) = self.behaviour
            && path.starts_with(start)
        {
            let mut object: Value = serde_json::from_str(&content).unwrap();
            *object.pointer_mut(pointer).unwrap() = value.into();
            content = object.to_string();
        }
        let response = Response::builder().status(status).header("replay-nonce", "nonce");
        let response = match self.behaviour {
            RetryAfter(value) => response.header("retry-after", value),
            _ if path.starts_with(RENEWAL_INFO) => response.header("retry-after", "3600"),
            _ => response,
        };
        response.header("location", location).body(content.into())
    }

    async fn answer(self: &Arc<Self>, path: &str, signed: Option<&Signed>) -> Answer {
        let url = |path: &str| format!("{}{path}", self.url);
        let found = |content: Value| Ok((200, String::new(), content.to_string()));
        let Some(signed) = signed else {
            return match path {
                "/dir" => found(json!({
                    "newNonce": url("/nonce"), "newAccount": url(ACCOUNTS),
                    "newOrder": url(ORDERS), "renewalInfo": url(RENEWAL_INFO),
                })),
                _ if path.starts_with(RENEWAL_INFO) => found(self.renewal_info()),
                _ => found(Value::Null),
            };
        };
        if path == ACCOUNTS {
            return self.register(signed);
        }
        let key = {
            let seen = self.seen.lock().unwrap();
            let key = signed.protected["kid"].as_str().and_then(|id| seen.accounts.get(id));
            key.cloned().ok_or(("accountDoesNotExist", "The account is unknown."))?
        };
        if !signed.is_by(&key) || signed.protected["url"] != url(path) {
            return Err(("malformed", "The signature is wrong."));
        }
        if path == ORDERS {
            let domain = signed.payload["identifiers"][0]["value"].as_str().unwrap_or_default();
            if domain == BLOCKED {
                return Err(("rejectedIdentifier", "The name is blocked."));
            }
            let mut seen = self.seen.lock().unwrap();
            let (domain, status) = (domain.to_owned(), "pending");
            let replaces = signed.payload["replaces"].clone();
            seen.orders.push(Order { domain, replaces, status, ..Order::default() });
            let location = url(&format!("/order/{}", seen.orders.len()));
            return Ok((201, location, self.order(&seen, seen.orders.len()).to_string()));
        }
        let (start, number) = path.rsplit_once('/').expect("the path of an order");
        let number: usize = number.parse().expect("the number of an order");
        if start == "/challenge" {
            self.validate(number, &key).await;
        }
        let mut seen = self.seen.lock().unwrap();
        let order = &mut seen.orders[number - 1];
        match start {
            "/finalize" if order.status == "ready" => {
                let csr = signed.payload["csr"].as_str().expect("a request");
                order.certificate = self.issue(csr, &order.domain);
                order.status = "valid";
            }
            "/certificate" => return Ok((200, String::new(), order.certificate.clone())),
            "/authorization" => return found(self.authorization(order, number)),
            "/challenge" => {
                return found(self.authorization(order, number)["challenges"][0].take());
            }
            _ => {}
        }
        found(self.order(&seen, number))
    }

    fn register(&self, signed: &Signed) -> Answer {
        let key = &signed.protected["jwk"];
        if !signed.is_by(key) {
            return Err(("malformed", "The signature is wrong."));
        }
        if self.behaviour == NeedsExternalAccount && !signed.is_bound() {
            return Err(("externalAccountRequired", "Bind the account."));
        }
        let mut seen = self.seen.lock().unwrap();
        let id = format!("{}/account/{}", self.url, seen.accounts.len());
        seen.accounts.insert(id.clone(), key.clone());
        Ok((201, id, json!({ "status": "valid" }).to_string()))
    }

    fn order(&self, seen: &Seen, number: usize) -> Value {
        let order = &seen.orders[number - 1];
        json!({
            "status": order.status,
            "replaces": order.replaces,
            "identifiers": [{ "type": "dns", "value": order.domain }],
            "authorizations": [format!("{}{AUTHORIZATION}{number}", self.url)],
            "finalize": format!("{}/finalize/{number}", self.url),
            "certificate": format!("{}/certificate/{number}", self.url),
        })
    }

    fn authorization(&self, order: &Order, number: usize) -> Value {
        let status = if order.status == "ready" { "valid" } else { order.status };
        let url = format!("{}/challenge/{number}", self.url);
        let challenge = json!({
            "type": "tls-alpn-01", "url": url, "token": token(number), "status": status,
            "error": order.error,
        });
        let identifier = json!({ "type": "dns", "value": order.domain });
        json!({ "status": status, "identifier": identifier, "challenges": [challenge] })
    }

    /// Connects to the name of an order, and looks for the digest of the challenge in its certificate.
    async fn validate(&self, number: usize, key: &Value) {
        let domain = self.seen.lock().unwrap().orders[number - 1].domain.clone();
        if domain == HANGING {
            return;
        }
        let proof = Proof::new(number, key);
        let connected = async {
            let mut config = ClientConfig::builder_with_provider(Arc::clone(provider()))
                .with_protocol_versions(rustls::DEFAULT_VERSIONS)
                .unwrap()
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(proof))
                .with_no_client_auth();
            config.alpn_protocols = vec![ACME_TLS_ALPN.to_vec()];
            let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.tls_port));
            let stream = TcpStream::connect(address).await?;
            let name = ServerName::try_from(domain.clone()).expect("a name");
            TlsConnector::from(Arc::new(config)).connect(name, stream).await
        };
        let (kind, detail) = match connected.await {
            _ if domain == UNKNOWN => ("dns", "No address.".to_owned()),
            Ok(stream) if stream.get_ref().1.alpn_protocol() == Some(ACME_TLS_ALPN) => {
                ("", String::new())
            }
            Ok(_) => ("tls", "Another protocol.".to_owned()),
            Err(error) => ("unauthorized", error.to_string()),
        };
        let order = &mut self.seen.lock().unwrap().orders[number - 1];
        order.status = if kind.is_empty() { "ready" } else { "invalid" };
        let kind = format!("urn:ietf:params:acme:error:{kind}");
        order.error = if kind.ends_with(':') {
            Value::Null
        } else {
            json!({ "type": kind, "detail": detail })
        };
    }

    /// A certificate for the key of a request, and the authority's own.
    fn issue(&self, csr: &str, domain: &str) -> String {
        let (name, last_year) = match self.behaviour {
            Issues(name, last_year) => (name, last_year),
            _ => (domain, 4000),
        };
        let mut own = CertificateParams::default();
        own.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        own.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        own.distinguished_name.push(DnType::CommonName, "Authority");
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

    /// Suggests a renewal long ago, or the day after tomorrow.
    fn renewal_info(&self) -> Value {
        let seen = self.seen.lock().unwrap();
        let paths = seen.requests.iter().map(|(path, _)| path);
        let certificates: HashSet<_> = paths.filter(|it| it.starts_with(RENEWAL_INFO)).collect();
        let is_due = matches!(self.behaviour, Renews(number) if certificates.len() <= number);
        let begun = if is_due { Duration::ZERO } else { UNIX_EPOCH.elapsed().unwrap() + 2 * DAY };
        let [start, end] = [begun, begun + DAY]
            .map(|time| format!("{}T00:00:00Z", (date_time_ymd(1970, 1, 1) + time).date()));
        json!({ "suggestedWindow": { "start": start, "end": end } })
    }
}

fn token(number: usize) -> String {
    format!("token-of-the-challenge-{number}")
}

/// The digest that the certificate of a challenge contains (RFC 8737 §3). It stands in for the verification of
/// the certificate.
#[derive(Debug)]
struct Proof(Vec<u8>);

impl Proof {
    fn new(number: usize, key: &Value) -> Self {
        // RFC 7638 §3: the members of the key in the order of their names.
        let [curve, kind, x, y] = ["crv", "kty", "x", "y"].map(|name| &key[name]);
        let key = format!(r#"{{"crv":{curve},"kty":{kind},"x":{x},"y":{y}}}"#);
        let thumbprint = URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, key.as_bytes()));
        let text = format!("{}.{thumbprint}", token(number));
        Self(digest::digest(&digest::SHA256, text.as_bytes()).as_ref().to_vec())
    }
}

impl ServerCertVerifier for Proof {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let (_, certificate) = X509Certificate::from_der(certificate).expect("a certificate");
        let extensions = certificate.extensions().iter();
        let mut proofs = extensions.filter(|it| it.oid.to_id_string() == "1.3.6.1.5.5.7.1.31");
        // An OCTET STRING of 32 bytes.
        let is_proof = proofs.next().is_some_and(|it| it.critical && it.value[2..] == self.0);
        if is_proof {
            Ok(ServerCertVerified::assertion())
        } else {
            Err(Error::General("No proof.".into()))
        }
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        provider().signature_verification_algorithms.supported_schemes()
    }
}
