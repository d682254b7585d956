//! Gives up what the server does not need once it has opened everything, with
//! Landlock (DECISION-49). Older kernels have no such sandbox; the server runs without it there.

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

/// The folders of the files of name resolution (resolv.conf(5), hosts(5), nsswitch.conf(5)),
/// which other programs replace. The folders of libraries are not among them: the C library of
/// a static executable could crash if it loaded those that nsswitch.conf names.
const RESOLVER_FOLDERS: [&str; 2] = ["/etc", "/run"];

/// Leads to another folder on some systems, such as WSL.
const RESOLVER_FILE: &str = "/etc/resolv.conf";

/// Port of DNS, whose long answers arrive over TCP (RFC 7766).
const DNS_PORT: u16 = 53;

impl Sandbox {
    /// Allows looking up names, and connecting to `port`.
    pub fn connect_to(&mut self, port: u16) {
        self.read.extend(RESOLVER_FOLDERS.map(PathBuf::from));
        let file = Path::new(RESOLVER_FILE).canonicalize().ok();
        self.read.extend(file.as_deref().and_then(Path::parent).map(Path::to_owned));
        self.connect.extend([port, DNS_PORT]);
    }

    /// Restricts the current thread and all that it starts from now on, for ever.
    pub fn enter(&self) -> Result<(), RulesetError> {
        // Version 9 and Scope::AbstractUnixSocket would restrict notifications to systemd.
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
