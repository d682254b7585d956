import type { Browser, BrowserContextOptions, Page, ViewportSize } from "@playwright/test";
import { STEP_TIMEOUT_MS } from "../site/timeouts.ts";
import { type BrowserErrors, recordBrowserErrors } from "./browser-errors.ts";

/** Members of a page and its context whose effects outlast a test. */
const PERMANENT = ["addInitScript", "exposeBinding", "exposeFunction", "newCDPSession", "route"];

const DEFAULT_MEDIA = {
  media: null,
  colorScheme: null,
  reducedMotion: null,
  forcedColors: null,
  contrast: null,
} as const;

/** A page for many tests, one after the other. */
export class SharedPage {
  static async open(browser: Browser, options: BrowserContextOptions): Promise<SharedPage> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(STEP_TIMEOUT_MS);
    const page = await context.newPage();
    const browserErrors = await recordBrowserErrors(context, options.baseURL ?? "");
    reject(context, PERMANENT);
    // The context's own clock is a part of each new page.
    reject(page, [...PERMANENT, "clock"]);
    return new SharedPage(page, browserErrors);
  }

  private constructor(
    readonly page: Page,
    readonly browserErrors: BrowserErrors,
  ) {}

  /** Reverts what a test can change, except for the document, which the next test replaces. */
  async reset(viewport: ViewportSize | null): Promise<void> {
    if (viewport !== null) await this.page.setViewportSize(viewport);
    await this.page.emulateMedia(DEFAULT_MEDIA);
    // Otherwise the pointer stays over the next document.
    await this.page.mouse.move(-1, -1);
  }
}

function reject(target: object, members: readonly string[]): void {
  for (const name of members) {
    Object.defineProperty(target, name, {
      get: () => {
        throw new Error(`${name} would change the shared page for later tests; use testOnNewPage`);
      },
    });
  }
}
