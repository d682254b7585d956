/** For browsers that keep the time of their first paint to themselves, in milliseconds after `load`. */
const PAINT_MAX = 1000;

const loadApp = () => import("./main");

// Whoever waits on a slow line wants the words and the picture first, and the links work without the app.
addEventListener("load", () => {
  new PerformanceObserver(loadApp).observe({ type: "paint", buffered: true });
  setTimeout(loadApp, PAINT_MAX);
});
