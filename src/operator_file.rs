//! Files that an option points to, and files in a folder that an option points to.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

use crate::problem::Problem;

/// Maximum size of a file. Certificates and keys have a few kilobytes.
const FILE_MAX_BYTES: u64 = 1 << 20;

/// The content of a regular file of at most 1 MiB, which `/dev/zero` is not.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let file = open(path, OpenOptions::new().read(true))?;
    let mut content = Vec::new();
    file.take(FILE_MAX_BYTES + 1).read_to_end(&mut content)?;
    if content.len() as u64 > FILE_MAX_BYTES {
        return Err(Error::new(ErrorKind::FileTooLarge, "larger than 1 MiB"));
    }
    Ok(content)
}

/// The text of the file that `option` names, as [`read`] reads it, without the byte order marks
/// that some editors of Windows write.
pub fn read_for(option: &str, path: &Path) -> std::result::Result<Vec<u8>, Problem> {
    let what = format!("cannot read {} of {option}", path.display());
    let content = match read(path) {
        Ok(content) => content,
        Err(error) => return Err(Problem::of(what, error, |error| remedy(path, error))),
    };
    if content.starts_with(b"\xff\xfe") || content.starts_with(b"\xfe\xff") {
        return Err(Problem::new(what, "save it as UTF-8").because("it is in UTF-16"));
    }
    Ok(String::from_utf8_lossy(&content).replace('\u{feff}', "").into_bytes())
}

fn remedy(path: &Path, error: &Error) -> &'static str {
    let is_dangling = |path: &Path| path.is_symlink() && !path.exists();
    match error.kind() {
        // For example in a container that mounts only a folder of links.
        ErrorKind::NotFound if path.ancestors().any(is_dangling) => {
            "a link leads nowhere; mount the folder of its target too"
        }
        ErrorKind::NotFound | ErrorKind::NotADirectory => "name a file that exists",
        ErrorKind::PermissionDenied => "let this user read it",
        ErrorKind::InvalidInput => "name one, not a pipe, device or folder",
        ErrorKind::FileTooLarge => "name a smaller file",
        _ => "remove the cause, or name another file",
    }
}

/// Opens a regular file. Unlike a FIFO (fifo(7)), it can be opened, read and written without
/// waiting for another process.
pub fn open(path: &Path, options: &mut OpenOptions) -> Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = options.custom_flags(flags.bits() as i32).open(path)?;
    // The metadata of the open file: `path` may name a different file by now.
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(Error::new(ErrorKind::InvalidInput, "not a regular file")),
    }
}
