import {
  createContext,
  type FocusEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { Icon } from "./icon";

/** How long a toast stays, in milliseconds (specification, point 9). */
const DISPLAY_TIME = 5000;

interface Toast {
  title: string;
  description: string;
}

type ShowToast = (toast: Toast) => void;

const ToastContext = createContext<ShowToast>(() => {});

/** Shows a toast; one that is still there gives way to it. */
export const useToast = (): ShowToast => use(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null);
  // A copy, so that the same words shown twice still count as a new toast.
  const show = useCallback((next: Toast) => setToast({ ...next }), []);
  return (
    <ToastContext value={show}>
      {children}
      <ToastRegion toast={toast} dismiss={() => setToast(null)} />
    </ToastContext>
  );
}

function ToastRegion({ toast, dismiss }: { toast: Toast | null; dismiss: () => void }) {
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);

  const close = useEffectEvent(() => {
    // The button that has the focus is about to go: hand it back to where it came from.
    if (region.current?.contains(document.activeElement)) {
      const origin = cameFrom.current?.isConnected ? cameFrom.current : document.getElementById("main");
      if (origin instanceof HTMLElement) origin.focus({ preventScroll: true });
    }
    setHovered(false);
    setFocused(false);
    dismiss();
  });

  useEffect(() => {
    if (!toast || hovered || focused) return;
    // Counted anew after a pause: whoever stopped to read is given the whole time again.
    const timer = setTimeout(() => close(), DISPLAY_TIME);
    return () => clearTimeout(timer);
  }, [toast, hovered, focused]);

  useEffect(() => {
    if (!toast) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
    };
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  }, [toast]);

  function enter(event: FocusEvent) {
    if (!event.currentTarget.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget;
    setFocused(true);
  }

  return (
    <section
      ref={region}
      aria-label="Notifications"
      className={toast ? "toast toast-open" : "toast"}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={enter}
      onBlur={() => setFocused(false)}
    >
      {toast && <Icon shape="check" />}
      {/* Live regions are announced only where they were in the page before their text was. */}
      <div role="status">
        {toast && (
          <>
            <p className="toast-title">{toast.title}</p>
            <p>{toast.description}</p>
          </>
        )}
      </div>
      {toast && (
        <button type="button" className="toast-dismiss" aria-label="Dismiss" onClick={() => close()}>
          <Icon shape="cross" />
        </button>
      )}
    </section>
  );
}
