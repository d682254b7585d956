import { type RoutedPage, routes } from "../app/routes";

/** A path without a route: the router shows the not-found page. Its document is the server's answer to such paths. */
export const notFoundPath = "/404";

/** The name of the file of a page. */
export function documentFile(path: string): string {
  return path === "/" ? "index.html" : `${path.slice(1)}.html`;
}

/**
 * The redirects to each page, from its file and from its aliases, in the format of Netlify and Cloudflare Pages. The server
 * reads them too. Both services redirect a slash at the end by themselves; on one of them, a rule for it would cause a loop.
 * 301 is the permanent redirect that both support. `fixedNames` are the files of `ui/public`.
 */
export function redirects(fixedNames: readonly string[]): string {
  if (fixedNames.includes("_redirects")) fail("ui/public/_redirects: write its rules as aliases in src/app/routes.ts");
  const taken = new Map(fixedNames.map((name) => [`/${name.toLowerCase()}`, `the file ui/public/${name}`]));
  for (const path of [...routes.map((page) => page.path), notFoundPath]) {
    const name = fixedNames.find((name) => spelling(`/${name}`) === spelling(path));
    if (name)
      fail(`ui/public/${name}: its address is that of the page ${path}; rename it, or change the page in src/app`);
    taken.set(spelling(path), `the page ${path}`);
  }
  for (const page of routes) for (const alias of page.aliases ?? []) check(alias, page, taken);
  const lines = routes.flatMap(({ path, aliases = [] }) =>
    [`/${documentFile(path)}`, ...aliases].map((from) => `${encodeURI(from)} ${encodeURI(path)} 301\n`),
  );
  return lines.join("");
}

/** Fails the build, with one line, if the server could never redirect `alias`. */
function check(alias: string, page: RoutedPage, taken: Map<string, string>): void {
  const subject = `ui/src/app/routes.ts: the alias "${alias}" of ${page.path}`;
  // In the list of redirects, a colon and an asterisk stand for several paths.
  if (!/^(\/[^/?#%:*\s]+)+\/?$/.test(alias)) fail(`${subject}: expected a path, such as /privacy-policy`);
  const owner = taken.get(spelling(alias)) ?? taken.get(alias.toLowerCase());
  if (owner) fail(`${subject} is already ${owner}: remove one of them`);
  taken.set(spelling(alias), `an alias of ${page.path}`);
}

/** The build prints the message of a mistake of the owner without a trace. */
function fail(message: string): never {
  throw Object.assign(new Error(message), { isMistake: true });
}

/** What all spellings of a path have in common, for the server too (`src/site/table.rs`). */
function spelling(path: string): string {
  return path
    .toLowerCase()
    .replace(/\/$/, "")
    .replace(/\.html$/, "")
    .replace(/\/index$/, "");
}
