//! Builds the site that the executable carries: `ui/` through npm, Parcel and
//! the prerender, the defaults filled in, each file compressed. rust-embed
//! bakes the result, `OUT_DIR/site` and `OUT_DIR/templates`, into the library.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};
use template::{Syntax, Values};

#[path = "src/site/template.rs"]
mod template;

/// The oldest Node.js that Parcel and the prerender run on.
const NODE_MAJOR_MIN: u32 = 20;

/// A variant that saves less than this share is not worth a cache's second
/// copy (HTTP.md line 5).
const SAVING_PERCENT_MIN: usize = 5;

/// What the site is made of besides its dependencies; everything else below
/// `ui/` is made by a build.
const UI_GENERATED: [&str; 2] = ["node_modules", "dist"];

/// What `recipelog-site licenses` prints; `deploy/licenses.mjs` gathers it.
const LICENSES: &str = "deploy/third-party-licenses.txt";

/// A failure, said so that its reader knows what to do.
type Failure = String;

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            println!("cargo::error={failure}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Failure> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let (name, email) = default_settings(Path::new("ui/src/settings.json"))?;
    // An image is built without .git: see Dockerfile.
    let commit = env::var("RECIPELOG_COMMIT")
        .ok()
        .filter(|commit| !commit.is_empty())
        .or_else(|| git(&["rev-parse", "--short=12", "HEAD"]))
        .unwrap_or_else(|| "unknown".to_owned());
    let epoch = source_date_epoch()?;
    println!("cargo::rustc-env=RECIPELOG_APP_NAME={name}");
    println!("cargo::rustc-env=RECIPELOG_SUPPORT_EMAIL={email}");
    println!("cargo::rustc-env=RECIPELOG_COMMIT={commit}");
    println!("cargo::rustc-env=RECIPELOG_SOURCE_DATE_EPOCH={epoch}");
    println!("cargo::rustc-env=RECIPELOG_DATE={}", calendar_date(epoch));
    watch_sources();

    // The day is all of the date that ui/build.mjs looks at. With the build
    // itself in the fingerprint, a Rust file or another commit of the same day
    // leaves the site as it is.
    let prebuilt =
        env::var_os("RECIPELOG_SITE_DIR").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let sources = match &prebuilt {
        Some(folder) => check_prebuilt(folder)?,
        None => Path::new("ui"),
    };
    let day = epoch / 86_400;
    let mut fingerprint = Sha256::new();
    fingerprint.update(format!("{name}\0{email}\0{day}\0{}\0", prebuilt.is_some()));
    let licenses = read(Path::new(LICENSES))?;
    fingerprint.update(&licenses);
    fingerprint.update(include_bytes!("build.rs"));
    fingerprint.update(include_bytes!("src/site/template.rs"));
    for path in files_below(sources)? {
        fingerprint.update(path.to_string_lossy().as_bytes());
        fingerprint.update(Sha256::digest(read(&sources.join(&path))?));
    }
    let fingerprint = hexadecimal(&fingerprint.finalize());
    let stamp = out.join("site.fingerprint");
    if fs::read_to_string(&stamp).is_ok_and(|built| built == fingerprint) {
        return Ok(());
    }

    let plain = match prebuilt {
        Some(folder) => folder,
        None => build_ui(&out, epoch)?,
    };
    let values = Values { app_name: &name, support_email: &email, origin: None };
    bake(&plain, &out, values)?;
    write(&out.join("licenses.gz"), &gzip(&licenses)?)?;
    write(&stamp, fingerprint.as_bytes())
}

