//! Gives up what the server does not need once it has opened everything, with
//! Landlock. Older kernels and other systems have no such sandbox; the server runs
//! without it there.

use std::path::{Path, PathBuf};

/// What the process may still use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Folders and files that are read.
    pub read: Vec<PathBuf>,
    /// Folders whose files are read and replaced.
    pub write: Vec<PathBuf>,
    /// Folders from which a Unix socket is removed at the end.
    pub remove: Vec<PathBuf>,
    /// Ports of other machines that are connected to.
    pub connect: Vec<u16>,
}

/// Where the addresses of other machines are looked up (resolv.conf(5), hosts(5),
/// nsswitch.conf(5)).
const RESOLVER_FILES: [&str; 5] =
    ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services"];

/// Port of DNS, whose long answers arrive over TCP (RFC 7766).
const DNS_PORT: u16 = 53;

impl Sandbox {
    /// Allows reading `file` also after it was replaced. That concerns the folder of
    /// the name, and the folder of each symbolic link's target: Kubernetes and
    /// certbot replace links, others the file. A folder itself may not be replaced.
    pub fn read_replaceable(&mut self, file: &Path) {
        /// The kernel follows as many (path_resolution(7)).
        const LINKS_MAX: usize = 40;
        let mut path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        for _ in 0..LINKS_MAX {
            let Some(folder) = path.parent().map(Path::to_owned) else { return };
            let Ok(real_folder) = folder.canonicalize() else { return };
            self.add_read(real_folder);
            // The folder of a name may be a link, too, as `..data` is in Kubernetes.
            if let (Ok(_), Some(above)) = (folder.read_link(), folder.parent())
                && above.parent().is_some()
                && let Ok(above) = above.canonicalize()
            {
                self.add_read(above);
            }
            let Ok(target) = path.read_link() else { return };
            path = folder.join(target);
        }
    }

    /// Allows looking up names, and connecting to `port`.
    pub fn connect_to(&mut self, port: u16) {
        // Programs replace resolv.conf. Root can read secrets in its folder; for
        // other users there are none.
        #[cfg(unix)]
        if !rustix::process::geteuid().is_root() {
            self.add_read(PathBuf::from("/etc"));
        }
        for file in RESOLVER_FILES.map(Path::new) {
            // The service that writes the target of a link replaces it.
            match file.read_link() {
                Ok(_) => self.read_replaceable(file),
                Err(_) => self.add_read(file.to_owned()),
            }
        }
        self.connect.extend([port, DNS_PORT]);
    }

    fn add_read(&mut self, path: PathBuf) {
        if !self.read.contains(&path) {
            self.read.push(path);
        }
    }

    /// Restricts the current thread and all that it starts from now on, for ever.
    #[cfg(target_os = "linux")]
    pub fn enter(&self) -> Result<(), landlock::RulesetError> {
        use landlock::{
            ABI, Access, AccessFs, AccessNet, NetPort, Ruleset, RulesetAttr, RulesetCreatedAttr,
            path_beneath_rules,
        };
        // Later versions also restrict notifications to systemd.
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
            .create()?
            .add_rules(path_beneath_rules(&self.read, read))?
            .add_rules(path_beneath_rules(&self.write, write))?
            .add_rules(path_beneath_rules(&self.remove, AccessFs::RemoveFile | AccessFs::ReadDir))?
            .add_rules(ports.map(|&port| {
                Ok::<_, landlock::RulesetError>(NetPort::new(port, AccessNet::ConnectTcp))
            }))?
            .restrict_self()
            .map(drop)
    }

    /// There is no sandbox on this platform.
    #[cfg(not(target_os = "linux"))]
    pub fn enter(&self) -> Result<(), std::convert::Infallible> {
        Ok(())
    }
}
