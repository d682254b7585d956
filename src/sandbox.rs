//! Gives up what the server does not need once it has opened everything, with
//! Landlock (DECISION-49). Older kernels and other systems have no such sandbox; the server runs
//! without it there.

use std::path::{Path, PathBuf};

/// The files and ports that the process may use in the sandbox.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// Folders and files that are read.
    pub read: Vec<PathBuf>,
    /// Folders whose files are read and replaced.
    pub write: Vec<PathBuf>,
    /// Folders from which a Unix socket is removed at the end.
    pub remove: Vec<PathBuf>,
    /// TCP ports, on any machine, to which the process may connect.
    pub connect: Vec<u16>,
}

/// Where the addresses of other machines are looked up (resolv.conf(5), hosts(5),
/// nsswitch.conf(5)).
const RESOLVER_FILES: [&str; 5] = ["resolv.conf", "hosts", "nsswitch.conf", "gai.conf", "services"];

/// Port of DNS, whose long answers arrive over TCP (RFC 7766).
const DNS_PORT: u16 = 53;

impl Sandbox {
    /// Allows reading `file` also after it was replaced, as [`folders_of`] describes.
    pub fn read_replaceable(&mut self, file: &Path) {
        folders_of(file).0.into_iter().for_each(|folder| self.add_read(folder));
    }

    /// Allows looking up names, and connecting to `port`.
    pub fn connect_to(&mut self, port: u16) {
        #[cfg(unix)]
        let is_root = rustix::process::geteuid().is_root();
        #[cfg(not(unix))]
        let is_root = false;
        self.look_up_names(Path::new("/etc"), Path::new("/run"), is_root);
        self.connect.extend([port, DNS_PORT]);
    }

    /// Allows reading the files of name resolution. Programs replace these files or the
    /// targets of their links, so the folders are allowed, too. For root, `etc` itself is
    /// not: it has secrets that only root can read. `run` is where services create such files.
    fn look_up_names(&mut self, etc: &Path, run: &Path, is_root: bool) {
        let [etc, run] = [etc, run].map(|path| path.canonicalize().unwrap_or_else(|_| path.into()));
        if !is_root {
            self.add_read(etc.clone());
        }
        for file in RESOLVER_FILES.map(|name| etc.join(name)) {
            let (folders, missing) = folders_of(&file);
            for folder in folders {
                // Neither `etc` nor a folder around it.
                if !etc.starts_with(&folder) {
                    self.add_read(folder);
                }
            }
            // A service that has not started yet creates the folder, such as systemd-resolved in
            // `/run/systemd`. `run` itself has secrets of other programs.
            let above = missing.and_then(|missing| nearest_existing(&missing));
            if let Some(above) = above.filter(|above| *above != run && above.starts_with(&run)) {
                self.add_read(above);
            }
            self.add_read(file);
        }
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
            Scope, path_beneath_rules,
        };
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

/// The folders in which `file` and the links on the way to it are replaced: the folder
/// of the name, and the folder of each symbolic link's target. Kubernetes and certbot
/// replace links, other programs the file. If a folder itself is replaced, access is
/// lost until a restart. The second result is the first of these folders that does not exist.
fn folders_of(file: &Path) -> (Vec<PathBuf>, Option<PathBuf>) {
    /// The maximum number of links that the kernel follows (path_resolution(7)).
    const LINKS_MAX: usize = 40;
    let mut folders = Vec::new();
    let mut path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    for _ in 0..LINKS_MAX {
        let Some(folder) = path.parent().map(Path::to_owned) else { break };
        let Ok(real_folder) = folder.canonicalize() else { return (folders, Some(folder)) };
        folders.push(real_folder);
        // The folder of a name may be a link, too, as `..data` is in Kubernetes.
        if let (Ok(_), Some(above)) = (folder.read_link(), folder.parent())
            && above.parent().is_some()
            && let Ok(above) = above.canonicalize()
        {
            folders.push(above);
        }
        let Ok(target) = path.read_link() else { break };
        path = folder.join(target);
    }
    (folders, None)
}

fn nearest_existing(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find_map(|folder| folder.canonicalize().ok())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// A path for the files of a machine, at which there is nothing yet.
    fn machine(name: &str) -> PathBuf {
        let name = format!("recipelog-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A process that had this id may have been killed.
        let _ = fs::remove_dir_all(&path);
        path
    }

    /// systemd-resolved: resolv.conf is a link to a file that the service replaces.
    /// Another program: hosts is a link to a file in the same folder.
    #[test]
    fn root_may_read_the_targets_of_links_in_etc_and_no_other_file_there() {
        let machine = machine("sandbox");
        let (etc, target) = (machine.join("etc"), machine.join("run/resolve"));
        fs::create_dir_all(&etc).unwrap();
        fs::create_dir_all(&target).unwrap();
        fs::write(target.join("resolv.conf"), "").unwrap();
        fs::write(etc.join("hosts.1"), "").unwrap();
        fs::write(etc.join("services"), "").unwrap();
        symlink("../run/resolve/resolv.conf", etc.join("resolv.conf")).unwrap();
        symlink("hosts.1", etc.join("hosts")).unwrap();
        // gai.conf leads through a linked folder in etc to another link, whose target is
        // outside etc, in the folder above it.
        symlink("../run/resolve", etc.join("static")).unwrap();
        symlink("static/gai.conf", etc.join("gai.conf")).unwrap();
        symlink("../../gai.conf", target.join("gai.conf")).unwrap();
        let [mut of_root, mut of_others] = [Sandbox::default(), Sandbox::default()];
        of_root.look_up_names(&etc, Path::new("/run"), true);
        of_others.look_up_names(&etc, Path::new("/run"), false);
        let [etc, target] = [etc, target].map(|folder| folder.canonicalize().unwrap());
        fs::remove_dir_all(&machine).unwrap();

        let is_covered = |path: PathBuf| of_root.read.iter().any(|read| path.starts_with(read));
        assert!(is_covered(target.join("resolv.conf.new")));
        for name in RESOLVER_FILES {
            assert!(is_covered(etc.join(name)), "{name}");
        }
        assert!(!is_covered(etc.join("shadow")), "{:?}", of_root.read);
        assert!(of_others.read.contains(&etc));
        assert!(of_others.read.iter().all(|read| !etc.starts_with(read) || *read == etc));
    }

    /// systemd-resolved has not started yet: of the path /run/systemd/resolve, only /run/systemd
    /// exists. NetworkManager has not started yet: of /run/NetworkManager, only /run exists.
    #[test]
    fn targets_of_links_in_folders_that_are_created_after_the_start_may_be_read_below_run() {
        let machine = machine("sandbox-run");
        let (etc, run) = (machine.join("etc"), machine.join("run"));
        fs::create_dir_all(&etc).unwrap();
        fs::create_dir_all(run.join("systemd")).unwrap();
        symlink("../run/systemd/resolve/resolv.conf", etc.join("resolv.conf")).unwrap();
        symlink("../run/NetworkManager/hosts", etc.join("hosts")).unwrap();
        symlink("../var/services", etc.join("services")).unwrap();
        let mut sandbox = Sandbox::default();
        sandbox.look_up_names(&etc, &run, true);
        let [machine, run] = [machine, run].map(|folder| folder.canonicalize().unwrap());
        fs::remove_dir_all(&machine).unwrap();

        assert!(sandbox.read.contains(&run.join("systemd")), "{:?}", sandbox.read);
        assert!(sandbox.read.iter().all(|read| !run.starts_with(read)), "{:?}", sandbox.read);
    }
}
