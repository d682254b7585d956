//! RecipeLog's website: one executable that is the whole site.
//!
//! Data flows one way: the embedded files become a table ([`site`]), the table and a request head
//! become a response ([`http`]), and the response goes over a socket ([`server`]). The [`commands`]
//! of the executable are built on these.

// `name_lookup` has the one exception.
#![deny(unsafe_code)]

#[cfg(not(target_os = "linux"))]
compile_error!(
    "recipelog-site needs Linux; run the container image (deploy/README.md), or on Windows build in WSL"
);

pub mod acme;
pub mod cli;
pub mod commands;
mod host_name;
pub mod http;
pub mod name_lookup;
pub mod operator_file;
mod option_value;
pub mod output;
pub mod problem;
mod process;
pub mod sandbox;
pub mod server;
pub mod site;
pub mod tls;
