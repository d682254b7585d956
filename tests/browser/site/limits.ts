/**
 * Limits on waiting, in milliseconds. They only end a test whose event never comes; no test
 * measures a promise by them. A fully loaded machine therefore stays far below them.
 */
export const STEP_LIMIT_MS = 60_000;
export const TEST_LIMIT_MS = 300_000;
