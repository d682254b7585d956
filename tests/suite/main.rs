//! What the server promises on the wire, proven line by line: HTTP.md's line
//! numbers stand in each module's first line. Most modules drive `respond`
//! without a socket; the others drive the executable itself.

mod conversation;
mod executable;
mod fixture;
mod folder;
mod wire;

#[cfg(unix)]
mod access_log;
mod caching;
mod command_line;
mod conditions;
mod conformance;
mod draining;
mod embedded_site;
mod export;
mod framing;
mod load;
mod methods_and_targets;
mod negotiation;
mod operator_settings;
mod panics;
mod patience;
mod places;
mod properties;
mod ranges;
mod representations;
mod security_headers;
mod site_folder;
mod supervisor;
mod tidy;
