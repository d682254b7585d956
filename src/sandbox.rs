//! Gives up what the server does not need once it has opened everything, with Landlock
//! (DECISION-49). Older kernels have no such sandbox; the server runs without it there.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, NetPort, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, Scope, path_beneath_rules,
};

/// The files and ports that the process may use in the sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Folders whose files are read.
    pub read: Vec<PathBuf>,
    /// Folders whose files are read and replaced.
    pub write: Vec<PathBuf>,
    /// Folders from which a Unix socket is removed at the end.
    pub remove: Vec<PathBuf>,
    /// TCP ports, on any machine, to which the process may connect.
    pub connect: Vec<u16>,
}

/// The folders with the files of name resolution (resolv.conf(5), hosts(5)), which other programs
/// replace.
const RESOLVER_FOLDERS: [&str; 2] = ["/etc", "/run"];

/// Files of name resolution that are links to other folders on some systems, such as WSL and NixOS.
const RESOLVER_FILES: [&str; 2] = ["/etc/resolv.conf", "/etc/hosts"];

/// Port of DNS, whose long answers arrive over TCP (RFC 7766).
const DNS_PORT: u16 = 53;

impl Sandbox {
    /// Allows looking up names, and connecting to `port`.
    pub fn connect_to(&mut self, port: u16) {
        self.read.extend(RESOLVER_FOLDERS.map(PathBuf::from));
        self.read.extend(RESOLVER_FILES.iter().filter_map(|file| target_folder(Path::new(file))));
        self.connect.extend([port, DNS_PORT]);
    }

    /// Restricts the current thread, and the threads and processes that it starts from now on.
    pub fn enter(&self) -> Result<(), RulesetError> {
        // Version 9 and Scope::AbstractUnixSocket would block notifications that are sent to
        // systemd.
        const VERSION: ABI = ABI::V5;
        let read = AccessFs::ReadFile | AccessFs::ReadDir;
        let write = read
            | AccessFs::WriteFile
            | AccessFs::Truncate
            | AccessFs::MakeReg
            | AccessFs::MakeDir
            | AccessFs::RemoveFile;
        let ports = self.connect.iter();
        Ruleset::default()
            .handle_access(AccessFs::from_all(VERSION))?
            .handle_access(AccessNet::from_all(VERSION))?
            .scope(Scope::Signal)?
            .create()?
            .add_rules(path_beneath_rules(&self.read, read))?
            .add_rules(path_beneath_rules(&self.write, write))?
            .add_rules(path_beneath_rules(&self.remove, AccessFs::RemoveFile))?
            .add_rules(
                ports.map(|&port| Ok::<_, RulesetError>(NetPort::new(port, AccessNet::ConnectTcp))),
            )?
            .restrict_self()
            .map(drop)
    }
}

/// The folder of the file that `path` leads to; `None` if there is no such file.
fn target_folder(path: &Path) -> Option<PathBuf> {
    Some(path.canonicalize().ok()?.parent()?.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_folder_of_a_file_is_where_its_links_lead() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        fs::create_dir(path.join("store")).unwrap();
        fs::write(path.join("store/hosts"), "").unwrap();
        symlink("store", path.join("static")).unwrap();
        symlink("static/hosts", path.join("hosts")).unwrap();
        assert_eq!(target_folder(&path.join("hosts")), Some(path.join("store")));
        assert_eq!(target_folder(&path.join("none")), None);
    }
}
