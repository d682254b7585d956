//! What the tests share.

pub mod authority;
pub mod client;
pub mod clock;
pub mod files;
pub mod fuzzed;
pub mod heap;
pub mod http2_client;
pub mod process;
pub mod promises;
pub mod site;
pub mod texts;
pub mod tls;
