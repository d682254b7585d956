/** Milliseconds after `load`, for browsers that do not report their first paint. */
const FIRST_PAINT_TIMEOUT = 1000;

const loadMain = () => import("./main");

// On a slow connection the text and the hero picture come first. Links work before React is loaded.
addEventListener("load", () => {
  new PerformanceObserver(loadMain).observe({ type: "paint", buffered: true });
  setTimeout(loadMain, FIRST_PAINT_TIMEOUT);
});
