//! The promises of docs/http.md, each named by its id at the beginning of the module that
//! tests it. Modules drive `respond` without a socket, a server in this process, or the
//! executable.
//!
//! A module is named after the module or folder of `src` that it covers. The exceptions:
//!
//! - One of several modules for the same source:
//!   `certificate_files` covers `tls/files.rs`; `http2`, `http2_end`, `http2_floods`,
//!   `http2_frames`, `http2_requests`, `http2_streams` and `http2_waits` cover `server/http2`.
//! - Several sources, named after the subject: `command_line`, `conformance`, `framing`, `load`,
//!   `unread_content`.
//! - The repository instead of `src`: `build_script`, `site_build`, `ui_scripts`, `scripts`,
//!   `citations`, `tidy` and `import_graph`, which `tidy` uses.
//! - Support for other modules: the first block below, and `random_request` for `respond`.

mod acme_pebble;
mod certified_key;
mod child_process;
mod conversation;
mod duplex;
mod executable;
mod fixture;
mod folder;
mod http2_client;
mod http2_conversation;
mod port;
mod socket_path;
mod wire;

mod acceptor;
mod access_log;
mod acme;
mod admission;
mod bind;
mod build_script;
mod cache;
mod certificate_files;
mod citations;
mod command_line;
mod conformance;
mod connection;
mod connection_table;
mod content_coding;
mod diagnostics;
mod embedded;
mod export;
mod framing;
mod healthcheck;
mod host;
mod http2;
mod http2_end;
mod http2_floods;
mod http2_frames;
mod http2_hpack;
mod http2_requests;
mod http2_streams;
mod http2_waits;
mod https;
mod import_graph;
mod load;
mod man;
mod operator_file;
mod options;
mod outcome;
mod precondition;
mod random_request;
mod range;
mod ready_responses;
mod respond;
mod response;
mod run;
mod sandbox;
mod scripts;
mod security;
mod settings;
mod signals;
mod site_build;
mod systemd;
mod table;
mod target;
mod tidy;
mod time_limits;
mod timeout_stream;
mod ui_scripts;
mod unix_socket;
mod unread_content;
mod validator;
