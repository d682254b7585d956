//! The QR code of `--qr`, with which a phone opens the site.

use qrcodegen::{QrCode, QrCodeEcc};

use crate::output::{report, write_to_terminal};
use crate::site::Origin;

/// Light modules around a code, which scanners need (ISO/IEC 18004).
const QUIET_ZONE: i32 = 4;

/// Black on white, whatever the colours of the terminal are: many scanners cannot read an inverted
/// code.
const COLORS: &str = "\x1b[38;5;16;48;5;231m";
const NO_COLORS: &str = "\x1b[0m\n";

/// Prints the code of the `origin`, to which plain HTTP is redirected, or of the first of
/// `addresses` that other machines can open.
pub(super) fn print(origin: Option<&Origin>, addresses: &[String]) {
    const LOCAL: [&str; 4] = ["unix:", "://localhost", "://127.", "://[::1]"];
    let is_public = |url: &&String| !LOCAL.iter().any(|local| url.contains(local));
    let url = origin.map(Origin::to_string);
    let url = url.or_else(|| addresses.iter().find(is_public).cloned());
    match url.and_then(|url| QrCode::encode_text(&url, QrCodeEcc::Medium).ok()) {
        Some(code) => write_to_terminal(&text(&code)),
        None => report("no address for --qr; listen on all interfaces with --port"),
    }
}

/// The lines of `code`. A character shows two modules, one above the other.
fn text(code: &QrCode) -> String {
    let modules = -QUIET_ZONE..code.size() + QUIET_ZONE;
    let line = |y| {
        let character = |x| match (code.get_module(x, y), code.get_module(x, y + 1)) {
            (false, false) => ' ',
            (true, false) => '▀',
            (false, true) => '▄',
            (true, true) => '█',
        };
        format!("{COLORS}{}{NO_COLORS}", modules.clone().map(character).collect::<String>())
    };
    modules.clone().step_by(2).map(line).collect()
}