fn watch_sources() {
    println!("cargo::rerun-if-env-changed=RECIPELOG_SITE_DIR");
    println!("cargo::rerun-if-env-changed=RECIPELOG_COMMIT");
    println!("cargo::rerun-if-env-changed=SOURCE_DATE_EPOCH");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/site/template.rs");
    println!("cargo::rerun-if-changed={LICENSES}");
    if let Some(folder) = env::var_os("RECIPELOG_SITE_DIR").filter(|folder| !folder.is_empty()) {
        println!("cargo::rerun-if-changed={}", folder.to_string_lossy());
    }
    for entry in fs::read_dir("ui").into_iter().flatten().flatten() {
        if !UI_GENERATED.iter().any(|generated| entry.file_name() == *generated) {
            println!("cargo::rerun-if-changed={}", entry.path().display());
        }
    }
    // Each commit moves the date and the name that --version shows. Cargo takes
    // a missing file for a changed one.
    if let Some(log) =
        git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists())
    {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// The one place of the product's name and its support address.
fn default_settings(file: &Path) -> Result<(String, String), Failure> {
    let settings: serde_json::Value = serde_json::from_slice(&read(file)?)
        .map_err(|error| format!("{}: {error}", file.display()))?;
    let text = |key: &str| {
        settings[key]
            .as_str()
            .map(str::to_owned)
            .ok_or_else(|| format!("{}: the text \"{key}\" is missing", file.display()))
    };
    Ok((text("appName")?, text("supportEmail")?))
}

/// Seconds since 1970 that the site dates from: `SOURCE_DATE_EPOCH`, else the
/// commit's date, so that a commit gives the same bytes on every day, else now.
fn source_date_epoch() -> Result<u64, Failure> {
    if let Some(epoch) = env::var("SOURCE_DATE_EPOCH").ok().filter(|epoch| !epoch.is_empty()) {
        return epoch.parse().map_err(|_| {
            format!(
                "SOURCE_DATE_EPOCH is \"{epoch}\"; it takes seconds since 1970, for example \
                 1795046400"
            )
        });
    }
    let commit = git(&["log", "-1", "--format=%ct"]).and_then(|seconds| seconds.parse().ok());
    let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.as_secs());
    Ok(commit.unwrap_or_else(now))
}

/// The day of `epoch` in UTC: `20 Nov 2026`.
fn calendar_date(epoch: u64) -> String {
    // An IMF-fixdate is `Fri, 20 Nov 2026 12:21:53 GMT`.
    let date = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(epoch));
    date.split(' ').skip(1).take(3).collect::<Vec<_>>().join(" ")
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn check_prebuilt(folder: &Path) -> Result<&Path, Failure> {
    if folder.join("index.html").is_file() {
        return Ok(folder);
    }
    Err(format!(
        "RECIPELOG_SITE_DIR is {}, which has no index.html: name the folder that \
         `npm run build -- FOLDER` in ui/ wrote",
        folder.display()
    ))
}

/// Runs npm, Parcel and the prerender; returns the folder of plain files.
fn build_ui(out: &Path, epoch: u64) -> Result<PathBuf, Failure> {
    check_node()?;
    install_packages()?;
    let plain = out.join("ui");
    remove(&plain)?;
    let mut command = Command::new("node");
    command.args([OsStr::new("build.mjs"), plain.as_os_str(), OsStr::new("--cache")]);
    command.arg(out.join("parcel-cache")).env("SOURCE_DATE_EPOCH", epoch.to_string());
    run(command, "building ui/")?;
    Ok(plain)
}

fn check_node() -> Result<(), Failure> {
    let wanted = format!("building ui/ needs Node.js {NODE_MAJOR_MIN} or newer");
    let otherwise = "install it, or name a built site with RECIPELOG_SITE_DIR";
    let Ok(output) = Command::new("node").arg("--version").output() else {
        let path = env::var("PATH").unwrap_or_default();
        return Err(format!("{wanted}, and there is no `node` in PATH ({path}): {otherwise}"));
    };
    let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let major =
        version.trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    match major {
        Some(NODE_MAJOR_MIN..) => Ok(()),
        _ => Err(format!("{wanted}, and the `node` in PATH says {version:?}: {otherwise}")),
    }
}

