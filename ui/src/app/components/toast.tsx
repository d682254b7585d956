import {
  createContext,
  type Dispatch,
  type FocusEvent,
  type ReactNode,
  type SetStateAction,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Icon } from "./icon";
import { avoidFocusedControl } from "./toast-side";

/** The time until a toast closes, in milliseconds. */
const DISPLAY_TIME = 5000;

interface Message {
  title: string;
  description: string;
}

/** A message with the number of its toast. */
type Toast = Message & { id: number; leaving?: true };

type ShowToast = (message: Message) => void;

const ToastContext = createContext<ShowToast>(() => {});

/** Returns a function that shows a toast in place of the current one. */
export const useToast = (): ShowToast => use(ToastContext);

/** Shows one toast at a time (PAGE-11). */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [toast, setToast] = useState<Toast | null>(null);
  const show = useCallback((message: Message) => setToast((last) => ({ ...message, id: (last?.id ?? 0) + 1 })), []);
  return (
    <ToastContext value={show}>
      {children}
      <ToastRegion toast={toast} setToast={setToast} />
    </ToastContext>
  );
}

interface ToastRegionProps {
  toast: Toast | null;
  setToast: Dispatch<SetStateAction<Toast | null>>;
}

function ToastRegion({ toast, setToast }: ToastRegionProps) {
  const region = useRef<HTMLElement>(null);
  const previousFocus = useRef<Element | null>(null);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);

  function close() {
    // The focused button disappears with the toast, so the focus returns to the element that had it before.
    if (region.current?.contains(document.activeElement)) {
      const target = previousFocus.current?.isConnected ? previousFocus.current : document.getElementById("main");
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    }
    setHovered(false);
    setFocused(false);
    setToast((last) => last && { ...last, leaving: true });
  }
  const closeFromEffect = useEffectEvent(close);

  useEffect(() => {
    if (!toast || toast.leaving || hovered || focused) return;
    // After a pause the full time starts again.
    const timer = setTimeout(() => closeFromEffect(), DISPLAY_TIME);
    return () => clearTimeout(timer);
  }, [toast, hovered, focused]);

  const id = toast?.id;
  // Before the toast is painted. Its number starts this again for another toast.
  useLayoutEffect(() => {
    if (!id || !region.current) return;
    return avoidFocusedControl(region.current);
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
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === "Escape") closeFromEffect();
    };
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  }, [toast]);

  function enter(event: FocusEvent) {
    if (!event.currentTarget.contains(event.relatedTarget)) previousFocus.current = event.relatedTarget;
    setFocused(true);
  }

  return (
    <section
      ref={region}
      aria-label="Notifications"
      className={toast ? "toast toast-open" : "toast"}
      data-leaving={toast?.leaving}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={enter}
      onBlur={() => setFocused(false)}
    >
      {toast && <Icon shape="check" />}
      {/*
       * Screen readers announce text only in a live region that was in the page before the text. The key replaces the
       * elements of the last toast, or a repeated message would not be announced.
       */}
      <div role="status">
        {toast && (
          <div key={toast.id} className="toast-message">
            <p className="toast-title">{toast.title}</p>
            <p>{toast.description}</p>
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
