// Prints a bill of materials of the executable in CycloneDX format: the crates and the C library
// that are linked with it, and the procedural macros that wrote parts of it. `deploy/sbom` calls it
// in the folder of Cargo.toml.
//   deploy/with-release-flags node deploy/crates-sbom.mjs [FILE]
// With FILE, the release file, it also has the hash of this file.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const [file] = process.argv.slice(2);
const { CARGO_BUILD_TARGET: target, GLIBC_VERSION: glibcVersion } = process.env;
const cargo = (...options) => execFileSync("cargo", options, { encoding: "utf8", maxBuffer: 2 ** 28 });
const metadata = JSON.parse(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", target));
const packages = new Map(metadata.packages.map((crate) => [reference(crate), crate]));
const lockfile = readFileSync("Cargo.lock", "utf8");

const dependencies = dependenciesOfTree();
const [root, ...crates] = [...dependencies.keys()].map((crate) => packages.get(crate));
crates.sort((a, b) => (reference(a) < reference(b) ? -1 : 1));

// The licence covers the parts that are linked.
const glibc = {
  type: "library",
  "bom-ref": `pkg:generic/glibc@${glibcVersion}`,
  name: "glibc",
  version: glibcVersion,
  scope: "required",
  licenses: [{ license: { id: "LGPL-2.1-or-later" } }],
  purl: `pkg:generic/glibc@${glibcVersion}`,
};

const bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: {
    component: { ...component(root), type: "application", hashes: file ? [sha256(readFileSync(file))] : undefined },
    properties: [{ name: "cdx:rustc:sbom:target:triple", value: target }],
  },
  components: [...crates.map((crate) => ({ ...component(crate), hashes: hashes(crate) })), glibc],
  dependencies: [root, ...crates].map((crate) => ({
    ref: reference(crate),
    dependsOn: [...dependencies.get(reference(crate)), ...(crate === root ? [glibc.purl] : [])].sort(),
  })),
};
console.log(JSON.stringify(bom, null, 2));

/**
 * The references of the crates, each with its dependencies; the executable comes first. `cargo metadata` cannot tell,
 * because it also reports optional dependencies that only tests or other members of the workspace enable.
 * cargo-cyclonedx reads it too, and lists ten crates that are not in the executable.
 */
function dependenciesOfTree() {
  const tree = cargo(
    ...["tree", "--locked", "--edges", "normal", "--target", target],
    ...["--prefix", "depth", "--format", " {p}"],
  );
  const dependencies = new Map();
  // The crate of the current line and those above it, by depth.
  const path = [];
  for (const line of tree.trimEnd().split("\n")) {
    const [depth, name, version] = line.split(" ");
    const crate = reference({ name, version: version.slice(1) });
    path[depth] = crate;
    if (!dependencies.has(crate)) dependencies.set(crate, new Set());
    dependencies.get(path[Number(depth) - 1])?.add(crate);
  }
  return dependencies;
}

function component(crate) {
  const references = {
    documentation: crate.documentation,
    website: crate.homepage,
    other: crate.links,
    vcs: crate.repository,
  };
  return {
    type: "library",
    "bom-ref": reference(crate),
    author: crate.authors.join(", ") || undefined,
    name: crate.name,
    version: crate.version,
    description: crate.description?.trim().replaceAll("\n", " "),
    scope: "required",
    licenses: [{ expression: crate.license.replaceAll("/", " OR ") }],
    purl: reference(crate),
    externalReferences: Object.entries(references).flatMap(([type, url]) => (url ? [{ type, url }] : [])),
  };
}

function reference({ name, version }) {
  return `pkg:cargo/${name}@${version}`;
}

function sha256(bytes) {
  return { alg: "SHA-256", content: createHash("sha256").update(bytes).digest("hex") };
}

/** The SHA-256 of the file in the registry. */
function hashes({ name, version }) {
  const entry = lockfile.split("\n\n").find((text) => text.includes(`\nname = "${name}"\nversion = "${version}"\n`));
  return [{ alg: "SHA-256", content: /^checksum = "(.*)"$/m.exec(entry)[1] }];
}
