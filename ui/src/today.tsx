import { useSyncExternalStore } from "react";
import { useSettings } from "./settings";

const longDate = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

const neverChanges = () => () => {};

function localToday(): string {
  const now = new Date();
  const month = String(now.getMonth() + 1).padStart(2, "0");
  const day = String(now.getDate()).padStart(2, "0");
  return `${now.getFullYear()}-${month}-${day}`;
}

/**
 * Today in the reader's own time zone (YYYY-MM-DD). Prerendering and hydration
 * both see the day of the build, so that the two agree; React then shows today.
 */
export function useToday(): string {
  const { built } = useSettings();
  return useSyncExternalStore(neverChanges, localToday, () => built);
}

export function Today() {
  const today = useToday();
  return <time dateTime={today}>{longDate.format(new Date(today))}</time>;
}
