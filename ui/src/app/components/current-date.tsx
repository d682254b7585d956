import { useSyncExternalStore } from "react";
import { useSettings } from "../settings";

// Not Intl.DateTimeFormat: its locale data takes 16 ms to load, during which the page does not respond.
const months = "January February March April May June July August September October November December".split(" ");

/** Calls `update` at midnight, and when the page is shown again: the timer is late on a device that was asleep. */
function subscribe(update: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    const now = new Date();
    timer = setTimeout(
      () => {
        update();
        wait();
      },
      new Date(now).setHours(24, 0, 0, 0) - now.getTime(),
    );
  };
  wait();
  document.addEventListener("visibilitychange", update);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", update);
  };
}

function localDate(): string {
  const now = new Date();
  const month = String(now.getMonth() + 1).padStart(2, "0");
  const day = String(now.getDate()).padStart(2, "0");
  return `${now.getFullYear()}-${month}-${day}`;
}

/**
 * The current date in the browser's time zone (YYYY-MM-DD, PAGE-15). The prerender and the hydration
 * return the build date, so both render the same text; React then renders again with the current date.
 */
export function useCurrentDate(): string {
  const { buildDate } = useSettings();
  return useSyncExternalStore(subscribe, localDate, () => buildDate);
}

/** The date of a legal page: `fixed` (YYYY-MM-DD), or the current date. */
export function LegalDate({ fixed }: { fixed: string | undefined }) {
  const current = useCurrentDate();
  const date = fixed ?? current;
  return <time dateTime={date}>{longForm(date)}</time>;
}

/** A date in words, such as March 9, 2031 (PAGE-15). */
export function longForm(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${months[Number(month) - 1]} ${day}, ${year}`;
}
