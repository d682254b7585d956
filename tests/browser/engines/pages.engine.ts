// The promises that depend on the engine of the browser, in Firefox and WebKit.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PROMISES } from "../promises.ts";
import { LEGAL_PAGES } from "../site/specification.ts";
import { expect, test } from "./session.ts";

test.beforeEach(({ session }) => session.resize(1000, 800));

for (const [name, prove] of Object.entries(PROMISES))
  test(name, async ({ session }) => prove(session));

test("the reader view of a legal page has its title and its sections (PAGE-6)", async ({
  session,
}) => {
  // The algorithm of Firefox; its own view cannot be opened by WebDriver.
  const file = createRequire(import.meta.url).resolve("@mozilla/readability/Readability.js");
  const script = `${readFileSync(file, "utf8")}; return new Readability(document.cloneNode(true)).parse();`;
  for (const path of LEGAL_PAGES) {
    await session.open(path);
    const article = await session.driver.executeScript<{ title: string; textContent: string }>(
      script,
    );
    expect(article.title).toContain(
      await session.run(() => document.querySelector("h1")?.textContent),
    );
    expect(article.textContent).not.toContain("#");
    const paragraphs = () =>
      [...document.querySelectorAll("section :is(h2, p)")].map((part) => part.textContent);
    for (const text of await session.run(paragraphs)) expect(article.textContent).toContain(text);
  }
});