/// `npm ci`, when the lockfile is another than the one that was installed.
fn install_packages() -> Result<(), Failure> {
    let lockfile = hexadecimal(&Sha256::digest(read(Path::new("ui/package-lock.json"))?));
    let stamp = Path::new("ui/node_modules/.recipelog-lockfile");
    if fs::read_to_string(stamp).is_ok_and(|installed| installed == lockfile) {
        return Ok(());
    }
    // On Windows npm is a script, which only its full name starts.
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    // The build's own tools are development dependencies, also where
    // NODE_ENV=production is set.
    command.args(["ci", "--include=dev", "--no-audit", "--no-fund"]);
    run(command, "installing ui/'s packages")?;
    write(stamp, lockfile.as_bytes())
}

/// Runs a step in `ui/`; where it fails, its own output is shown whole.
fn run(mut command: Command, step: &str) -> Result<(), Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    // Cargo's own variables would change what npm's packages see and build.
    let output = command
        .current_dir("ui")
        .env_remove("NODE_OPTIONS")
        .output()
        .map_err(|error| format!("{step}: `{program}` does not start: {error}"))?;
    let Output { status, stdout, stderr } = &output;
    if status.success() {
        return Ok(());
    }
    let mut console = std::io::stderr().lock();
    for text in [stdout, stderr] {
        // Nothing is left to do where even the console fails.
        let _ = console.write_all(text);
    }
    Err(format!("{step} failed: `{program}` ended with {status}; its output stands above"))
}

/// Turns the plain files into what is embedded: `site` with the defaults
/// filled in and each file's variants, `templates` with what has places.
fn bake(plain: &Path, out: &Path, defaults: Values<'_>) -> Result<(), Failure> {
    let (site, templates) = (out.join("site"), out.join("templates"));
    for folder in [&site, &templates] {
        remove(folder)?;
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    for path in files_below(plain)? {
        let mut content = read(&plain.join(&path))?;
        let rendered = Syntax::of(&path.to_string_lossy())
            .zip(std::str::from_utf8(&content).ok())
            .and_then(|(syntax, text)| template::render(text, syntax, defaults));
        if let Some(rendered) = rendered {
            write(&templates.join(&path), &content)?;
            // A file that says nothing without an origin is not there.
            if rendered.trim().is_empty() {
                continue;
            }
            content = rendered.into_bytes();
        }
        write(&site.join(&path), &content)?;
        for (suffix, compressed) in [(".br", brotli(&content)?), (".gz", gzip(&content)?)] {
            if compressed.len() * 100 <= content.len() * (100 - SAVING_PERCENT_MIN) {
                let mut name = site.join(&path).into_os_string();
                name.push(suffix);
                write(Path::new(&name), &compressed)?;
            }
        }
    }
    Ok(())
}

fn brotli(content: &[u8]) -> Result<Vec<u8>, Failure> {
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: content.len(),
        ..Default::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*content, &mut compressed, &parameters)
        .map_err(|error| format!("Brotli: {error}"))?;
    Ok(compressed)
}

fn gzip(content: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut compressed = Vec::new();
    zopfli::compress(zopfli::Options::default(), zopfli::Format::Gzip, content, &mut compressed)
        .map_err(|error| format!("zopfli: {error}"))?;
    Ok(compressed)
}

/// Every source file below `folder`, as sorted relative paths.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(relative) = folders.pop() {
        let here = folder.join(&relative);
        let entries =
            fs::read_dir(&here).map_err(|error| format!("{}: {error}", here.display()))?;
        for entry in entries {
            let entry = entry.map_err(|error| format!("{}: {error}", here.display()))?;
            let path = relative.join(entry.file_name());
            if !here.join(entry.file_name()).is_dir() {
                files.push(path);
            } else if !UI_GENERATED.iter().any(|generated| path == Path::new(generated)) {
                folders.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn variable(name: &str) -> Result<String, Failure> {
    env::var(name).map_err(|_| format!("{name} is not set: this file is run by Cargo"))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, content))
        .map_err(|error| format!("{}: {error}", path.display()))
}

fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{}: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}
