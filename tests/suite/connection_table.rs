//! HTTP-26: how many connections give way for several new ones.

use std::thread;

use crate::executable::Server;
use crate::wire::Connection;

fn idle_connections(host: u8, count: usize, server: &Server) -> Vec<Connection> {
    let mut connections = Vec::new();
    for _ in 0..count {
        let mut connection = Connection::open_from([127, 0, 0, host], server.address, None);
        assert_eq!(connection.get("/healthz").status, 200);
        connections.push(connection);
    }
    connections
}

fn count_open(connections: &mut [Connection]) -> usize {
    connections.iter_mut().map(Connection::is_open).filter(|&is_open| is_open).count()
}

#[test]
fn simultaneous_clients_at_the_cap_close_one_connection_each_of_the_client_with_most() {
    for _ in 0..10 {
        let server = Server::start(&["--max-connections", "10", "--threads", "4"]);
        let mut most = idle_connections(2, 6, &server);
        let mut fair = idle_connections(3, 4, &server);
        let clients = [4, 5].map(|host| {
            let address = server.address;
            thread::spawn(move || {
                let mut connection = Connection::open_from([127, 0, 0, host], address, None);
                assert_eq!(connection.get("/healthz").status, 200);
                connection
            })
        });
        let _clients = clients.map(|client| client.join().expect("a response"));
        assert_eq!((count_open(&mut most), count_open(&mut fair)), (4, 4));
    }
}
