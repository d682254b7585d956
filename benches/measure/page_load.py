"""How fast a page is there: one load with an empty cache on a slow network."""

import json
import time
from dataclasses import dataclass

# Lighthouse's "slow 4G" as its DevTools throttling applies it: a round trip of
# 150 ms and 1.6 Mbit/s, with the factors that make up for throttling requests
# instead of packets.
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
    """Milliseconds to the paints, bytes over the wire, requests."""

    first_paint: float
    largest_paint: float
    bytes: int
    requests: int


def load(browser, address):
    """Loads `address` in a context of its own, as somebody who was never there."""
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
    """Bytes and requests until the page is loaded and nothing moves any more."""
    loaded, received, under_way, requests = False, 0, set(), 0
    deadline = time.monotonic() + LOAD_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        event = browser.next_event(QUIET_SECONDS)
        if event is None:
            if loaded and not under_way:
                return received, requests
            continue
        if event.get("sessionId") != session:
            continue
        method, parameters = event["method"], event.get("params", {})
        if method == "Network.requestWillBeSent":
            under_way.add(parameters["requestId"])
            requests += 1
        elif method == "Network.loadingFinished":
            under_way.discard(parameters["requestId"])
            received += int(parameters["encodedDataLength"])
        elif method == "Network.loadingFailed":
            raise RuntimeError(f"{address}: {parameters['errorText']}")
        elif method == "Page.loadEventFired":
            loaded = True
    raise TimeoutError(f"{address} is not loaded within {LOAD_TIMEOUT_SECONDS} s")
