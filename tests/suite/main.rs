//! The promises of docs/http.md, and what else the server keeps. A file is named after what is promised, and begins with
//! the ids that it tests. Tests call `respond` without a socket, serve connections in this process, or start the
//! executable. `support` has what they share.

mod support;

mod acme;
mod admission;
mod build_script;
mod certificates;
mod command_line;
mod conditional;
mod diagnostics;
mod drain;
mod every_response;
mod export;
mod fuzzed;
mod health;
mod http1;
mod http2;
mod https;
mod listening;
mod load;
mod log;
mod negotiation;
mod options;
mod repository;
mod representations;
mod sandbox;
mod settings;
mod targets;
mod time_limits;
