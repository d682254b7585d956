//! What the targets share with the suite; each uses a part of it.
#![allow(dead_code)]

#[path = "../../suite/support/fuzzed.rs"]
pub mod fuzzed;
#[path = "../../suite/support/heap.rs"]
pub mod heap;
#[path = "../../suite/support/http2_client.rs"]
pub mod http2_client;
#[path = "../../suite/support/promises.rs"]
pub mod promises;
