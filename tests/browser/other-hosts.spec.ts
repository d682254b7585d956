// PAGE-13, PAGE-18, PAGE-19, PAGE-26, WIRE-22, WIRE-37: the site on plain hosts, behind proxies, and after another site.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, request as forward, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BrowserContext } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { expectTexts } from "./page/contents.ts";
import { open, waitForHydration } from "./page/loading.ts";
import { executable } from "./site/executable.ts";
import { PAGES, ROUTES, SUPPORT_EMAIL, UNKNOWN_PATH } from "./site/specification.ts";

// The hosts of these tests are not the one of the fixtures.
test.beforeEach(({ browserErrors }) => browserErrors.expect(/request to another origin/));

const HOST = "https://host.example";

/** Exports the site to a host that sends the files without our header fields, also below /mirror, and changes documents. */
async function exportTo(context: BrowserContext, change = (html: string) => html): Promise<void> {
  const folder = test.info().outputPath("export");
  await promisify(execFile)(executable, ["export", folder]);
  await context.route(`${HOST}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const path = join(folder, pathname.replace(/^\/mirror/, "").replace(/\/$/, "/index.html"));
    if (!existsSync(path)) return route.fulfill({ status: 404 });
    if (!path.endsWith(".html")) return route.fulfill({ path });
    const html = await readFile(path, "utf8");
    return route.fulfill({ contentType: "text/html", body: change(html) });
  });
}

/** Makes links relative, as `wget --convert-links` does. */
function relative(html: string): string {
  const pages = new Map<string, string>(ROUTES.map((path) => [path, `${path}.html`]));
  const file = (path: string) => (path === "/" ? "index.html" : (pages.get(path) ?? path).slice(1));
  return html.replace(/(href|src)="(\/[^"]*)"/g, (_, name, path) => `${name}="${file(path)}"`);
}

for (const [place, address, next, change] of [
  ["a plain host", "/contact.html", "/privacy", undefined],
  ["a host that adds a slash", "/contact/", "/privacy", undefined],
  ["a mirror in a folder", "/mirror/contact.html", "/mirror/privacy.html", relative],
] as const) {
  test(`on ${place}, a document stays its page, and its links work`, async ({
    page,
    context,
    browserErrors,
  }) => {
    // The style sheet of a mirror looks for the font at the root of the host.
    browserErrors.expect(/status of 404|was preloaded/);
    await exportTo(context, change);
    await open(page, `${HOST}${address}`);
    await expect(page.locator("form")).toBeVisible();
    const links = page.getByRole("banner").getByRole("navigation").getByRole("link");
    await expect(links.first()).toHaveAttribute("aria-current", "page");
    await links.last().click();
    await expect(page).toHaveURL(`${HOST}${next}`);
    await waitForHydration(page);
    await expect(page.locator("article")).toBeVisible();
  });
}

test("without the redirects, the 404 page at an alias stays what it is", async ({
  page,
  browserErrors,
}) => {
  browserErrors.expect(/contact-us|status of 404/);
  await page.route("**/contact-us", async (route) => {
    await route.fulfill({
      response: await route.fetch({ url: new URL(UNKNOWN_PATH, page.url()).href }),
    });
  });
  await page.goto("/");
  await page.goto("/contact-us");
  await waitForHydration(page);
  await expectTexts(page, "not-found");
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await page.locator("main a").click();
  await expect(page.locator(".hero")).toBeVisible();
  expect(await page.evaluate(() => "isSameDocument" in window)).toBe(true);
});

/** Changes the start script, whose hash is in the policy, so that it has no effect elsewhere either. */
const changeScript = (html: string) => html.replace('<script type="module">', "$&throw 0;");

for (const place of ["an export without header fields", "the server"]) {
  test(`a form whose script a proxy has changed on ${place} says that it does not work`, async ({
    page,
    context,
    contact,
    browserErrors,
  }) => {
    browserErrors.expect(/policy|uncaught 0/i);
    await exportTo(context, changeScript);
    await page.route("**/contact", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: changeScript(await response.text()) });
    });
    await page.goto(place === "the server" ? "/contact" : `${HOST}/contact.html`);
    await contact.fill();
    const address = page.url();
    await contact.submit.click();
    const notice = contact.form.locator(".form-notice");
    await expect(notice).toHaveCSS("animation-duration", "3s");
    // The style sheet writes it, because the document has no such text for programs without script (PAGE-20).
    const shown = () => notice.evaluate((element) => getComputedStyle(element, "::after").content);
    expect(await shown()).toContain(SUPPORT_EMAIL);
    await contact.expectValues();
    expect(page.url()).toBe(address);
    // A submission by another script or an extension has no data either.
    const data = contact.form.evaluate((form: HTMLFormElement) => [...new FormData(form)]);
    expect(await data).toEqual([]);
  });
}

test("a local name gets no field that the browser reports", async ({ page, baseURL }) => {
  const { port } = new URL(baseURL ?? "");
  for (const path of PAGES) await open(page, `http://kitchen.test:${port}${path}`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
});

/** A site with a service worker that sends its pages from a cache for ever. */
const formerSite: RequestListener = ({ url }, response) => {
  const isWorker = url === "/js/worker.js";
  response.setHeader("Content-Type", isWorker ? "text/javascript" : "text/html");
  response.setHeader("Service-Worker-Allowed", "/");
  response.end(
    isWorker
      ? `addEventListener("install", (event) => event.waitUntil(
           caches.open("former").then((cache) => cache.add("/")).then(() => skipWaiting())));
         addEventListener("activate", (event) => event.waitUntil(clients.claim()));
         addEventListener("fetch", (event) => event.respondWith(
           caches.match("/").then((page) => page ?? fetch(event.request))));`
      : `<h1>Former site</h1>
         <script>navigator.serviceWorker.register("/js/worker.js", { scope: "/" })</script>`,
  );
};

/** Forwards requests to the site, and sends its responses. */
const proxy =
  (site = ""): RequestListener =>
  (request, response) => {
    const { method = "GET", url = "/", headers } = request;
    const forwarded = forward(new URL(url, site), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  };

test("the service worker of a former site ends", async ({ page, baseURL }) => {
  // Playwright's routes do not reach a service worker.
  let listener = formerSite;
  const server = createServer((request, response) => listener(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await page.goto(host);
  await page.evaluate(() => navigator.serviceWorker.ready);
  listener = proxy(baseURL);
  await page.goto(host);
  await expect(page.locator(".hero")).toBeVisible();
  const left = () =>
    page.evaluate(async () => [
      ...(await caches.keys()),
      ...(await navigator.serviceWorker.getRegistrations()),
    ]);
  await expect.poll(left).toEqual([]);
  // The page's scripts may not meet the end of the server.
  await waitForHydration(page);
  server.closeAllConnections();
  server.close();
});
