import browserTests from "./playwright.config.ts";

/** The pictures of screenshots.ts. */
export default { ...browserTests, testMatch: "screenshots.ts" };
