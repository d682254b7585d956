//! WIRE-26: accept errors are waited out.

use crate::executable::Server;
use crate::wire::Connection;

#[test]
fn a_connection_that_arrives_at_the_limit_on_open_files_is_answered_later() {
    let server = Server::start(&["--threads", "1"]);
    let mut idle: Vec<Connection> = (0..8).map(|_| Connection::open(server.address)).collect();
    for connection in &mut idle {
        assert_eq!(connection.get("/healthz").status, 200);
    }
    let files = std::fs::read_dir(format!("/proc/{}/fd", server.id())).expect("a process");
    let numbers = files.flatten().filter_map(|file| file.file_name().to_str()?.parse::<u64>().ok());
    let numbers: Vec<u64> = numbers.collect();
    // The kernel assigns the lowest number that is free.
    server.set_open_files((0..).find(|number| !numbers.contains(number)));
    let mut late = Connection::open(server.address);
    late.send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
    let line = server.line_with("cannot accept connections");
    assert!(line.contains("trying again"), "{line}");
    idle.pop();
    assert_eq!(late.reply().expect("a response").status, 200);
}
