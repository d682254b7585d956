import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { test as base, expect } from "@playwright/test";
import { Builder, By, Capabilities, Key, type WebDriver } from "selenium-webdriver";
import { ServiceBuilder } from "selenium-webdriver/firefox.js";
import { isHydrated } from "../page/loading.ts";
import { Visitor } from "../promises.ts";
import { target } from "../site/executable.ts";

export interface EngineOptions {
  engine: "firefox" | "webkit";
  session: Session;
}

export { expect };

/** Milliseconds for the start of a browser. */
const TIMEOUT_MS = 60_000;

/** A browser that WebDriver drives. */
export class Session extends Visitor {
  constructor(
    readonly driver: WebDriver,
    readonly site: string,
  ) {
    super();
  }

  async open(path: string): Promise<void> {
    // An address with another fragment would not be loaded.
    await this.driver.get("about:blank");
    await this.driver.get(`${this.site}${path}`);
    await this.poll(isHydrated).toBe(true);
  }

  run<T, A>(script: (given: A) => T, given?: A): Promise<T> {
    return this.driver.executeScript<T>(script, given);
  }

  async click(selector: string): Promise<void> {
    // A view transition takes no click.
    await this.poll(() => document.getAnimations().length).toBe(0);
    await this.driver.findElement(By.css(selector)).click();
  }

  async type(selector: string, text: string): Promise<void> {
    await this.driver.findElement(By.css(selector)).sendKeys(text);
  }

  async press(key: "Enter" | "Escape" | "Tab"): Promise<void> {
    const keys = { Enter: Key.ENTER, Escape: Key.ESCAPE, Tab: Key.TAB };
    await this.driver.actions().sendKeys(keys[key]).perform();
  }

  async resize(width: number, height: number): Promise<void> {
    await this.driver.manage().window().setRect({ x: 0, y: 0, width, height });
  }

  async leaveAndReturn(): Promise<void> {
    // A document without our policies is in another process, where WebKit's driver does not follow.
    await this.driver.get(`${this.site}/contact`);
    await this.driver.navigate().back();
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
      await use(new Session(driver, process.env.DEFAULT_URL ?? ""));
      await driver.quit();
      await service.kill();
      display?.process.kill();
    },
    { scope: "worker", timeout: TIMEOUT_MS },
  ],
});

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
