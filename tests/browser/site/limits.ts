/**
 * Limits on waiting, in milliseconds. They only end a test whose event never comes: no promise is
 * measured by them. They are therefore far above what a machine needs whose cores are all taken.
 */
export const STEP_LIMIT_MS = 60_000;
export const TEST_LIMIT_MS = 300_000;
