// PAGE-13, PAGE-18, PAGE-19, WIRE-37: the site on plain hosts, and after another site.

import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createProxy } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import type { BrowserContext } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { open, waitForHydration } from "./page/loading.ts";
import { executable } from "./site/executable.ts";
import { SUPPORT_EMAIL } from "./site/specification.ts";

// The hosts of these tests are not the one of the fixtures.
test.beforeEach(({ browserErrors }) => browserErrors.expect(/request to another origin/));

const HOST = "https://host.example";

/** Exports the site to a host that sends the files without our header fields, and changes documents. */
async function exportTo(context: BrowserContext, change = (html: string) => html): Promise<void> {
  const folder = test.info().outputPath("export");
  await promisify(execFile)(executable, ["export", folder]);
  await context.route(`${HOST}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const path = join(folder, pathname);
    if (!existsSync(path)) return route.fulfill({ status: 404 });
    if (!path.endsWith(".html")) return route.fulfill({ path });
    const html = await readFile(path, "utf8");
    return route.fulfill({ contentType: "text/html", body: change(html) });
  });
}

test("on a plain host, a document stays its page, and its links work", async ({
  page,
  context,
}) => {
  await exportTo(context);
  await open(page, `${HOST}/contact.html`);
  await expect(page.locator("form")).toBeVisible();
  const links = page.getByRole("banner").getByRole("navigation").getByRole("link");
  await expect(links.first()).toHaveAttribute("aria-current", "page");
  await links.last().click();
  await expect(page).toHaveURL(`${HOST}/privacy`);
  await expect(page.locator("article")).toBeVisible();
});

test("a form whose script a proxy has changed says that it does not work", async ({
  page,
  context,
  contact,
  browserErrors,
}) => {
  browserErrors.expect(/uncaught 0/);
  // Where no header field says that a changed script must not run.
  await exportTo(context, (html) => html.replace('<script type="module">', "$&throw 0;"));
  const address = `${HOST}/contact.html`;
  await page.goto(address);
  await contact.fill();
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

/** A site with a service worker that answers every request itself. */
const formerSite: RequestListener = ({ url }, response) => {
  const isWorker = url === "/js/worker.js";
  response.setHeader("Content-Type", isWorker ? "text/javascript" : "text/html");
  response.setHeader("Service-Worker-Allowed", "/");
  response.end(
    isWorker
      ? `addEventListener("install", (event) => event.waitUntil(caches.open("former")));
         addEventListener("activate", (event) => event.waitUntil(clients.claim()));
         addEventListener("fetch", (event) => event.respondWith(new Response("Former site")));`
      : `<script>navigator.serviceWorker.register("/js/worker.js", { scope: "/" })</script>`,
  );
};

test("the service worker of a former site ends", async ({ page, baseURL }) => {
  // Playwright's routes do not reach a service worker.
  const former = createServer(formerSite);
  await once(former.listen(0, "127.0.0.1"), "listening");
  const { port } = former.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}`;
  await page.goto(address);
  await page.evaluate(() => navigator.serviceWorker.ready);
  former.closeAllConnections();
  await once(former.close(), "close");
  // The site moves to the address of the former one.
  const site = Number(new URL(baseURL ?? "").port);
  const proxy = createProxy((visitor) =>
    pipeline(visitor, connect(site, "127.0.0.1"), visitor, () => {}),
  );
  await once(proxy.listen(port, "127.0.0.1"), "listening");
  await page.goto(address);
  await expect(page.locator(".hero")).toBeVisible();
  const left = () =>
    page.evaluate(async () => [
      ...(await caches.keys()),
      ...(await navigator.serviceWorker.getRegistrations()),
    ]);
  await expect.poll(left).toEqual([]);
  // The page's scripts may not meet the end of the proxy.
  await waitForHydration(page);
  proxy.close();
});
