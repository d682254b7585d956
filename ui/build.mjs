// Builds the site: Parcel bundles the scripts, the styles and the pictures, then each route is prerendered.
//   flock .lock node build.mjs [OUT] [--cache DIR]
// The caller holds the lock, because all builds use the same folders.

import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const ui = dirname(fileURLToPath(import.meta.url));
const publicFolder = join(ui, "public");

const { positionals, values } = commandLine();
const out = resolve(positionals[0] ?? join(ui, "dist"));
const cache = resolve(values.cache ?? join(ui, "node_modules/.cache/build"));

/**
 * Parcel's hashes depend on the path from the project to its output folder. All builds use the same folder, so the
 * hashes do not depend on OUT.
 */
const parcelOut = join(ui, "node_modules/.cache/parcel-out");

const buildDate = dateOfBuild();
if (!isReplaceable(out)) {
  fail(`${out} is neither empty nor the output of an earlier build: remove it, or name another folder`);
}
// Other variables of a developer's machine, such as BROWSERSLIST_ENV, change what Parcel, React and libraries do.
process.env = { PATH: process.env.PATH, NODE_ENV: "production" };
// The message of a system call, such as one on a full disk, says all that a trace would say, and so does one about a file
// of the owner.
const status = await build().catch((error) =>
  error.syscall || error.isMistake ? fail(error.message) : Promise.reject(error),
);
// On a full disk, it prints no reason.
if (status !== 0) fail(`Parcel ended with status ${status}; its reason is above, unless the disk is full`);

function commandLine() {
  try {
    const parsed = parseArgs({ allowPositionals: true, options: { cache: { type: "string" } } });
    if (parsed.positionals.length > 1) throw new Error(`Unexpected argument '${parsed.positionals[1]}'`);
    return parsed;
  } catch (error) {
    // Some messages of Node.js have several lines.
    fail(`${error.message.replaceAll("\n", " ")}; usage: node build.mjs [OUT] [--cache DIR]`, 2);
  }
}

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}

/** YYYY-MM-DD. Without the time of day, all builds of a day are the same. */
function dateOfBuild() {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  // The year 10000 has a digit more.
  if (epoch && !(/^\d+$/.test(epoch) && Number(epoch) < 253_402_300_800)) {
    fail(`SOURCE_DATE_EPOCH is "${epoch}"; set it to seconds since 1970, for example 1795046400`);
  }
  return new Date(epoch ? Number(epoch) * 1000 : Date.now()).toISOString().slice(0, 10);
}

/** Whether the build may remove a folder: it does not exist, is empty, or has a document that the build wrote. */
function isReplaceable(folder) {
  try {
    if (readdirSync(folder).length === 0) return true;
    return readFileSync(join(folder, "index.html"), "utf8").includes(" data-built=");
  } catch {
    return !existsSync(folder);
  }
}

/** Returns the exit code of Parcel. */
async function build() {
  rmSync(parcelOut, { recursive: true, force: true });
  const status = bundle();
  if (status !== 0) return status;
  const site = join(parcelOut, "site");
  const files = await prerender(rootStyleUrls(readFileSync(join(site, "index.html"), "utf8")));

  rmSync(out, { recursive: true, force: true });
  for (const [name, text] of withShortProperties(files)) write(name, text);
  for (const name of readdirSync(site)) {
    if (name !== "index.html") cpSync(join(site, name), join(out, name));
  }
  // Browsers and crawlers request these files by fixed names, so the names have no hash.
  cpSync(publicFolder, out, { recursive: true, filter: (path) => !isLeftover(path) });
  checkUrls(files);
  return status;
}

/** Whether a desktop has left a file behind, such as macOS and Windows do. */
function isLeftover(path) {
  return /(^|\/)(\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)$/i.test(path);
}

/** Fails the build, with one line, if a document has the URL of a file that is not there. */
function checkUrls(files) {
  const pages = new Set(files.get("_redirects").split(/\s/));
  for (const [name, html] of files) {
    if (!name.endsWith(".html")) continue;
    const values = [...html.matchAll(/ (?:src|srcset|href|poster)="(\/[^"]*)"/gi)].flatMap(([, value]) =>
      value.split(", "),
    );
    for (const path of values.map((value) => decodeURI(value.split(/[\s?#]/)[0]))) {
      if (pages.has(path) || existsSync(join(out, path))) continue;
      fail(`the page ${name}: there is no file ${path}; add it to ui/public, or correct the address`);
    }
  }
}

/** Returns the exit code of Parcel. */
function bundle() {
  const parcel = createRequire(import.meta.url).resolve("parcel/lib/bin.js");
  // If Parcel read its cache, it would not write the removed output again. With --no-cache, it only writes the cache.
  const options = ["--no-source-maps", "--no-autoinstall", "--no-cache", "--cache-dir", cache, "--dist-dir", parcelOut];
  const { status, error } = spawnSync(process.execPath, [parcel, "build", ...options], { cwd: ui, stdio: "inherit" });
  if (error) throw error;
  return status;
}

/**
 * Parcel writes relative URLs into inline styles, whatever its publicUrl is. They become absolute, because the server
 * sends 404.html for paths in any folder.
 */
function rootStyleUrls(html) {
  return html.replace(/<style>.*?<\/style>/s, (style) => style.replace(/url\((?=[\w-])/g, "url(/"));
}

/**
 * Gives the custom properties of the inline styles names of one or two signs: a page in gzip is 0.5 kB smaller
 * (PAGE-35). Properties that the markup names, too, keep theirs, because the script writes that markup.
 */
function withShortProperties(files) {
  const property = /--[a-z][\w-]*/g;
  const style = /(?<=<style>).*?(?=<\/style>)/s;
  const documents = [...files].filter(([name]) => name.endsWith(".html")).map(([, text]) => text);
  const kept = documents.flatMap((text) => text.replace(style, "").match(/(?<=var\()--[\w-]+/g) ?? []);
  const names = new Set(documents[0].match(style)[0].match(property));
  const renamed = [...names].filter((name) => !kept.includes(name));
  const short = (name) => (renamed.includes(name) ? `--${renamed.indexOf(name).toString(36)}` : name);
  return [...files].map(([name, text]) => [name, text.replace(style, (css) => css.replace(property, short))]);
}

/** Runs the bundle of src/build/prerender.tsx, which imports React from ui/node_modules. */
async function prerender(shell) {
  // Node.js recognizes an ES module by the extension.
  const module = join(parcelOut, "prerender/prerender.mjs");
  renameSync(join(parcelOut, "prerender/prerender.js"), module);
  const { prerenderSite } = await import(pathToFileURL(module).href);
  const icon = readFileSync(join(publicFolder, "icon.svg"), "utf8");
  const names = readdirSync(publicFolder, { recursive: true, encoding: "utf8" });
  const fixedNames = names.filter((name) => !isLeftover(name) && statSync(join(publicFolder, name)).isFile());
  return prerenderSite(shell, buildDate, icon, fixedNames);
}

function write(name, text) {
  mkdirSync(dirname(join(out, name)), { recursive: true });
  writeFileSync(join(out, name), text);
}
