//! The load of `benches/peers` that h2load cannot send: handshakes, and connections
//! that stay idle. TLS 1.3 with one cipher suite, so that all servers do the same work;
//! the certificate is not verified, so that the client needs less time than a server.
//!
//! `tls_client full|resumed PORT PATH CONNECTIONS THREADS SECONDS`
//! `tls_client idle PORT PATH CONNECTIONS`
//!
//! It prints `ready` when all clients have had a response. A line on standard input then
//! starts the handshakes, whose result is one line of JSON. For idle connections, the line
//! of JSON follows `ready`, and a line on standard input closes them.

#[path = "tls_client/connect.rs"]
mod connect;
#[path = "tls_client/handshakes.rs"]
mod handshakes;
#[path = "tls_client/idle.rs"]
mod idle;

use std::error::Error;
use std::io::stdin;
use std::time::Duration;

use connect::Kind;
use handshakes::Handshakes;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["idle", port, path, connections] => {
            idle::hold(port.parse()?, path, connections.parse()?)?;
        }
        [kind @ ("full" | "resumed"), port, path, connections, threads, seconds] => {
            let load = Handshakes {
                kind: if *kind == "full" { Kind::Full } else { Kind::Resumed },
                port: port.parse()?,
                path: (*path).to_owned(),
                connections: connections.parse()?,
                threads: threads.parse()?,
                duration: Duration::try_from_secs_f64(seconds.parse()?)?,
            };
            println!("{}", load.run());
        }
        _ => return Err("usage: see the beginning of benches/rust/tls_client.rs".into()),
    }
    Ok(())
}

/// Announces that the measurement can begin, and waits for the line that starts it.
fn wait_for_begin() {
    println!("ready");
    stdin().read_line(&mut String::new()).ok();
}
