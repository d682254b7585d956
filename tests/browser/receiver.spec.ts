// PAGE-10, PAGE-13, PAGE-19, PAGE-20: the contact form of a site with --contact-url.

import type { ServerResponse } from "node:http";
import { test as base, expect } from "./fixtures.ts";
import { advanceClock } from "./page/contact-form.ts";
import { open } from "./page/hydration.ts";
import { expectTexts } from "./page/texts.ts";
import { Receiver, startSite } from "./site/receiver.ts";
import { SEND_TIMEOUT_MS, SUPPORT_EMAIL } from "./site/specification.ts";

/** What is received of the values that the tests enter. */
const BODY = "name=Ada&email=ada%40example.com&message=Which+clips+work+best%3F";
const MESSAGE = expect.objectContaining({ line: "POST /messages?form=1", body: BODY });

/** Lets the site read an answer (Fetch §3.3). */
const CORS = { "access-control-allow-origin": "*" };

const test = base.extend<object, { receiver: Receiver; site: string }>({
  receiver: [
    async ({}, use) => {
      const receiver = await Receiver.start();
      await use(receiver);
      receiver.stop();
    },
    { scope: "worker" },
  ],
  site: [
    async ({ receiver }, use) => {
      const { url, stop } = await startSite(receiver.url);
      await use(url);
      await stop();
    },
    { scope: "worker" },
  ],
  baseURL: ({ site }, use) => use(site),
});

test.use({ ignoreHTTPSErrors: true });

test.beforeEach(({ receiver, browserErrors }) => {
  receiver.received = [];
  browserErrors.expect(
    new RegExp(`to another origin: ${new URL(receiver.url).origin}/(messages|thanks)`),
  );
});

const status = (code: number, headers: object) => (response: ServerResponse) =>
  response.writeHead(code, { ...headers }).end("{}");

for (const { answer, by, isSent } of [
  { answer: "200", by: status(200, CORS), isSent: true },
  { answer: "a redirect", by: status(302, { ...CORS, location: "/thanks" }), isSent: true },
  { answer: "400", by: status(400, CORS), isSent: false },
  { answer: "500", by: status(500, CORS), isSent: false },
  { answer: "200 that other sites may not read", by: status(200, {}), isSent: false },
  { answer: "a closed connection", by: (it: ServerResponse) => it.destroy(), isSent: false },
]) {
  test(`the form ${isSent ? "is sent" : "keeps what was typed"} after ${answer}`, async ({
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
    if (isSent) {
      await expect(contact.toast).toBeVisible();
      await contact.expectValues(["", "", ""]);
    } else {
      await expect(refusal).toContainText("was not sent");
      await expect(refusal.getByRole("link")).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
      await contact.expectValues();
      await expect(contact.submit).toBeEnabled();
    }
    expect(receiver.received).toEqual([MESSAGE]);
    expect(receiver.received[0]?.headers).toMatchObject({
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      origin: new URL(page.url()).origin,
    });
    for (const name of ["cookie", "referer", "authorization"])
      expect(receiver.received[0]?.headers).not.toHaveProperty(name);
    if (isSent) return;
    // The next attempts: one state is shown at a time.
    receiver.answer = status(200, CORS);
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

test.describe("with a paused clock", () => {
  test.use({ pausedClock: true });

  test("a receiver has 15 s for its answer", async ({ page, contact, receiver }) => {
    receiver.answer = () => {};
    await contact.open();
    await contact.send();
    await advanceClock(page, SEND_TIMEOUT_MS - 1);
    await contact.expectSending();
    await advanceClock(page, 1);
    await expect(page.getByRole("alert")).toBeVisible();
    await contact.expectValues();
    expect(receiver.received).toEqual([MESSAGE]);
  });
});

test.describe("with a paused clock and without the app", () => {
  test.use({ pausedClock: true });

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

test("a request that ends because the visitor leaves is no failure after the return", async ({
  page,
  contact,
  receiver,
  browserErrors,
}) => {
  browserErrors.expect(/ERR_/);
  let end = () => {};
  receiver.answer = (response) => {
    end = () => response.destroy();
  };
  await contact.open();
  await contact.send();
  await expect.poll(() => receiver.received).toEqual([MESSAGE]);
  // As Firefox and Safari do: long before `pagehide`, if the next page is slow.
  end();
  await expect(page.getByRole("alert")).toBeVisible();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(contact.submit).toBeEnabled();
  await contact.expectValues();
});

test("a submit before the app is loaded is sent once", async ({ contact, receiver }) => {
  receiver.answer = status(200, CORS);
  const loadScripts = await contact.openWithoutApp();
  await contact.fill();
  await contact.submit.click();
  await contact.submit.click();
  expect(receiver.received).toEqual([]);
  loadScripts();
  await expect(contact.toast).toBeVisible();
  expect(receiver.received).toEqual([MESSAGE]);
});

/** Answers as to a form of the browser itself, which shows the answer. */
const thanks = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/html" }).end("<h1>Thanks</h1>");

for (const when of ["before", "after"]) {
  test(`if the app cannot be loaded, the browser sends a form that is submitted ${when} that`, async ({
    page,
    contact,
    receiver,
    browserErrors,
  }) => {
    browserErrors.expect(/intentional|ERR_FAILED|dynamically imported/);
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

test("a path of the site receives messages by a proxy", async ({
  page,
  contact,
  browserErrors,
}) => {
  const site = await startSite("/api/contact");
  browserErrors.expect(new RegExp(`to another origin: ${site.url}`));
  await page.route("**/api/contact", (route) => route.fulfill());
  await page.goto(`${site.url}/contact`);
  await contact.fill();
  const sent = page.waitForRequest("**/api/contact");
  await contact.submit.click();
  expect((await sent).postData()).toBe(BODY);
  await expect(contact.toast).toBeVisible();
  await site.stop();
});

test("the privacy policy says where messages go", async ({ page }) => {
  await open(page, "/privacy");
  await expectTexts(page, "privacy-with-receiver", "#introduction");
});
