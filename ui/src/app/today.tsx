import { useSyncExternalStore } from "react";
import { useSettings } from "./settings";

// Not Intl, which reads locale data for 16 ms before the page can answer.
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

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
  return <time dateTime={today}>{inWords(today)}</time>;
}

function inWords(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${months[Number(month) - 1]} ${day}, ${year}`;
}
