//! `recipelog-site`: the start of the server, its certificate, and the QR code of its address.

mod certificate_source;
mod qr_code;
mod start;

pub use start::serve;
