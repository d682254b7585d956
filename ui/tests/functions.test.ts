/** PAGE-1, PAGE-3, PAGE-9, PAGE-15, PAGE-23: functions without a page. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { longForm } from "../src/app/components/current-date";
import { emailProblem, tidyAddress } from "../src/app/components/email-address";
import { landing, routes, withoutAlias } from "../src/app/routes";
import { documentHead } from "../src/build/document-head";
import { redirects } from "../src/build/redirects";

test("the message about an address says what to do", () => {
  for (const [value, problem] of [
    ["", "Please add your email."],
    ["ada", "Write it as name@example.com."],
    ["ada@", "Add the part after the @."],
    ["@example.com", "Add the part before the @."],
    ["ada@@example.com", "Write it as name@example.com."],
    ["ada@example..com", "Write it as name@example.com."],
    ["ada\u00a0b@example.com", "Remove the space."],
    ["adä@example.com", "Check the “ä”."],
    ["a_da@exam_ple.com", "Check the “_” after the @."],
  ] as const) {
    assert.equal(emailProblem(value), problem, value);
  }
});

test("an address is tidied where its meaning is certain", () => {
  for (const value of [
    "ada@example.com",
    "ada@example.com.",
    "ada@example.com, ",
    "Ada Lovelace <ada@example.com>",
    "<ada@example.com>;",
    "mailto:ada@example.com",
    "mailto:ada@example.com?subject=Clips&cc=support@example.com",
    "\u202aada\uff20exam\u2060ple.com\u202c\u00a0",
  ]) {
    assert.equal(tidyAddress(value), "ada@example.com", value);
  }
  for (const unclear of ["ada", "ada lovelace@example.com", "a,b@example.com"]) {
    assert.equal(tidyAddress(unclear), unclear);
  }
});

test("a date is written in words", () => {
  assert.equal(longForm("2031-03-09"), "March 9, 2031");
  assert.equal(longForm("2027-12-31"), "December 31, 2027");
});

test("the owner's words are escaped in the head of a document", () => {
  const page = { ...landing, title: () => 'Tom & "Jerry"', description: () => '<b> & "c"' };
  const head = documentHead(page, "--color-saffron:#fff;--color-saffron:#000", "data:,");
  assert.match(head, /<title>Tom &amp; &quot;Jerry&quot;<\/title>/);
  assert.match(head, /<meta name="description" content="&lt;b> &amp; &quot;c&quot;">/);
});

test("each alias leads to its page, and any other path to itself", () => {
  for (const { path, aliases = [] } of routes) {
    for (const each of [path, ...aliases]) assert.equal(withoutAlias(each), path);
  }
  assert.equal(withoutAlias("/contact-us/more"), "/contact-us/more");
});

test("each page has redirects from its file and its aliases, and none that the owner writes", () => {
  const lines = redirects(["favicon.ico"]).trim().split("\n");
  assert.ok(lines.includes("/index.html / 301"));
  assert.ok(lines.includes("/privacy.html /privacy 301"));
  for (const { path, aliases = [] } of routes) {
    for (const alias of aliases) assert.ok(lines.includes(`${encodeURI(alias)} ${path} 301`), alias);
  }
  assert.equal(
    lines.length,
    routes.reduce((sum, { aliases = [] }) => sum + 1 + aliases.length, 0),
  );
});

test("an alias or a file that could never be served is refused", () => {
  for (const [name, problem] of [
    ["_redirects", /^ui\/public\/_redirects: write its rules as aliases in src\/app\/routes.ts/],
    ["contact-us", /is already the file ui\/public\/contact-us/],
    // The server would send the file, and a link the page of the app.
    ["Privacy.html", /^ui\/public\/Privacy.html: its address is that of the page \/privacy;/],
    ["terms/index.html", /that of the page \/terms;/],
    ["index.html", /that of the page \/;/],
    ["404.html", /that of the page \/404;/],
  ] as const) {
    assert.throws(() => redirects([name]), { message: problem }, name);
  }
  const contact = routes.find(({ path }) => path === "/contact") as { aliases: readonly string[] };
  for (const [alias, problem] of [
    ["/CONTACT-US/", /^ui\/src\/app\/routes.ts: the alias "\/CONTACT-US\/" of \/contact is already an alias of/],
    ["/Terms.html/", /is already the page \/terms:/],
    ["/icon.svg", /is already the file ui\/public\/icon.svg:/],
    ["/help?page=1", /expected a path, such as \/privacy-policy/],
  ] as const) {
    const aliases = contact.aliases;
    contact.aliases = [...aliases, alias];
    assert.throws(() => redirects(["icon.svg"]), { message: problem }, alias);
    contact.aliases = aliases;
  }
});

test("the development server sends the header fields of the executable's documents", () => {
  const fields = new Map<string, string>();
  const response = { setHeaders: (sent: typeof fields) => sent.forEach((value, name) => void fields.set(name, value)) };
  const addHandler = createRequire(import.meta.url)("../.proxyrc.cjs");
  addHandler({ use: (handler: (...parts: unknown[]) => void) => handler({}, response, () => {}) });
  const policy = fields.get("Content-Security-Policy") ?? "";
  for (const part of ["default-src 'none'", "'unsafe-inline' 'unsafe-eval'", "'self' ws:", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(part), policy);
  }
  assert.doesNotMatch(policy, /trusted-types|[{}#\n]/);
  assert.match(fields.get("Permissions-Policy") ?? "", /^accelerometer=\(\), .*, xr-spatial-tracking=\(\)$/);
});
