import type { FullResult, Reporter, Suite, TestError } from "@playwright/test/reporter";

/**
 * Prints the last line, which tests/run adds up: "N passed, N failed".
 *
 * A test that was skipped, interrupted or not started counts as failed. So does an error outside of
 * a test, such as a server that does not exit with code 0.
 */
export default class SummaryReporter implements Reporter {
  private suite: Suite | undefined;
  private errorsOutsideTests = 0;

  onBegin(_config: unknown, suite: Suite): void {
    this.suite = suite;
  }

  onError(_error: TestError): void {
    this.errorsOutsideTests += 1;
  }

  async onExit(): Promise<void> {
    const tests = this.suite?.allTests() ?? [];
    const passed = tests.filter((test) => test.results.at(-1)?.status === "passed").length;
    const failed = tests.length - passed + this.errorsOutsideTests;
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }

  onEnd(result: FullResult): void {
    if (result.status !== "passed" && this.suite === undefined) this.errorsOutsideTests ||= 1;
  }

  printsToStdio(): boolean {
    return true;
  }
}
