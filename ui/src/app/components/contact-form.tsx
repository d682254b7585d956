import type { KeyboardEvent, RefObject } from "react";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useSettings, WithSetting } from "../settings";
import { emailProblem, tidyAddress } from "./email-address";
import { Field } from "./field";
import { Icon } from "./icon";
import { SupportLink } from "./setting-texts";
import { Toast, type ToastState } from "./toast";

/** The duration of the simulated request, in milliseconds. */
const SEND_DELAY = 1000;

/** The time that a receiver has for its answer, in milliseconds. */
const SEND_TIMEOUT = 15_000;

/** Firefox would otherwise keep a button disabled over a reload. React's types do not have it. */
const stateless = { autoComplete: "off" };

/**
 * Sending (PAGE-10): to `contactUrl`, or a timer simulates it, because the site itself accepts no messages (PAGE-13). Leaving
 * the page cancels it, even if the browser keeps the page for Back.
 */
function useSending(
  form: RefObject<HTMLFormElement | null>,
  contactUrl: string | undefined,
  onEnd: (isSent: boolean) => void,
) {
  const [state, setState] = useState<"idle" | "sending" | "sent" | "refused">("idle");
  const finish = useEffectEvent((isSent: boolean) => {
    flushSync(() => {
      setState(isSent ? "sent" : "refused");
      onEnd(isSent);
    });
    // React may have failed to render the confirmation. Then the served page is back, `form.current` is null, and its form
    // keeps what was typed (PAGE-19).
    if (isSent) form.current?.reset();
  });

  useEffect(() => {
    if (state !== "sending") return;
    const request = new AbortController();
    const timer = setTimeout(() => finish(!contactUrl), contactUrl ? SEND_TIMEOUT : SEND_DELAY);
    if (contactUrl && form.current) {
      const end = (isSent: boolean) => request.signal.aborted || finish(isSent);
      post(contactUrl, form.current, request.signal).then(end, () => end(false));
    }
    return () => {
      clearTimeout(timer);
      request.abort();
    };
  }, [state, form, contactUrl]);

  useEffect(() => {
    if (state !== "sending" && state !== "refused") return;
    // The browser may freeze the page at once, and the timer would be due at the return. Firefox and Safari end the request
    // before that, so after the return nothing would have failed but the visit.
    const cancel = () => flushSync(() => setState("idle"));
    addEventListener("pagehide", cancel);
    return () => removeEventListener("pagehide", cancel);
  }, [state]);

  return [state, setState] as const;
}

/**
 * Sends the fields, and returns if they were accepted. Nothing in the request needs a preflight (Fetch §3.3.5). A redirect, the
 * usual answer to a form, leads to a page that nobody would see.
 */
async function post(url: string, form: HTMLFormElement, signal: AbortSignal): Promise<boolean> {
  // FormData has only texts here: the form has no file.
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>);
  const headers = { accept: "application/json" };
  const response = await fetch(url, {
    method: "POST",
    body,
    headers,
    credentials: "omit",
    // An export on another host has no field that says it.
    referrerPolicy: "no-referrer",
    redirect: "manual",
    signal,
  });
  return response.ok || response.type === "opaqueredirect";
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
    if (disabled && form.current?.contains(activeElement)) {
      form.current.tabIndex = -1;
      form.current.focus({ preventScroll: true });
    }
    if (disabled) return;
    if (form.current === activeElement) button.current?.focus({ preventScroll: true });
    // Otherwise a click beside the fields would move the focus to the form.
    form.current?.removeAttribute("tabindex");
  }, [form, button, disabled]);
}

function show(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** Enter in a line goes to the next empty field (PAGE-9), if there is one. */
function focusNextEmpty(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return;
  const controls = [...event.currentTarget.elements] as HTMLInputElement[];
  const next = controls.slice(controls.indexOf(event.target) + 1).find(({ required, value }) => required && !value);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/**
 * The fields of PAGE-8, sending (PAGE-10) and the check of the button (PAGE-12).
 *
 * Every state of the form is in its attributes and in those of `.form-notice`, and each state has one writer:
 * - served: no attribute. After 3 s, form.css shows the notice, because no script does (PAGE-19).
 * - started: start.ts hides the notice.
 * - submitted early: start.ts sets `data-sending`. Once hydrated, the form removes it and submits itself.
 * - late: after 10 s without the app, start.ts fills the notice from `data-late`, as a status.
 * - sending, sent: React sets `data-sending` with a disabled button, then `data-sent` until the next input.
 * - refused: React says below the button that the message was not sent, until the next try.
 * - failed: the app does not load, or failure.ts dispatches `app-failed` after an uncaught error. start.ts fills the notice from
 *   `data-failed`, as an alert, and removes the button. Nothing follows but a reload. If the app does not load, a form with a
 *   receiver keeps its button: the browser sends it, as it does without a script.
 */
export function ContactForm() {
  return (
    <WithSetting setting="contactUrl" otherwise={<Form />}>
      {(contactUrl) => <Form contactUrl={contactUrl} />}
    </WithSetting>
  );
}

function Form({ contactUrl }: { contactUrl?: string }) {
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { supportEmail } = useSettings();
  const [toast, setToast] = useState<ToastState>(null);
  const [state, setState] = useSending(form, contactUrl, (isSent) =>
    setToast(isSent ? { id: performance.now() } : null),
  );
  const [sending, sent] = [state === "sending", state === "sent"];
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
       * Whatever happens to the script, nothing that was typed gets into an address: without a receiver, the method is
       * "dialog", and the fields have no names (PAGE-13).
       */}
      <form
        ref={form}
        className="contact-form"
        action={contactUrl}
        method={contactUrl ? "post" : "dialog"}
        rel={contactUrl && "noreferrer"}
        onSubmit={(event) => {
          event.preventDefault();
          setState("sending");
        }}
        onInput={() => sent && setState("idle")}
        onKeyDown={focusNextEmpty}
        data-sending={sending || undefined}
        data-sent={sent || undefined}
        aria-label="Contact Us"
      >
        <Field id="name" isNamed={!!contactUrl} label="Name" problem={() => "Please add your name."}>
          {(props) => (
            <input
              {...props}
              type="text"
              readOnly={sending}
              autoComplete="name"
              autoCapitalize="words"
              enterKeyHint="next"
              placeholder="Your name"
            />
          )}
        </Field>
        <Field id="email" isNamed={!!contactUrl} label="Email" problem={emailProblem} tidy={tidyAddress}>
          {(props) => (
            <input
              {...props}
              type="email"
              readOnly={sending}
              autoComplete="email"
              enterKeyHint="next"
              spellCheck={false}
              placeholder="you@example.com"
            />
          )}
        </Field>
        <Field id="message" isNamed={!!contactUrl} label="Message" problem={() => "Please add a message."}>
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
          {...stateless}
          onClick={(event) => {
            // While the fields are empty, a press is a key that is held down, or a second press.
            if (sent && form.current?.matches(":invalid")) event.preventDefault();
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
          // A form with a receiver works without a script. Where React renders the page, start.ts has run before. Hydration
          // leaves the attribute to start.ts.
          hidden={!!contactUrl || typeof document !== "undefined"}
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
        {state === "refused" && (
          <p className="field-problem" role="alert" ref={show}>
            <Icon shape="warning" />
            <span>
              Your message was not sent. Please try again, or write to <SupportLink />.
            </span>
          </p>
        )}
      </form>
      <Toast toast={toast} setToast={setToast} />
    </>
  );
}
