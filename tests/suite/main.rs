//! The promises of docs/http.md, each named by its id in the first line of the
//! module that tests it. A module is named after the module that it covers; those
//! that cover several (command_line, conformance, framing, load) after their subject. Most
//! modules drive `respond` without a socket; the others drive the executable.

mod conversation;
mod executable;
mod fixture;
mod folder;
mod wire;

mod acceptor;
mod access_log;
mod admission;
mod bind;
mod build_script;
mod cache;
mod citations;
mod command_line;
mod conformance;
mod connection_table;
mod content_coding;
mod diagnostics;
mod embedded;
mod export;
mod framing;
mod healthcheck;
mod host;
mod import_graph;
mod load;
mod outcome;
mod precondition;
mod range;
mod respond;
mod response;
mod run;
mod security;
mod settings;
mod systemd;
mod table;
mod target;
mod tidy;
mod timeout_stream;
mod unix_socket;
mod validator;
