// PAGE-36: valid HTML, without code in attributes.

import { expect, test } from "@playwright/test";
import { HtmlValidate } from "html-validate";
import { PAGES } from "./site/specification.ts";

const checker = new HtmlValidate({
  root: true,
  extends: ["html-validate:recommended", "html-validate:document"],
  rules: {
    // All scripts have the same origin as the page.
    "require-sri": ["error", { target: "crossorigin" }],
    // Rules of style: React and Parcel write other forms of the same markup.
    "attr-case": "off",
    "attribute-boolean-style": "off",
    "attribute-empty-style": "off",
    "no-trailing-whitespace": "off",
    "void-style": "off",
  },
});

// With an origin, a document has all its elements.
test("pages are valid, without code in attributes", { tag: "@origin" }, async ({ request }) => {
  for (const path of PAGES) {
    const page = await request.get(path, { headers: { Accept: "text/html" } });
    const html = await page.text();
    expect.soft(html, path).not.toMatch(/\s(on[a-z]+|style)\s*=\s*["']|javascript:/i);
    const scripts = [...html.matchAll(/<script\b([^>]*)>/gi)].map((match) => match[1] ?? "");
    const inline = scripts.filter((script) => !/\ssrc=|application\/ld\+json/.test(script));
    expect.soft(inline, path).toEqual([' type="module"']);
    const { results } = await checker.validateString(html);
    const problems = results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
    );
    expect.soft(problems, path).toEqual([]);
  }
});
