// WIRE-22, PAGE-13, PAGE-36: policies that the browser enforces.

import type { Page } from "@playwright/test";
import { expect, test, testOnNewPage } from "./fixtures.ts";
import { UNKNOWN_PATH_ERROR } from "./page/browser-errors.ts";
import { ContactForm, neverHideToast } from "./page/contact-form.ts";
import { open } from "./page/hydration.ts";
import { PAGES } from "./site/specification.ts";

/** Actions of an injected script, each with the directive that blocks it. */
const ATTEMPTS: readonly {
  action: string;
  directive: string;
  attempt: (page: Page) => Promise<unknown>;
}[] = [
  {
    action: "a request by script",
    directive: "connect-src",
    attempt: (page) => page.evaluate(() => fetch("/").catch(() => "blocked")),
  },
  {
    action: "a form submission to a server",
    directive: "form-action",
    attempt: (page) =>
      page.evaluate(() => document.body.appendChild(document.createElement("form")).submit()),
  },
  {
    action: "a frame",
    directive: "frame-src",
    attempt: (page) =>
      page.evaluate(() => {
        document.body.appendChild(document.createElement("iframe")).src = "/terms";
      }),
  },
  {
    action: "a style attribute in markup",
    directive: "style-src-attr",
    attempt: (page) => page.evaluate(() => document.body.setAttribute("style", "color: red")),
  },
  {
    action: "an added style sheet",
    directive: "style-src-elem",
    attempt: (page) =>
      page.evaluate(() => {
        const style = document.createElement("style");
        style.textContent = "body { color: red }";
        document.head.append(style);
      }),
  },
  {
    action: "a picture from another origin",
    directive: "img-src",
    attempt: (page) =>
      page.evaluate(() => {
        document.createElement("img").src = "https://other.example/x.png";
      }),
  },
  {
    action: "another base URL",
    directive: "base-uri",
    attempt: (page) =>
      page.evaluate(() => {
        const base = document.createElement("base");
        base.href = "https://other.example/";
        document.head.append(base);
      }),
  },
  {
    action: "markup from a string",
    directive: "require-trusted-types-for",
    attempt: (page) =>
      page
        .evaluate(() => {
          document.body.innerHTML = "<b>injected</b>";
        })
        .catch(() => "blocked"),
  },
  {
    action: "a new Trusted Types policy",
    directive: "trusted-types",
    attempt: (page) =>
      page
        .evaluate(() => {
          const { trustedTypes } = window as unknown as {
            trustedTypes: { createPolicy(name: string, rules: object): void };
          };
          trustedTypes.createPolicy("own", {});
        })
        .catch(() => "blocked"),
  },
];

testOnNewPage.describe("the browser blocks", () => {
  for (const { action, directive, attempt } of ATTEMPTS) {
    testOnNewPage(action, async ({ page, browserErrors }) => {
      browserErrors.expect(/.*/);
      await open(page, "/");
      await attempt(page);
      await expect
        .poll(() => browserErrors.all)
        .toContainEqual(expect.stringContaining(`policy violation: ${directive} `));
    });
  }
});

testOnNewPage(
  "a complete visit leaves no cookie and no entry in any storage",
  async ({ page, context }) => {
    await open(page, "/");
    await neverHideToast(page);
    await page.getByRole("banner").getByRole("link", { name: "Privacy" }).click();
    await page.getByRole("link", { name: "Back to Home" }).click();
    await page.getByRole("link", { name: "Get in Touch" }).click();
    const contact = new ContactForm(page);
    await contact.send();
    await expect(contact.toast).toBeVisible();
    await page.goBack();
    await page.goForward();

    expect(await context.cookies()).toEqual([]);
    const stored = await page.evaluate(async () => ({
      cookie: document.cookie,
      local: localStorage.length,
      session: sessionStorage.length,
      databases: (await indexedDB.databases()).length,
      caches: (await caches.keys()).length,
      workers: (await navigator.serviceWorker.getRegistrations()).length,
    }));
    expect(stored).toEqual({
      cookie: "",
      local: 0,
      session: 0,
      databases: 0,
      caches: 0,
      workers: 0,
    });
  },
);

test("pages are cross-origin isolated", async ({ page }) => {
  await open(page, "/");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});

for (const path of PAGES) {
  test(`${path} contains no inline script but the start script, no style attribute and no javascript: URL`, async ({
    page,
    browserErrors,
  }) => {
    browserErrors.expect(UNKNOWN_PATH_ERROR);
    const response = await page.request.get(path, { headers: { Accept: "text/html" } });
    const html = await response.text();
    expect(html).not.toMatch(/\son[a-z]+\s*=\s*["']/i);
    expect(html).not.toMatch(/javascript:/i);
    expect(html).not.toMatch(/\sstyle\s*=\s*["']/i);
    const scripts = [...html.matchAll(/<script\b([^>]*)>/gi)].map((match) => match[1] ?? "");
    const inline = scripts.filter((attributes) => !/\ssrc=|application\/ld\+json/.test(attributes));
    expect(inline).toEqual([' type="module"']);
  });
}
