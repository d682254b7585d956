// PAGE-10, PAGE-13, PAGE-19, PAGE-20: the contact form of a site with --contact-url.

import type { Route } from "@playwright/test";
import { test as base, expect } from "./fixtures.ts";
import { advanceClock } from "./page/contact-form.ts";
import { expectTexts } from "./page/contents.ts";
import { open } from "./page/loading.ts";
import { RECEIVER, SITES } from "./site/sites.ts";
import { SEND_TIMEOUT_MS } from "./site/specification.ts";

/** What is received of the values that the tests enter. */
const BODY = "name=Ada&email=ada%40example.com&message=Which+clips+work+best%3F";
const MESSAGE = `POST ${SITES.receiver.CONTACT_URL} ${BODY}`;

type Answer = (route: Route) => Promise<void>;

/** The program of an owner on another origin that receives the messages. */
interface Receiver {
  readonly received: string[];
  headers: Readonly<Record<string, string>>;
  /** Answers a message, or leaves it without an answer. */
  answer: Answer;
}

const test = base.extend<{ receiver: Receiver }>({
  receiver: async ({ context, browserErrors }, use) => {
    browserErrors.expect(new RegExp(`to another origin: ${RECEIVER}/messages`));
    // A cookie that the message of another site would carry.
    const cookie = { url: RECEIVER, sameSite: "None", secure: true } as const;
    await context.addCookies([{ ...cookie, name: "visitor", value: "1" }]);
    const receiver: Receiver = { received: [], headers: {}, answer: async () => {} };
    await context.route(`${RECEIVER}/**`, async (route) => {
      const request = route.request();
      receiver.received.push(`${request.method()} ${request.url()} ${request.postData()}`);
      receiver.headers = await request.allHeaders();
      await receiver.answer(route);
    });
    await use(receiver);
  },
});

/** An answer that the site may read (Fetch §3.3), unless `headers` say otherwise. */
const answer =
  (status: number, headers = {}): Answer =>
  (route) =>
    route.fulfill({ status, headers: { "access-control-allow-origin": "*", ...headers } });

test.describe("with a receiver", { tag: "@receiver" }, () => {
  for (const { name, by, isSent } of [
    { name: "200", by: answer(200), isSent: true },
    { name: "a redirect", by: answer(302, { location: "/thanks" }), isSent: true },
    { name: "500", by: answer(500), isSent: false },
    {
      name: "200 that other sites may not read",
      by: answer(200, { "access-control-allow-origin": "https://other.example" }),
      isSent: false,
    },
    { name: "a closed connection", by: (it: Route) => it.abort("connectionclosed"), isSent: false },
  ]) {
    test(`after ${name}, the form ${isSent ? "is sent" : "keeps its values"}`, async ({
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
      for (const name of ["cookie", "referer"]) expect(receiver.headers).not.toHaveProperty(name);
      if (isSent) return;
      // The next attempts: one state is shown at a time.
      receiver.answer = answer(200);
      await contact.submit.click();
      await expect(contact.toast).toBeVisible();
      await expect(refusal).toHaveCount(0);
      receiver.answer = by;
      await contact.fill();
      await contact.submit.click();
      await expect(refusal).toBeVisible();
      await expect(contact.toast).toHaveCount(0);
      // Firefox and Safari end a request before the visitor leaves, which is no failure after the return.
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
      await expect(refusal).toHaveCount(0);
      await contact.expectValues();
    });
  }

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

  test("leaving the page aborts the request", async ({ page, contact, receiver }) => {
    const aborted = page.waitForEvent("requestfailed");
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

  /** Answers as to a form of the browser itself, which shows the answer. */
  const thanks: Answer = (route) => route.fulfill({ contentType: "text/html", body: "<h1>Thanks" });

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
      expect(receiver.received).toEqual([]);
      loadScripts();
      if (when === "after") {
        await failed;
        // Nothing is late.
        await page.clock.runFor(20_000);
        await contact.expectNoNotice();
        await contact.submit.click();
      }
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

test("a program behind the proxy receives messages", { tag: "@proxied" }, async ({
  page,
  contact,
}) => {
  await page.route(SITES.proxied.CONTACT_URL, (route) => route.fulfill());
  await contact.open();
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await contact.fill();
  await contact.submit.click();
  expect((await sent).postData()).toBe(BODY);
  await expect(contact.toast).toBeVisible();
});
