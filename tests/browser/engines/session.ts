import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { test as base, expect } from "@playwright/test";
import { Builder, By, Capabilities, Key, until, type WebDriver } from "selenium-webdriver";
import { ServiceBuilder } from "selenium-webdriver/firefox.js";
import { isHydrated } from "../page/hydration.ts";

export interface EngineOptions {
  engine: "firefox" | "webkit";
  session: Session;
}

export { expect, Key };

/** Milliseconds for the start of a browser, and until a page has an element. */
const TIMEOUT_MS = 60_000;

/** A browser that shows the site. */
export class Session {
  constructor(
    readonly driver: WebDriver,
    readonly site: string,
  ) {}

  /** Loads a page, and waits until React has hydrated it. */
  async open(path: string): Promise<void> {
    // An address with another fragment would not be loaded.
    await this.driver.get("about:blank");
    await this.driver.get(`${this.site}${path}`);
    await this.waitForHydration();
  }

  async waitForHydration(): Promise<void> {
    await this.poll(isHydrated).toBe(true);
  }

  run<T, A extends unknown[]>(script: (...values: A) => T, ...values: A): Promise<T> {
    return this.driver.executeScript<T>(script, ...values);
  }

  /** Expects that the result of a script becomes a value. */
  poll<T, A extends unknown[]>(script: (...values: A) => T, ...values: A) {
    return expect.poll(() => this.run(script, ...values));
  }

  find(selector: string) {
    return this.driver.wait(until.elementLocated(By.css(selector)), TIMEOUT_MS);
  }

  /** The first visible link with this text. */
  async link(text: string) {
    for (const link of await this.driver.findElements(By.partialLinkText(text))) {
      if (await link.isDisplayed()) return link;
    }
    throw new Error(`there is no link ${text}`);
  }

  async press(...keys: string[]): Promise<void> {
    await this.driver
      .actions()
      .sendKeys(...keys)
      .perform();
  }

  heading(): Promise<string> {
    return this.run(() => document.querySelector("h1")?.textContent ?? "");
  }

  /** Text of the focused element, or its id. */
  focused(): Promise<string> {
    return this.run(() => document.activeElement?.id || document.activeElement?.textContent || "");
  }
}

export const test = base.extend<object, EngineOptions>({
  engine: ["firefox", { scope: "worker", option: true }],
  session: [
    async ({ engine }, use) => {
      const display = engine === "webkit" ? await startDisplay() : undefined;
      // WebKit's driver understands the arguments of Firefox's.
      const driverFile = engine === "firefox" ? geckodriver : "WebKitWebDriver";
      const service = new ServiceBuilder(driverFile)
        .setEnvironment({ ...process.env, ...display?.environment })
        .build();
      const driver = await new Builder()
        .usingServer(await service.start(TIMEOUT_MS))
        .withCapabilities(new Capabilities(capabilities[engine]))
        .build();
      await driver.manage().window().setRect({ x: 0, y: 0, width: 1000, height: 800 });
      await use(new Session(driver, process.env.DEFAULT_URL ?? ""));
      await driver.quit();
      await service.kill();
      display?.process.kill();
    },
    { scope: "worker", timeout: TIMEOUT_MS },
  ],
});

const target = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, "../../../target");
const geckodriver = resolve(target, "tools/bin/geckodriver");

const capabilities = {
  firefox: { browserName: "firefox", "moz:firefoxOptions": { args: ["-headless"] } },
  webkit: { browserName: "MiniBrowser" },
};

/** Starts a display for WebKitGTK, which has no mode without one. */
async function startDisplay() {
  const process = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1200x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const [number] = await once(process.stdio[3] as Readable, "data");
  return { process, environment: { DISPLAY: `:${String(number).trim()}` } };
}
