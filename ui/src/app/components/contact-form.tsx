import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSettings } from "../settings";
import { Field } from "./field";
import { Icon } from "./icon";
import { Toast, type ToastState } from "./toast";

/** The duration of the simulated request, in milliseconds. */
const SEND_DELAY = 1000;

/** The time after sending, and after each press in this time, in which another press has no effect, in milliseconds. */
const REST = 2000;

/** Says what is wrong with a value that the browser does not accept as an email address. */
function emailProblem(value: string): string {
  if (value === "") return "Please add your email.";
  if (!value.includes("@")) return "The address has no @.";
  if (/^@|@$/.test(value)) return "The address is cut off.";
  const [odd] = /[^\w.!#$%&'*+/=?^`{|}~@-]/u.exec(value) ?? [];
  if (odd) return odd === " " ? "The address has a space." : `The address has “${odd}”.`;
  return "The address is invalid.";
}

/** `value` without the invisible characters that a copied address may contain, and with ASCII for full-width characters. */
function tidyAddress(value: string): string {
  return value
    .normalize("NFKC")
    .replace(/[\p{Cc}\p{Cf}\p{DI}\u2800]/gu, "")
    .trim();
}

/**
 * Sending (PAGE-10). A timer simulates the request, because the site has no server that accepts messages (PAGE-13).
 * Leaving the page cancels it, even if the browser keeps the page for Back.
 */
function useSending(form: RefObject<HTMLFormElement | null>, onSent: () => void) {
  const [state, setState] = useState<"idle" | "sending" | "sent">("idle");
  const finish = useEffectEvent(() => {
    flushSync(() => {
      setState("sent");
      onSent();
    });
    // React may have failed to render the confirmation. Then the served page is back, `form.current` is null, and its form
    // keeps what was typed (PAGE-19).
    form.current?.reset();
  });

  useEffect(() => {
    if (state !== "sending") return;
    const timer = setTimeout(() => finish(), SEND_DELAY);
    const cancel = () => {
      // The browser may freeze the page before React renders, and the timer would be due at the return.
      clearTimeout(timer);
      setState("idle");
    };
    addEventListener("pagehide", cancel);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", cancel);
    };
  }, [state]);

  return {
    sending: state === "sending",
    sent: state === "sent",
    send: () => setState("sending"),
    endConfirmation: () => setState((current) => (current === "sent" ? "idle" : current)),
  };
}

/**
 * Keeps the focus in the form while its button is disabled: the button would lose it, and Tab would then start from the top of
 * the page; a field would keep the keyboard of a phone open, over the toast. The button gets it afterwards, unless the visitor
 * has moved it since.
 */
function useFocusOfForm(
  form: RefObject<HTMLFormElement | null>,
  button: RefObject<HTMLButtonElement | null>,
  disabled: boolean,
) {
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (disabled && form.current?.contains(activeElement)) form.current.focus({ preventScroll: true });
    if (!disabled && form.current === activeElement) button.current?.focus({ preventScroll: true });
  }, [form, button, disabled]);
}

/** The fields of PAGE-8, sending (PAGE-10) and the check of the button (PAGE-12). */
export function ContactForm() {
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { supportEmail } = useSettings();
  const [toast, setToast] = useState<ToastState>(null);
  /** When a press has an effect again. */
  const restedAt = useRef(0);
  const rest = () => {
    restedAt.current = performance.now() + REST;
  };
  const { sending, sent, send, endConfirmation } = useSending(form, () => {
    rest();
    setToast((last) => ({ id: (last?.id ?? 0) + 1 }));
  });
  useFocusOfForm(form, button, sending);

  useEffect(() => {
    // start.ts marks a form that was submitted before the app was loaded. It may have been edited since, so it is not
    // sent at once, but submitted again, which checks it.
    if (!form.current?.dataset.sending) return;
    delete form.current.dataset.sending;
    // After the effects: React renders at once what the events of the submit change.
    queueMicrotask(() => button.current?.click());
  }, []);

  return (
    <>
      {/*
       * Whatever happens to the script, nothing that was typed gets into an address: the method is "dialog", and the fields
       * have no names (PAGE-13).
       */}
      <form
        ref={form}
        className="contact-form"
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
        onInput={endConfirmation}
        onInvalidCapture={endConfirmation}
        data-sending={sending || undefined}
        data-sent={sent || undefined}
        tabIndex={-1}
        aria-label="Contact Us"
      >
        <Field id="name" label="Name" problem={() => "Please add your name."}>
          {(props) => <input {...props} type="text" readOnly={sending} autoComplete="name" placeholder="Your name" />}
        </Field>
        <Field id="email" label="Email" problem={emailProblem} tidy={tidyAddress}>
          {(props) => (
            <input {...props} type="email" readOnly={sending} autoComplete="email" placeholder="you@example.com" />
          )}
        </Field>
        <Field id="message" label="Message" problem={() => "Please add a message."}>
          {(props) => (
            <textarea
              {...props}
              rows={6}
              readOnly={sending}
              placeholder="Tell us about your question, feedback, or how we can help..."
            />
          )}
        </Field>
        <button
          ref={button}
          type="submit"
          className="button"
          disabled={sending}
          onClick={(event) => {
            // A key is held down, or a hand trembles.
            if (!sent || performance.now() > restedAt.current) return;
            event.preventDefault();
            rest();
          }}
        >
          {/* Always there: where an extension has replaced the text, React could not insert it. */}
          <Icon shape="check" />
          {/* A text of its own, as in field.tsx: a translation moves it. */}
          <span>{sending ? "Sending..." : "Send Message"}</span>
        </button>
        {/*
         * start.ts writes one of its sentences into it. If that script does not run, form.css shows after a while that the form
         * does not work. They are attributes, because programs without a script read every text of the document (PAGE-20).
         */}
        <p
          className="form-notice"
          data-late="The form is still loading. You can also write to "
          data-failed="The form does not work at the moment. Please write to "
          data-address={supportEmail}
          suppressHydrationWarning
        >
          {""}
        </p>
        <p className="visually-hidden" aria-live="polite">
          {sending && "Sending your message."}
        </p>
      </form>
      <Toast toast={toast} setToast={setToast} />
    </>
  );
}
