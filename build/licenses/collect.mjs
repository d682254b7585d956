// Prints the licences of all third-party work in the executable: the crates on
// any platform, the npm packages in the scripts of the site, and the font. With FILE, writes
// them to it, which a failure leaves unchanged. cargo-about would do this for the crates alone.
//   node build/licenses/collect.mjs [FILE]

import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
/** Licence texts of works that come without one. */
const texts = "build/licenses/texts";

/** Packages that are not in `dependencies`: the loader that Parcel adds to the scripts. */
const addedByParcel = ["@parcel/packager-js", "@parcel/runtime-js", "@swc/helpers"];
/** Dependencies that build the site and are not part of it. */
const buildTools = ["parcel"];

/** Preferred if a work offers several licences: their only condition is that the text is included. */
const preferred = ["MIT", "Unlicense", "BSD-3-Clause", "Apache-2.0"];

const [file, ...others] = process.argv.slice(2);
if (file?.startsWith("-") || others.length > 0) {
  console.error("usage: node build/licenses/collect.mjs [FILE]");
  process.exit(2);
}
if (!installsNpmPackages()) process.exit(1);

const byText = new Map();
for (const work of [...crates(), ...npmPackages(), ...otherWorks()]) {
  const text = work.text.replace(/\r\n/g, "\n").replace(/^\n+|\s+$/g, "");
  byText.set(text, [...(byText.get(text) ?? []), `${work.name} ${work.version}`.trim()]);
}

const rule = "=".repeat(80);
let list = "This executable contains the work of others, under these licences.\n";
const sections = [...byText].map(([text, names]) => [names.sort().join("\n"), text]);
for (const [names, text] of sections.sort(([a], [b]) => (a < b ? -1 : 1))) {
  list += `\n${rule}\n${names}\n${rule}\n\n${text}\n`;
}
if (file === undefined) process.stdout.write(list);
else writeFileSync(file, list);

/** Returns whether ui/ has its packages. What npm prints does not get between the licences. */
function installsNpmPackages() {
  /** @type {import("node:child_process").SpawnSyncOptions} */
  const options = { cwd: root, stdio: ["ignore", 2, 2] };
  return spawnSync("flock", ["ui/.lock", process.execPath, "ui/install-packages.mjs", "ui"], options).status === 0;
}

function crates() {
  const cargo = (...options) => execFileSync("cargo", options, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  const tree = cargo(
    ...["tree", "--locked", "--edges", "normal,no-proc-macro", "--target", "all"],
    ...["--prefix", "none", "--format", "{p}"],
  );
  const linked = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages } = JSON.parse(cargo("metadata", "--locked", "--format-version", "1"));
  return packages
    .filter(({ name, version, source }) => source && linked.has(`${name} v${version}`))
    .flatMap(({ name, version, license, authors, manifest_path }) =>
      work(name, version, license, dirname(manifest_path), authors),
    );
}

function npmPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "ui/package-lock.json"), "utf8"));
  const names = Object.keys(packages[""].dependencies).filter((name) => !buildTools.includes(name));
  const bundled = new Set();
  for (const name of names) {
    if (bundled.has(name)) continue;
    bundled.add(name);
    // The loop also visits these added entries, the indirect dependencies.
    names.push(...Object.keys(packages[`node_modules/${name}`].dependencies ?? {}));
  }
  return [...bundled, ...addedByParcel].flatMap((name) => {
    const { version, license } = packages[`node_modules/${name}`];
    return work(name, version, license, join(root, "ui/node_modules", name), []);
  });
}

function otherWorks() {
  const text = (path) => readFileSync(join(root, path), "utf8");
  return [
    { name: "Young Serif, the face of the titles", version: "", text: text("ui/src/art/young-serif.OFL.txt") },
    // The text has the copyright lines of the crates in it that `cargo tree` does not show. Its other
    // crates, such as hashbrown, are also crates of the executable.
    { name: "Rust's standard library", version: "", text: text(`${texts}/rust.txt`) },
    { name: "The GNU C Library, in the static Linux files", version: "", text: text(`${texts}/glibc.txt`) },
  ];
}

/** One entry for each licence text that has to be included. */
function work(name, version, expression, folder, authors) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|copyright|notice|unlicense)/i.test(file));
  const chosen = choose(expression);
  const texts = chosen.flatMap((license) => {
    const [word] = license.split("-");
    const named = files.filter((file) => file.toUpperCase().includes(word.toUpperCase()));
    const plain = files.filter((file) => /^licen[cs]e(\.(md|txt))?$/i.test(file));
    if (named.length > 0) return named;
    // Where several licences apply, the plain file may only state which part has which licence.
    return chosen.length > 1 && plain.length > 0 ? files : plain;
  });
  // Notices and separate copyright lines are always included.
  const notices = files.filter((file) => /^(notice|copyright)/i.test(file));
  const found = [...new Set([...texts, ...notices])].map((file) => readFileSync(join(folder, file), "utf8"));
  if (texts.length === 0) found.push(...chosen.map((license) => standardText(license, name, authors)));
  return found.map((text) => ({ name, version, text }));
}

/** The licences that apply under an expression such as `(MIT OR Apache-2.0) AND X`. */
function choose(expression) {
  return expression.split(" AND ").map((choice) => {
    const offered = choice.replace(/[()]/g, "").split(/ OR |\//);
    const license = preferred.find((candidate) => offered.includes(candidate)) ?? offered[0];
    return license.trim();
  });
}

/** The text of a licence, for works that name it without including its text. */
function standardText(license, name, authors) {
  try {
    const text = readFileSync(join(root, texts, `${license}.txt`), "utf8");
    return text.replace("{authors}", authors.join(", ") || `the authors of ${name}`);
  } catch {
    throw new Error(`${name} has the licence ${license} and includes no text: add ${texts}/${license}.txt`);
  }
}
