//! The promises of docs/http.md, each named by its id in the first line of the
//! module that tests it. Most modules drive `respond` without a socket; the
//! others drive the executable.

mod conversation;
mod executable;
mod fixture;
mod folder;
mod wire;

mod access_log;
mod admission;
mod bind;
mod caching;
mod command_line;
mod conditions;
mod conformance;
mod diagnostics;
mod embedded_site;
mod export;
mod framing;
mod healthcheck;
mod load;
mod methods_and_targets;
mod negotiation;
mod operator_settings;
mod properties;
mod ranges;
mod representations;
mod run;
mod security_headers;
mod site_folder;
mod systemd;
mod tidy;
mod timeout_stream;
mod unix_socket;
