// PAGE-10, PAGE-13, PAGE-19, PAGE-20: the contact form of a site with --contact-url.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test as base, expect } from "./fixtures.ts";
import { advanceClock } from "./page/contact-form.ts";
import { expectTexts } from "./page/contents.ts";
import { open } from "./page/loading.ts";
import { SITES } from "./site/sites.ts";
import { SEND_TIMEOUT_MS } from "./site/specification.ts";

/** What is received of the values that the tests enter. */
const BODY = "name=Ada&email=ada%40example.com&message=Which+clips+work+best%3F";
const MESSAGE = `POST /messages?form=1 ${BODY}`;

/** The program of an owner on another origin that receives the messages. */
class Receiver {
  readonly received: string[] = [];
  headers: IncomingHttpHeaders = {};
  /** Answers a message, or leaves it without an answer. */
  answer: (response: ServerResponse) => unknown = () => {};

  readonly server = createServer(
    // Of the site over HTTPS (playwright.config.ts).
    {
      key: readFileSync("node_modules/.cache/certificate/key.pem"),
      cert: readFileSync("node_modules/.cache/certificate/certificate.pem"),
    },
    async (request, response) => {
      const body = (await request.setEncoding("utf8").toArray()).join("");
      this.received.push(`${request.method} ${request.url} ${body}`);
      this.headers = request.headers;
      this.answer(response);
    },
  );

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

const test = base.extend<{ receiver: Receiver }>({
  ignoreHTTPSErrors: true,
  receiver: async ({ context, browserErrors }, use) => {
    browserErrors.expect(/to another origin: https:\/\/receiver.example\/(messages|thanks)/);
    const receiver = new Receiver();
    await once(receiver.server.listen(0, "127.0.0.1"), "listening");
    const { port } = receiver.server.address() as AddressInfo;
    // The address of receiver.example, as a name server would say it.
    await context.route("https://receiver.example/**", (route) =>
      route.continue({
        url: route.request().url().replace("receiver.example", `127.0.0.1:${port}`),
      }),
    );
    await use(receiver);
    receiver.stop();
  },
});

const status = (code: number, headers?: Record<string, string>) => (response: ServerResponse) =>
  // The site may read an answer with this field (Fetch §3.3).
  response.writeHead(code, { "access-control-allow-origin": "*", ...headers }).end("{}");

test.describe("with a receiver", { tag: "@receiver" }, () => {
  for (const { answer, by, isSent } of [
    { answer: "200", by: status(200), isSent: true },
    { answer: "a redirect", by: status(302, { location: "/thanks" }), isSent: true },
    { answer: "400", by: status(400), isSent: false },
    { answer: "500", by: status(500), isSent: false },
    {
      answer: "200 that other sites may not read",
      by: status(200, { "access-control-allow-origin": "https://other.example" }),
      isSent: false,
    },
    { answer: "a closed connection", by: (it: ServerResponse) => it.destroy(), isSent: false },
  ]) {
    test(`after ${answer}, the form ${isSent ? "is sent" : "keeps its values"}`, async ({
      page,
      contact,
      receiver,
      browserErrors,
    }) => {
      if (!isSent) browserErrors.expect(/status of [45]|CORS|ERR_/);
      receiver.answer = by;
      await contact.open();
      await contact.fill();
      await contact.submit.dblclick();
      const refusal = page.getByRole("alert");
      await expect(isSent ? contact.toast : refusal).toBeVisible();
      await contact.expectValues(isSent ? ["", "", ""] : undefined);
      expect(receiver.received).toEqual([MESSAGE]);
      expect(receiver.headers).toMatchObject({
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
        origin: new URL(page.url()).origin,
      });
      for (const name of ["cookie", "referer", "authorization"])
        expect(receiver.headers).not.toHaveProperty(name);
      if (isSent) return;
      // The next attempts: one state is shown at a time.
      receiver.answer = status(200);
      await contact.submit.click();
      await expect(contact.toast).toBeVisible();
      await expect(refusal).toHaveCount(0);
      receiver.answer = by;
      await contact.fill();
      await contact.submit.click();
      await expect(refusal).toBeVisible();
      await expect(contact.toast).toHaveCount(0);
    });
  }

  test("a refused connection keeps the values", async ({
    page,
    contact,
    receiver,
    browserErrors,
  }) => {
    browserErrors.expect(/ERR_CONNECTION_REFUSED/);
    receiver.stop();
    await contact.open();
    await contact.fill();
    await contact.submit.click();
    await expect(page.getByRole("alert")).toBeVisible();
    await contact.expectValues();
    await expect(contact.submit).toBeEnabled();
  });

  test("a receiver has 15 s for its answer", async ({ page, contact, receiver }) => {
    await contact.open();
    await contact.send();
    await advanceClock(page, SEND_TIMEOUT_MS - 1);
    await contact.expectSending();
    await advanceClock(page, 1);
    await expect(page.getByRole("alert")).toBeVisible();
    await contact.expectValues();
    expect(receiver.received).toEqual([MESSAGE]);
  });

  test("a form that the browser sends is not late", async ({ page, contact, browserErrors }) => {
    browserErrors.expect(/ERR_FAILED|dynamically imported/);
    const loadScripts = await contact.openWithoutApp({ end: (route) => route.abort() });
    const failed = page.waitForEvent("requestfailed");
    await page.clock.runFor(5_000);
    loadScripts();
    await failed;
    await page.clock.runFor(20_000);
    await contact.expectNoNotice();
  });

  test("leaving the page aborts the request", async ({ page, contact, receiver }) => {
    const aborted = new Promise((resolve) => {
      receiver.answer = (response) => response.once("close", resolve);
    });
    await contact.open();
    await contact.send();
    await expect.poll(() => receiver.received).toEqual([MESSAGE]);
    await page.locator("footer a[href='/terms']").click();
    await aborted;
    await page.goBack();
    await expect(contact.submit).toBeEnabled();
    await contact.expectValues();
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  test("a request that ends by leaving is no failure after the return", async ({
    page,
    contact,
    receiver,
    browserErrors,
  }) => {
    browserErrors.expect(/ERR_/);
    // As Firefox and Safari do: long before `pagehide`, if the next page is slow.
    receiver.answer = (response) => response.destroy();
    await contact.open();
    await contact.fill();
    await contact.submit.click();
    await expect(page.getByRole("alert")).toBeVisible();
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(contact.submit).toBeEnabled();
    await contact.expectValues();
  });

  test("a submit before the app is loaded is sent once", async ({ contact, receiver }) => {
    receiver.answer = status(200);
    const loadScripts = await contact.openWithoutApp();
    await contact.fill();
    await contact.submit.dblclick();
    expect(receiver.received).toEqual([]);
    loadScripts();
    await expect(contact.toast).toBeVisible();
    expect(receiver.received).toEqual([MESSAGE]);
  });

  /** Answers as to a form of the browser itself, which shows the answer. */
  const thanks = (response: ServerResponse) =>
    response.setHeader("content-type", "text/html").end("<h1>Thanks");

  for (const when of ["before", "after"]) {
    test(`without the app, the browser sends a form, submitted ${when} it fails`, async ({
      page,
      contact,
      receiver,
      browserErrors,
    }) => {
      browserErrors.expect(/ERR_FAILED|dynamically imported/);
      receiver.answer = thanks;
      const loadScripts = await contact.openWithoutApp({ end: (route) => route.abort() });
      await contact.fill();
      const failed = page.waitForEvent("requestfailed");
      if (when === "before") await contact.submit.click();
      loadScripts();
      if (when === "after") await failed.then(() => contact.submit.click());
      await expect(page.getByRole("heading", { name: "Thanks" })).toBeVisible();
      expect(receiver.received).toEqual([MESSAGE]);
    });
  }

  test.describe("without JavaScript", () => {
    test.use({ javaScriptEnabled: false });

    test("the browser sends the form", async ({ page, contact, receiver }) => {
      receiver.answer = thanks;
      await page.goto("/contact");
      await expectTexts(page, "contact-with-receiver-without-script");
      await contact.expectNoNotice();
      await contact.fill();
      await contact.submit.click();
      await expect(page.getByRole("heading", { name: "Thanks" })).toBeVisible();
      expect(receiver.received).toEqual([MESSAGE]);
    });
  });

  test("the privacy policy says where messages go", async ({ page }) => {
    await open(page, "/privacy");
    await expectTexts(page, "privacy-with-receiver", "#introduction");
  });
});

test("a proxy receives messages", { tag: "@proxied" }, async ({ page, contact }) => {
  await page.route(SITES.proxied.CONTACT_URL, (route) => route.fulfill());
  await contact.open();
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await contact.fill();
  await contact.submit.click();
  expect((await sent).postData()).toBe(BODY);
  await expect(contact.toast).toBeVisible();
});
