import type {
  Browser,
  BrowserContextOptions,
  Disposable,
  Page,
  ViewportSize,
} from "@playwright/test";
import { STEP_TIMEOUT_MS } from "../site/timeouts.ts";
import { type BrowserErrors, recordBrowserErrors } from "./browser-errors.ts";
import { pauseClock } from "./contact-form.ts";

const DEFAULT_MEDIA = {
  media: null,
  colorScheme: "light",
  reducedMotion: "no-preference",
  forcedColors: "none",
  contrast: "no-preference",
} as const;

/** The shared pages of a worker. */
export class SharedPages {
  readonly #pages = new Map<string, SharedPage>();

  constructor(
    readonly browser: Browser,
    readonly defaults: BrowserContextOptions,
  ) {}

  /**
   * The page with these options of its context. With a paused clock, its timers run only in
   * `advanceClock`.
   */
  async page(options: BrowserContextOptions, pausedClock: boolean): Promise<SharedPage> {
    const key = JSON.stringify([options, pausedClock]);
    const page = this.#pages.get(key) ?? (await this.#open(options, pausedClock));
    this.#pages.set(key, page);
    return page;
  }

  async #open(options: BrowserContextOptions, pausedClock: boolean): Promise<SharedPage> {
    const context = await this.browser.newContext({ ...this.defaults, ...options });
    context.setDefaultTimeout(STEP_TIMEOUT_MS);
    const page = await context.newPage();
    const browserErrors = await recordBrowserErrors(context, options.baseURL ?? "");
    if (pausedClock) await pauseClock(page);
    const initScripts: Disposable[] = [];
    for (const target of [context, page]) {
      const add = target.addInitScript.bind(target);
      target.addInitScript = async (...given) => {
        const script = await add(...given);
        initScripts.push(script);
        return script;
      };
    }
    return new SharedPage(page, browserErrors, initScripts);
  }

  async close(): Promise<void> {
    for (const { page } of this.#pages.values()) await page.context().close();
  }
}

/** A page for many tests, one after the other. */
export class SharedPage {
  constructor(
    readonly page: Page,
    readonly browserErrors: BrowserErrors,
    /** Those that tests have added. */
    readonly initScripts: Disposable[],
  ) {}

  /**
   * Reverts what a test can change, except for the document, which the next test replaces, for routes,
   * which `browserErrors` removes, and for listeners, which write only to variables of their test. A test that
   * changes more (cookies, the clock, a session of the protocol) needs `testOnNewPage`.
   */
  async reset(viewport: ViewportSize | null): Promise<void> {
    for (const script of this.initScripts.splice(0)) await script.dispose();
    const opened = this.page.context().pages();
    await Promise.all(opened.filter((page) => page !== this.page).map((page) => page.close()));
    if (viewport !== null) await this.page.setViewportSize(viewport);
    await this.page.emulateMedia(DEFAULT_MEDIA);
    // Otherwise the pointer stays over the next document.
    await this.page.mouse.move(-1, -1);
    await this.page.evaluate(changeQuery);
    this.browserErrors.clear();
  }

  /**
   * Hides the document. Otherwise, Chromium draws an endless animation, such as that of the button
   * while the form is sent, until the next test of this page.
   */
  async hide(): Promise<void> {
    const hideRoot = () => {
      document.documentElement.style.display = "none";
    };
    // During a navigation, the call can fail. Errors that it causes are not those of a test.
    await this.page.evaluate(hideRoot).catch(() => {});
  }
}

/**
 * Changes the query, because a navigation to a fragment of the current document would not load it
 * again. The path stays: the app may be loaded only now, and would report another path as unknown.
 * Calls the method of the prototype, because the router replaces `history.replaceState`.
 */
function changeQuery(): void {
  if (location.protocol !== "about:") {
    History.prototype.replaceState.call(history, null, "", "?between-tests");
  }
}
