import type { Reporter, Suite, TestCase } from "@playwright/test/reporter";

/**
 * Prints the last line, which tests/run adds up: "N passed, N failed". A test that was skipped, interrupted or not started
 * counts as failed. An error outside of a test ends Playwright with an exit code.
 */
export default class SummaryReporter implements Reporter {
  private tests: TestCase[] = [];

  onBegin(_config: unknown, suite: Suite): void {
    this.tests = suite.allTests();
  }

  async onExit(): Promise<void> {
    const passed = this.tests.filter((test) => test.results.at(-1)?.status === "passed").length;
    process.stdout.write(`${passed} passed, ${this.tests.length - passed} failed\n`);
  }
}
