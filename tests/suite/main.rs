//! The promises of docs/http.md, each named by its id at the beginning of the module that
//! tests it. Modules drive `respond` without a socket, a server in this process, or the
//! executable.
//!
//! A module is named after the module or folder of `src` that it covers. The exceptions:
//!
//! - One of several modules for the same source: `certificate_files` covers `tls/files.rs`.
//! - Several sources, named after the subject: `command_line`, `conformance`, `load`,
//!   `http2`, `time_limits`, `unread_content`.
//! - The repository instead of `src`: `build_script`, `citations` and `tidy`.
//! - Support for other modules: the first block below.

mod authority;
mod certified_key;
mod child_process;
mod clock;
mod executable;
mod fixture;
mod http2_client;
mod port;
mod promises;
mod wire;

mod access_log;
mod acme;
mod admission;
mod bind;
mod build_script;
mod cache;
mod certificate_files;
mod citations;
mod command_line;
mod conditional;
mod conformance;
mod connection;
mod embedded;
mod every_response;
mod export;
mod healthcheck;
mod help;
mod host;
mod http2;
mod https;
mod load;
mod negotiation;
mod options;
mod output;
mod resource;
mod respond;
mod run;
mod sandbox;
mod security;
mod settings;
mod signals;
mod systemd;
mod target;
mod tidy;
mod time_limits;
mod unix_socket;
mod unread_content;
