// Installs the npm packages of folders, unless all that their lockfiles name for this platform are installed. The build
// script, the tests and the benchmarks use it. The caller holds the lock of these folders: flock(1), or File::lock in Rust.
//   flock ui/.lock node ui/install-packages.mjs FOLDER…

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

/** @type {any} The types of Node.js do not have what it reports. */
const { report } = process;
report.excludeNetwork = true;
const libc = report.getReport().header.glibcVersionRuntime ? "glibc" : "musl";

/**
 * On the command line, because variables and .npmrc files of the user could omit packages or lay them out in another way.
 * The user still decides registries, proxies, certificates and caches.
 */
const options = [
  // The tools of a build are development dependencies, which npm omits with NODE_ENV=production.
  "ci --include=dev --include=optional --include=peer --bin-links --ignore-scripts --install-strategy=hoisted",
  "--no-dry-run --no-package-lock-only --package-lock --before=null --min-release-age=0 --no-workspaces",
  "--location=project --no-global --no-global-style --no-legacy-bundling --no-link --no-legacy-peer-deps",
  `--no-strict-peer-deps --os=${process.platform} --cpu=${process.arch} --libc=${libc}`,
  // The lockfile names the contents, so cached packages need no question to the registry.
  "--prefer-offline --no-audit --no-fund --loglevel=error",
].flatMap((line) => line.split(" "));

for (const folder of process.argv.slice(2)) {
  if (isInstalled(folder)) continue;
  // npm writes this file when it is done. It removes packages first, and can be interrupted then.
  rmSync(installedLockfile(folder), { force: true });
  const { status, error } = spawnSync("npm", options, { cwd: folder, stdio: "inherit" });
  if (error) fail(`npm does not start: ${error.message}; install npm with Node.js`);
  if (status !== 0) fail(`npm did not install the packages of ${resolve(folder)}; its output is above`);
  // On a full disk, npm leaves packages out and succeeds.
  if (!isInstalled(folder)) fail(`npm left out packages of ${resolve(folder)}: is the disk full?`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function isInstalled(folder) {
  const wanted = packages(join(folder, "package-lock.json"));
  let installed = {};
  try {
    installed = packages(installedLockfile(folder));
  } catch {
    // It is missing or half written.
  }
  return Object.entries(wanted).every(
    ([path, { integrity, optional, os, cpu, libc: libcs }]) =>
      path === "" ||
      (optional && !(fits(os, process.platform) && fits(cpu, process.arch) && fits(libcs, libc))) ||
      (installed[path]?.integrity === integrity && existsSync(join(folder, path, "package.json"))),
  );
}

function installedLockfile(folder) {
  return join(folder, "node_modules/.package-lock.json");
}

function packages(lockfile) {
  return JSON.parse(readFileSync(lockfile, "utf8")).packages;
}

function fits(allowed, value) {
  return allowed === undefined || allowed.includes(value);
}
