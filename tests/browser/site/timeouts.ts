/**
 * Timeouts in milliseconds. They end a test that waits for an event that does not occur. No result
 * depends on their value, so they are long enough for a busy machine.
 */
export const STEP_TIMEOUT_MS = 60_000;
export const TEST_TIMEOUT_MS = 300_000;
