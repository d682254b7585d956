//! WIRE-25, WIRE-26, WIRE-28, WIRE-29, WIRE-30, WIRE-31, WIRE-33, WIRE-36, PAGE-22: the effect of every option on the
//! executable, seen from outside: given on the command line, and by its variable.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};
use std::{fs, thread};

use clap::Arg;
use recipelog_site::cli;
use rustix::process::Signal;
use serde_json::json;
use tempfile::{TempDir, tempdir};

use crate::support::authority::Behaviour::{NeedsExternalAccount, Normal};
use crate::support::authority::{ACCOUNTS, Authority, Behaviour, EXTERNAL_ACCOUNT, ORDERS};
use crate::support::client::{Connection, exchange_over_unix};
use crate::support::clock::{assert_shows_time, assert_takes};
use crate::support::files::{socket_path, write_script};
use crate::support::process::{
    FREE_PORT, Lines, Server, assert_healthy, assert_rejected, command, free_port, object,
    wait_until,
};
use crate::support::tls::{
    CertifiedKey, NAMES, TlsServer, command_with, connect_unverified, presented_for,
};

/// An option, and a test that sets it to a value other than its default.
type Row = (&'static str, fn(Given));

const ROWS: [Row; 31] = [
    ("--listen", listen),
    ("--port", port),
    ("--threads", threads),
    ("--open", open),
    ("--qr", qr),
    ("--tls-listen", tls_listen),
    ("--tls-cert", certificate_file),
    ("--tls-key", certificate_file),
    ("--acme-domain", acme_domain),
    ("--acme-dir", acme_dir),
    ("--acme-directory", |given| assert_ordered(given, Normal)),
    // Without it, the authority's own certificate would not be accepted.
    ("--acme-root", |given| assert_ordered(given, Normal)),
    ("--acme-email", acme_email),
    ("--acme-profile", acme_profile),
    // The authority verifies both.
    ("--acme-eab-kid", |given| assert_ordered(given, NeedsExternalAccount)),
    ("--acme-eab-key", |given| assert_ordered(given, NeedsExternalAccount)),
    ("--expires-within", expires_within),
    ("--origin", |given| on_the_page(given, "https://b.example", "href=\"https://b.example/\"")),
    ("--hsts", hsts),
    ("--app-name", |given| on_the_page(given, "Dill & Co", "<title>Dill &amp; Co")),
    ("--support-email", |given| on_the_page(given, "a@b.example", "support-email=\"a@b.example\"")),
    ("--contact-url", |given| on_the_page(given, "/api/contact", "contact-url=\"/api/contact\"")),
    ("--app-store-url", |given| on_the_page(given, APP_STORE, APP_STORE)),
    ("--play-store-url", |given| on_the_page(given, PLAY_STORE, PLAY_STORE)),
    ("--header-timeout", header_timeout),
    ("--idle-timeout", idle_timeout),
    ("--write-timeout", write_timeout),
    ("--drain-timeout", drain_timeout),
    ("--max-connections", max_connections),
    ("--trust-proxy", trust_proxy),
    ("--access-log", access_log),
];

const APP_STORE: &str = "https://apps.apple.com/app/id123";
const PLAY_STORE: &str = "https://play.google.com/store/apps/details?id=a.b";

/// How an option is given.
#[derive(Clone, Copy, Debug)]
struct Given {
    option: &'static str,
    is_variable: bool,
}

impl Given {
    /// Sets the option; a switch has no value.
    fn set(self, mut command: Command, value: &str) -> Command {
        let variable = self.option[2..].to_uppercase().replace('-', "_");
        match (self.is_variable, value) {
            (true, "") => command.env(variable, "yes"),
            (true, _) => command.env(variable, value),
            (false, "") => command.arg(self.option),
            (false, _) => command.arg(self.option).arg(value),
        };
        command
    }

    /// Sets `options`, and among them or besides them this one. A value that is empty stands for its own.
    fn set_among(self, mut command: Command, value: &str, options: &[(&str, &str)]) -> Command {
        let (own, others): (Vec<_>, Vec<_>) =
            options.iter().copied().partition(|(option, _)| *option == self.option);
        others.iter().for_each(|(option, other)| _ = command.args([option, other]));
        let value = if value.is_empty() { own[0].1 } else { value };
        self.set(command, value)
    }

    /// A server with the option and `others`, on a free port.
    fn server(self, value: &str, others: &[&str]) -> Server {
        Server::of(self.set(command(&[others, &FREE_PORT].concat()), value))
    }
}

#[test]
fn every_option_and_its_variable_has_its_effect() {
    let options = options_with_variable();
    let names: BTreeSet<_> = options.iter().map(|(option, _)| option.as_str()).collect();
    assert_eq!(ROWS.iter().map(|row| row.0).collect::<BTreeSet<_>>(), names);
    let failed: Vec<Given> = thread::scope(|scope| {
        let tests = ROWS.iter().flat_map(|&(option, test)| {
            [false, true].map(|is_variable| (test, Given { option, is_variable }))
        });
        // Most of them wait.
        let running: Vec<_> =
            tests.map(|(test, given)| (given, scope.spawn(move || test(given)))).collect();
        running
            .into_iter()
            .filter_map(|(given, thread)| thread.join().err().map(|_| given))
            .collect()
    });
    assert!(failed.is_empty(), "{failed:?}");
}

fn is_answered(address: impl Into<std::net::SocketAddr>) -> bool {
    Connection::open(address.into()).get("/healthz").status == 200
}

fn listen(given: Given) {
    let (_folder, path, socket) = socket_path();
    let server = Server::of(given.set(command(&[]), &format!(" 127.0.0.2:0, {socket}")));
    assert_eq!(server.address.ip().to_string(), "127.0.0.2");
    assert!(is_answered(server.address));
    let response = exchange_over_unix(&path, "GET /healthz HTTP/1.0\r\n\r\n");
    assert!(response.starts_with(b"HTTP/1.0 200 "));
}

fn port(given: Given) {
    let port = free_port();
    let _server = Server::of(given.set(command(&[]), &port.to_string()));
    assert!(is_answered(([127, 0, 0, 1], port)) && is_answered(([127, 0, 0, 2], port)));
}

fn threads(given: Given) {
    let [one, five] = ["1", "5"].map(|count| given.server(count, &[]));
    let count = |server: &Server| server.threads("comm").count();
    wait_until("four threads more", || count(&five) == count(&one) + 4);
}

fn open(given: Given) {
    let folder = tempdir().unwrap();
    let opened = folder.path().join("opened");
    write_script(&folder, "xdg-open", &format!("echo \"$1\" >{}", opened.display()));
    let mut command = command(&FREE_PORT);
    command.env("PATH", folder.path());
    let server = Server::of(given.set(command, ""));
    let url = format!("http://{}", server.address);
    wait_until("the start of a browser", || {
        fs::read_to_string(&opened).is_ok_and(|it| it.trim_end().trim_end_matches('/') == url)
    });
}

fn qr(given: Given) {
    given.server("", &[]).line_with("no address for --qr");
}

/// A server with all options for HTTPS, of which one may be the row's, and `others`.
fn https(given: Given, value: &str, others: &[&str]) -> TlsServer {
    let (folder, certified) = (tempdir().unwrap(), CertifiedKey::new());
    let [certificate, key] = certified.write(folder.path());
    let options = [
        ("--tls-cert", certificate.to_str().unwrap()),
        ("--tls-key", key.to_str().unwrap()),
        ("--tls-listen", "127.0.0.1:0"),
    ];
    let server = Server::of(given.set_among(command(others), value, &options));
    TlsServer { server, certified, folder }
}

fn tls_listen(given: Given) {
    let site = https(given, "127.0.0.2:0", &[]);
    assert_eq!(site.server.tls_address.ip().to_string(), "127.0.0.2");
    assert_eq!(presented_for(&site.server, NAMES[0]), Some(site.certified.der()));
}

fn certificate_file(given: Given) {
    let site = https(given, "", &[]);
    assert_eq!(presented_for(&site.server, NAMES[0]), Some(site.certified.der()));
}

/// A server that has obtained certificates from an authority with all options that this needs, and the option.
fn order(given: Given, value: &str, behaviour: Behaviour) -> (Authority, TempDir, Server) {
    let (authority, folder) = (Authority::start(behaviour), tempdir().unwrap());
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(file("key"), EXTERNAL_ACCOUNT.1).unwrap();
    let options = [
        ("--acme-domain", "a.example"),
        ("--acme-dir", &file("state")),
        ("--acme-directory", &authority.directory),
        ("--acme-root", authority.root_file.to_str().unwrap()),
        ("--acme-eab-kid", EXTERNAL_ACCOUNT.0),
        ("--acme-eab-key", &file("key")),
    ];
    let count = if behaviour == NeedsExternalAccount { 6 } else { 4 };
    let mut command = command(&FREE_PORT);
    command.args(["--tls-listen", &format!("127.0.0.1:{}", authority.tls_port)]);
    let value = value.replace("FOLDER", folder.path().to_str().unwrap());
    let command = given.set_among(command, &value, &options[..count]);
    let none = ([0, 0, 0, 0], 0).into();
    let server = Server::starting(command, none, none);
    server.line_with(": valid until ");
    (authority, folder, server)
}

fn acme_domain(given: Given) {
    let (authority, _folder, server) = order(given, "b.example,c.example", Normal);
    server.line_with(": valid until ");
    let orders = authority.payloads(ORDERS);
    let names: BTreeSet<_> =
        orders.iter().filter_map(|order| order["identifiers"][0]["value"].as_str()).collect();
    assert_eq!(names, ["b.example", "c.example"].into());
}

fn acme_dir(given: Given) {
    let (_authority, folder, _server) = order(given, "FOLDER/mine", Normal);
    assert!(folder.path().join("mine/lock").exists() && !folder.path().join("state").exists());
}

fn assert_ordered(given: Given, behaviour: Behaviour) {
    assert_eq!(order(given, "", behaviour).0.count(ORDERS), 1);
}

fn acme_email(given: Given) {
    let (authority, ..) = order(given, "a@b.example", Normal);
    assert_eq!(authority.payloads(ACCOUNTS)[0]["contact"], json!(["mailto:a@b.example"]));
}

fn acme_profile(given: Given) {
    let (authority, ..) = order(given, "shortlived", Normal);
    assert_eq!(authority.payloads(ORDERS)[0]["profile"], "shortlived");
}

fn expires_within(given: Given) {
    let folder = tempdir().unwrap();
    let in_ten_days = SystemTime::now() + Duration::from_secs(10 * 24 * 60 * 60);
    let files = CertifiedKey::of(&NAMES, 2000, in_ten_days).write(folder.path());
    let server = Server::of(command_with(&files, &[]));
    let address = server.tls_address.to_string();
    let check = |time| {
        let options =
            ["healthcheck", "--tls-listen", &address, "--tls-cert", "c", "--tls-key", "k"];
        given.set(command(&options), time)
    };
    assert_healthy(check("9d"));
    assert_rejected(check("11d"), 1, &["expires on"]);
}

fn hsts(given: Given) {
    let server = given.server("2m", &["--origin", "https://b.example"]);
    let page = Connection::open(server.address).get("/");
    assert_eq!(page.field("strict-transport-security"), Some("max-age=120"));
}

fn on_the_page(given: Given, value: &str, expected: &str) {
    let page = Connection::open(given.server(value, &[]).address).get("/");
    let page = String::from_utf8_lossy(&page.content).into_owned();
    assert!(page.contains(expected), "{given:?}: {page}");
}

/// The time limits of the rows below.
const LIMIT: Duration = Duration::from_secs(2);

fn header_timeout(given: Given) {
    let site = https(given, "2s", &FREE_PORT);
    let [plain, tls] = [site.server.address, site.server.tls_address];
    assert_takes("clients that send a byte now and then", LIMIT, || {
        let times = thread::scope(|scope| {
            let cases = [
                (plain, false, &b""[..]),
                (plain, false, b"GET / HTT"),
                (plain, true, b"GET / HTT"),
                (plain, true, b"\r\nGET / "),
                (tls, false, b""),
                (tls, false, b"\x16\x03\x01\x02\0\x01\0\x01\xfc"),
            ];
            let threads = cases.map(|(address, is_second, sent)| {
                scope.spawn(move || {
                    let (mut begun, mut connection) = (Instant::now(), Connection::open(address));
                    if is_second {
                        connection.get("/healthz");
                        thread::sleep(LIMIT / 2);
                        begun = Instant::now();
                    }
                    for byte in sent {
                        let _ = connection.stream.write_all(&[*byte]);
                        thread::sleep(LIMIT / 20);
                    }
                    // A byte that this thread sends too late resets the connection.
                    assert!(connection.rest().unwrap_or_default().is_empty());
                    begun.elapsed()
                })
            });
            threads.map(|thread| thread.join().expect("the end of the connection"))
        });
        assert!(times.iter().all(|time| *time >= LIMIT), "{times:?}");
        times.into_iter().max().expect("clients")
    });
    assert_takes("a late handshake and half a head", LIMIT, || {
        let begun = Instant::now();
        let mut stream = connect_unverified(&site.server, NAMES[0]);
        thread::sleep(LIMIT / 2);
        stream.write_all(b"GET / HTT").expect("a handshake");
        let _ = stream.read(&mut [0]);
        begun.elapsed()
    });
}

/// The header limit does not apply between requests.
fn idle_timeout(given: Given) {
    fn time_to_end<S: Read + Write>(mut connection: Connection<S>) -> Duration {
        let begun = Instant::now();
        assert_eq!(connection.get("/healthz").status, 200);
        // Over TLS, a close_notify (RFC 9112 §9.8).
        assert_eq!(connection.stream.read(&mut [0]).expect("an orderly end"), 0);
        begun.elapsed()
    }
    let server = https(given, "4s", &[&FREE_PORT[..], &["--header-timeout", "3s"]].concat()).server;
    let limit = LIMIT * 2;
    assert_takes("an idle client", limit, || time_to_end(Connection::open(server.address)));
    assert_takes("an idle client over TLS", limit, || {
        time_to_end(Connection::over(connect_unverified(&server, NAMES[0])))
    });
}

/// Requests for more responses than socket buffers hold, to a client that reads none.
fn unread() -> String {
    "GET /og.png HTTP/1.1\r\nHost: a\r\n\r\n".repeat(400)
}

fn write_timeout(given: Given) {
    let mut server = given.server("2s", &["--access-log", "json"]);
    let lines = Lines::of(server.output());
    assert_takes("a client that does not read", LIMIT, || {
        let begun = Instant::now();
        let mut connection = Connection::open(server.address);
        connection.send(unread());
        // The line of the response that the limit cuts off. The others are sent at once.
        while object(&lines)["duration"].as_f64().expect("a time") < 1.5 {}
        begun.elapsed()
    });
}

/// Incomplete heads and handshakes have a tenth of it behind the grace period of 250 ms, and no part in the exit code.
fn drain_timeout(given: Given) {
    let grace = Duration::from_millis(250);
    for (value, sent, code, limit) in
        [("2s", &*unread(), 1, LIMIT), ("20s", "GET / HTT", 0, LIMIT + grace)]
    {
        assert_takes(&format!("a drain of {value}"), limit, || {
            let limits = ["--header-timeout", "5m"];
            let mut site = https(given, value, &[&FREE_PORT[..], &limits].concat());
            let server = &mut site.server;
            let [plain, tls] = [server.address, server.tls_address];
            let mut connections = [plain, plain, tls].map(Connection::open);
            connections[0].send(sent);
            connections[1].get("/healthz");
            connections[1].send("GET / HTT");
            connections[2].send(b"\x16\x03\x01\x02");
            let mut stream = connect_unverified(server, NAMES[0]);
            stream.write_all(b"GET / HTT").expect("a handshake");
            server.wait_until_idle();
            server.signal(Signal::TERM);
            let (status, time) = server.wait();
            assert_eq!(status.code(), Some(code));
            // However busy the machine is: not the drain limit.
            assert!(code == 1 || time < LIMIT * 9, "{time:?}");
            time
        });
    }
}

fn max_connections(given: Given) {
    let server = given.server("3", &["--threads", "1"]);
    let mut open = Vec::new();
    for count in 1..=5 {
        let mut connection = Connection::open(server.address);
        assert_eq!(connection.get("/healthz").status, 200);
        open.push(connection);
        assert_eq!(Connection::count_open(&mut open), count.min(3));
    }
}

fn trust_proxy(given: Given) {
    let options = ["--origin", "https://a.example", "--access-log", "json"];
    let mut site = https(given, "2", &[&options[..], &FREE_PORT].concat());
    let lines = Lines::of(site.server.output());
    for (scheme, status) in [("https", 200), ("http", 308)] {
        let mut connection = Connection::open(site.server.address);
        connection.send(format!(
            "GET / HTTP/1.1\r\nHost: a.example\r\nX-Forwarded-Proto: {scheme}\r\n\
             X-Forwarded-For: 6.6.6.6, 203.0.113.7, 10.0.0.1\r\n\r\n"
        ));
        assert_eq!(connection.reply().expect("a response").status, status, "{scheme}");
        assert_eq!(object(&lines)["client"], "203.0.113.7");
    }
}

fn access_log(given: Given) {
    for (format, start) in [("combined", "127.0.0.1 - - ["), ("JSON", "{\"time\":")] {
        let mut server = given.server(format, &[]);
        let lines = Lines::of(server.output());
        let begun = SystemTime::now();
        Connection::open(server.address).get("/robots.txt");
        let line = lines.next().expect("a line");
        assert!(line.starts_with(start) && line.contains("GET /robots.txt HTTP/1.1"), "{line}");
        assert_shows_time(&line, begun);
    }
}

/// Every option that has a variable, with the variable: the name of the option in capital letters. An
/// operator puts `healthcheck` or `export` in front of the server's unchanged options, so each of them
/// may follow a command.
pub fn options_with_variable() -> Vec<(String, String)> {
    let command = cli::command();
    let with_variable = |option: &Arg| {
        let (name, variable) = (option.get_long()?, option.get_env()?.to_str()?);
        assert_eq!(variable, name.to_uppercase().replace('-', "_"));
        assert!(option.is_global_set(), "{name} may not follow a command");
        Some((format!("--{name}"), variable.to_owned()))
    };
    command.get_arguments().filter_map(with_variable).collect()
}
