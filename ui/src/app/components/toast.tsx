import { type FocusEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Icon } from "./icon";

/** The time until a toast closes, in milliseconds. */
const DISPLAY_TIME = 5000;

const DESCRIPTION = "Thank you for your message. We'll get back to you soon.";

/** A toast, known by the time of its appearance, or none. */
export type ToastState = { id: number; leaving?: true } | null;

interface ToastProps {
  toast: ToastState;
  setToast: (change: (last: ToastState) => ToastState) => void;
}

/** The message that the form was sent, in a place below the button that is reserved for it (PAGE-11). */
export function Toast({ toast, setToast }: ToastProps) {
  const region = useRef<HTMLElement>(null);
  const previousFocus = useRef<Element | null>(null);
  /** The toast over which the pointer has moved. One that rests where a toast appears does not hold it. */
  const [hovered, setHovered] = useState<number>();
  /** The toast that has the focus: one that disappears with the page does not hold the next. */
  const [focused, setFocused] = useState<number>();

  function close() {
    // The focused button disappears with the toast, so the focus returns to the element that had it before.
    if (region.current?.contains(document.activeElement)) {
      const target = previousFocus.current?.isConnected ? previousFocus.current : document.querySelector("h1");
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    }
    setToast((last) => last && { ...last, leaving: true });
  }
  const closeFromEffect = useEffectEvent(close);

  useEffect(() => {
    if (!toast || toast.leaving || [hovered, focused].includes(toast.id)) return;
    // After a pause the full time starts again.
    const timer = setTimeout(() => closeFromEffect(), DISPLAY_TIME);
    return () => clearTimeout(timer);
  }, [toast, hovered, focused]);

  const id = toast?.id;
  useEffect(() => {
    if (!id) return;
    const { matches } = matchMedia("(prefers-reduced-motion: no-preference)");
    region.current?.scrollIntoView({ block: "nearest", behavior: matches ? "smooth" : "auto" });
  }, [id]);

  useEffect(() => {
    if (!toast?.leaving || !region.current) return;
    // toast.css animates the exit, unless motion is reduced. By its end, another toast may have replaced this one.
    Promise.allSettled(region.current.getAnimations().map(({ finished }) => finished)).then(() =>
      setToast((last) => (last?.leaving ? null : last)),
    );
  }, [toast, setToast]);

  useEffect(() => {
    if (!toast) return;
    const listeners = new AbortController();
    addEventListener("keydown", ({ key }) => key === "Escape" && closeFromEffect(), { signal: listeners.signal });
    // The browser may keep the page for Back, and freeze it at once.
    addEventListener("pagehide", () => flushSync(() => setToast(() => null)), { signal: listeners.signal });
    return () => listeners.abort();
  }, [toast, setToast]);

  function enter(event: FocusEvent) {
    if (!event.currentTarget.contains(event.relatedTarget)) previousFocus.current = event.relatedTarget;
    setFocused(id);
  }

  return (
    <section
      ref={region}
      aria-label={toast ? "Notifications" : undefined}
      className={toast ? "toast toast-open" : "toast"}
      data-leaving={toast?.leaving}
      onPointerMove={() => setHovered(id)}
      onPointerLeave={() => setHovered(undefined)}
      onFocus={enter}
      onBlur={() => setFocused(undefined)}
    >
      {toast && <Icon shape="check" />}
      {/*
       * Screen readers announce text only in a live region that was in the page before the text. The key replaces the
       * elements of the last toast, or a repeated message would not be announced.
       */}
      <div role="status" className="toast-text" data-room={DESCRIPTION}>
        {toast && (
          <div key={toast.id} className="toast-message">
            <p className="toast-title">Message sent!</p>
            <p>{DESCRIPTION}</p>
          </div>
        )}
      </div>
      {toast && (
        <button type="button" className="toast-dismiss" aria-label="Dismiss" onClick={close}>
          <Icon shape="cross" />
        </button>
      )}
    </section>
  );
}
