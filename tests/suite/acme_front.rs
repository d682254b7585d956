//! A proxy in front of Pebble. It records requests, can be closed, rejects orders and other
//! requests, and offers ACME Renewal Information (RFC 9773).

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::{Method, Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::{client, server, service::service_fn};
use hyper_util::rt::TokioIo;
use rcgen::date_time_ymd;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use crate::acme_certificate::AuthorityCertificate;

/// The paths at which Pebble creates orders and accounts.
pub const ORDERS: &str = "/order-plz";
pub const ACCOUNTS: &str = "/sign-me-up";

/// The beginnings of the paths at which Pebble finalizes orders and gives certificates.
pub const FINALIZATIONS: &str = "/finalize-order/";
pub const CERTIFICATES: &str = "/certZ/";

/// The beginning of the paths of renewal information.
pub const RENEWAL_INFO: &str = "/renewal-info";

/// Explains the suggestions.
pub const EXPLANATION: &str = "https://ca.example/why";

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

struct State {
    upstream: SocketAddr,
    paths: Vec<String>,
    /// The JSON Web Signature of the last request to each path.
    signed: HashMap<String, Bytes>,
    is_closed: bool,
    /// Numbers of orders from 1, and the types of the problems that they get.
    rejected_orders: Vec<(usize, &'static str)>,
    /// Beginnings of paths, and the types of the problems that requests get. `None` loses
    /// the answer: Pebble gets the request, and the client an error of the proxy.
    rejected_paths: Vec<(&'static str, Option<&'static str>)>,
    /// The first certificate whose suggestion the server requests is to be renewed at once.
    renews_first: bool,
}

/// The proxy. It ends with the runtime of the test.
pub struct Front {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

impl Front {
    pub async fn start(certificate: &AuthorityCertificate, upstream: SocketAddr) -> Self {
        let (server, client) = (certificate.server(), certificate.client());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = State {
            upstream,
            paths: Vec::new(),
            signed: HashMap::new(),
            is_closed: false,
            rejected_orders: Vec::new(),
            rejected_paths: Vec::new(),
            renews_first: false,
        };
        let front = Self { address, state: Arc::new(Mutex::new(state)) };
        let state = Arc::clone(&front.state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                if lock(&state).is_closed {
                    continue;
                }
                let (server, client) = (Arc::clone(&server), Arc::clone(&client));
                let state = Arc::clone(&state);
                tokio::spawn(async move {
                    let Ok(stream) = TlsAcceptor::from(server).accept(stream).await else { return };
                    let service = service_fn(|request| respond(&state, &client, address, request));
                    let connection = server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service);
                    // The client may close the connection without close_notify.
                    let _ = connection.await;
                });
            }
        });
        front
    }

    pub fn directory(&self) -> String {
        format!("https://localhost:{}/dir", self.address.port())
    }

    /// Number of requests to a path.
    pub fn count(&self, path: &str) -> usize {
        lock(&self.state).paths.iter().filter(|requested| *requested == path).count()
    }

    /// The payload of the last request to a path (RFC 8555 §6.2).
    pub fn payload(&self, path: &str) -> Value {
        let signed: Value = serde_json::from_slice(&lock(&self.state).signed[path]).unwrap();
        let payload = URL_SAFE_NO_PAD.decode(signed["payload"].as_str().unwrap()).unwrap();
        serde_json::from_slice(&payload).unwrap()
    }

    pub fn forward_to(&self, upstream: SocketAddr) {
        lock(&self.state).upstream = upstream;
    }

    pub fn close(&self, is_closed: bool) {
        lock(&self.state).is_closed = is_closed;
    }

    /// Rejects the order with this number, from 1, with a problem of this type.
    pub fn reject_order(&self, number: usize, problem: &'static str) {
        lock(&self.state).rejected_orders.push((number, problem));
    }

    /// Rejects requests for paths that begin with `path` with a problem of this type.
    pub fn reject(&self, path: &'static str, problem: &'static str) {
        lock(&self.state).rejected_paths.push((path, Some(problem)));
    }

    /// Loses the answers to requests for paths that begin with `path`.
    pub fn lose_answers(&self, path: &'static str) {
        lock(&self.state).rejected_paths.push((path, None));
    }

    pub fn renew_first(&self) {
        lock(&self.state).renews_first = true;
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap()
}

async fn respond(
    state: &Mutex<State>,
    client: &Arc<ClientConfig>,
    address: SocketAddr,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path().to_owned();
    let (head, content) = request.into_parts();
    let content = content.collect().await.unwrap().to_bytes();
    let is_directory = head.method == Method::GET && path == "/dir";
    let (upstream, is_lost) = {
        let mut state = lock(state);
        state.paths.push(path.clone());
        state.signed.insert(path.clone(), content.clone());
        let rejected = state.rejected_paths.iter().find(|(start, _)| path.starts_with(start));
        if let Some((_, Some(problem))) = rejected {
            return Ok(rejection(problem));
        }
        let is_lost = rejected.is_some();
        if path.starts_with(RENEWAL_INFO) {
            let is_first =
                state.paths.iter().filter(|path| path.starts_with(RENEWAL_INFO)).count() == 1;
            let now = SystemTime::now();
            let start = if is_first && state.renews_first { now - 2 * DAY } else { now + DAY };
            return Ok(renewal_info(start));
        }
        if path == ORDERS {
            let number = state.paths.iter().filter(|path| *path == ORDERS).count();
            let rejected = state.rejected_orders.iter().find(|(rejected, _)| *rejected == number);
            if let Some((_, problem)) = rejected {
                return Ok(rejection(problem));
            }
        }
        (state.upstream, is_lost)
    };
    let request = Request::from_parts(head, Full::new(content));
    let (parts, mut body) = forward(client, upstream, request).await;
    if is_lost {
        return Ok(Response::builder().status(502).body(Full::default()).unwrap());
    }
    if is_directory {
        let mut directory: Value = serde_json::from_slice(&body).unwrap();
        directory["renewalInfo"] =
            format!("https://localhost:{}{RENEWAL_INFO}", address.port()).into();
        body = directory.to_string().into();
    }
    let mut response = Response::from_parts(parts, Full::new(body));
    response.headers_mut().remove("content-length");
    Ok(response)
}

/// Suggests a renewal within a day from `start` on.
fn renewal_info(start: SystemTime) -> Response<Full<Bytes>> {
    let rfc3339 = |time: SystemTime| {
        let time = date_time_ymd(1970, 1, 1) + time.duration_since(SystemTime::UNIX_EPOCH).unwrap();
        format!(
            "{}-{:02}-{:02}T{:02}:00:00Z",
            time.year(),
            u8::from(time.month()),
            time.day(),
            time.hour()
        )
    };
    let window = json!({ "start": rfc3339(start), "end": rfc3339(start + DAY) });
    let body = json!({ "suggestedWindow": window, "explanationURL": EXPLANATION }).to_string();
    Response::builder().header("retry-after", "3600").body(body.into()).unwrap()
}

fn rejection(problem: &str) -> Response<Full<Bytes>> {
    let body = json!({ "type": format!("urn:ietf:params:acme:error:{problem}"), "detail": "no" });
    Response::builder().status(400).body(body.to_string().into()).unwrap()
}

async fn forward(
    client: &Arc<ClientConfig>,
    upstream: SocketAddr,
    request: Request<Full<Bytes>>,
) -> (http::response::Parts, Bytes) {
    let stream = TcpStream::connect(upstream).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let stream = TlsConnector::from(Arc::clone(client)).connect(name, stream).await.unwrap();
    let (mut sender, connection) =
        client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let (parts, body) = sender.send_request(request).await.unwrap().into_parts();
    (parts, body.collect().await.unwrap().to_bytes())
}
