"""The load of a page with an empty cache on a slow network."""

import json
import time
from dataclasses import dataclass

# "Slow 4G" of Lighthouse: a round trip of 150 ms and 1.6 Mbit/s. The factors are those
# of its DevTools throttling, which delays requests instead of packets.
SLOW_4G = {
    "offline": False,
    "latency": 150 * 3.75,
    "downloadThroughput": 1.6e6 / 8 * 0.9,
    "uploadThroughput": 750e3 / 8 * 0.9,
}

QUIET_SECONDS = 1.0
LOAD_TIMEOUT_SECONDS = 60

PAINTS = """
new Promise((resolve) => {
  const [first] = performance.getEntriesByName("first-contentful-paint");
  new PerformanceObserver((list) => {
    const largest = list.getEntries().at(-1);
    resolve(JSON.stringify({ first: first.startTime, largest: largest.startTime }));
  }).observe({ type: "largest-contentful-paint", buffered: true });
})
"""


@dataclass(frozen=True)
class PageLoad:
    """Times of the paints in milliseconds, bytes received, number of requests."""

    first_paint: float
    largest_paint: float
    bytes: int
    requests: int


def load(browser, address):
    """Loads `address` in a new browser context: with an empty cache."""
    context = browser.call("Target.createBrowserContext")["browserContextId"]
    try:
        target = browser.call("Target.createTarget", url="about:blank", browserContextId=context)
        session = browser.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        return load_in(browser, session["sessionId"], address)
    finally:
        browser.call("Target.disposeBrowserContext", browserContextId=context)
        browser.waiting.clear()


def load_in(browser, session, address):
    for domain in ("Network", "Page", "Runtime"):
        browser.call(f"{domain}.enable", session)
    browser.call("Network.emulateNetworkConditions", session, **SLOW_4G)
    browser.call("Page.navigate", session, url=address)
    received, requests = until_quiet(browser, session, address)
    evaluated = browser.call(
        "Runtime.evaluate", session, expression=PAINTS, awaitPromise=True, returnByValue=True
    )
    paints = json.loads(evaluated["result"]["value"])
    return PageLoad(paints["first"], paints["largest"], received, requests)


def until_quiet(browser, session, address):
    """Bytes and requests until the page is loaded and no request is in progress."""
    loaded, received, in_progress, requests = False, 0, set(), 0
    deadline = time.monotonic() + LOAD_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        event = browser.next_event(QUIET_SECONDS)
        if event is None:
            if loaded and not in_progress:
                return received, requests
            continue
        if event.get("sessionId") != session:
            continue
        method, parameters = event["method"], event.get("params", {})
        if method == "Network.requestWillBeSent":
            in_progress.add(parameters["requestId"])
            requests += 1
        elif method == "Network.loadingFinished":
            in_progress.discard(parameters["requestId"])
            received += int(parameters["encodedDataLength"])
        elif method == "Network.loadingFailed":
            raise RuntimeError(f"{address}: {parameters['errorText']}")
        elif method == "Page.loadEventFired":
            loaded = True
    raise TimeoutError(f"{address} is not loaded within {LOAD_TIMEOUT_SECONDS} s")
