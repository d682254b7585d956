// PAGE-10: sending responds at once.

import type { CDPSession } from "@playwright/test";
import { expect, testOnNewPage as test } from "./fixtures.ts";
import { ContactForm, neverFinishSending } from "./page/contact-form.ts";
import { SENDING } from "./site/specification.ts";

/** CPU time of the page's scripts so far, in milliseconds. */
async function scriptTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return 1_000 * (metrics.find(({ name }) => name === "ScriptDuration")?.value ?? Number.NaN);
}

test("sending starts after less than 100 ms of CPU time", async ({ page, context }) => {
  const contact = new ContactForm(page);
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent: number[] = [];
  // The minimum of three: on a virtual machine, the host can take the CPU during a measurement.
  for (const _ of ["first", "second", "third"]) {
    await contact.open();
    await neverFinishSending(page);
    await contact.fill();
    const before = await scriptTime(session);
    // Not Playwright's click: its checks before the click run as scripts of the page.
    await contact.submit.evaluate((button: HTMLButtonElement) => button.click());
    spent.push((await scriptTime(session)) - before);
    await expect(contact.submit).toHaveText(SENDING);
  }
  expect(Math.min(...spent)).toBeLessThan(100);
});
