import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useSettings } from "../settings";
import { Field } from "./field";
import { Icon } from "./icon";
import { useToast } from "./toast";

/** The duration of the simulated request, in milliseconds. */
const SEND_DELAY = 1000;

/** Says what is wrong with a value that the browser does not accept as an email address. */
function emailProblem(value: string): string {
  if (value === "") return "Please enter your email.";
  if (!value.includes("@")) return "The address has no @.";
  if (/^@|@$/.test(value)) return "The address is incomplete.";
  return "The address is not valid.";
}

/**
 * The fields of PAGE-8, sending (PAGE-10) and the confirmation (PAGE-12). A timer simulates the request, because the
 * site has no server that accepts messages (PAGE-13).
 */
export function ContactForm() {
  const [state, setState] = useState<"idle" | "sending" | "sent">("idle");
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const confirmation = useRef<HTMLParagraphElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { supportEmail } = useSettings();
  const showToast = useToast();
  const sending = state === "sending";
  const sent = state === "sent";

  useEffect(() => {
    // Returns the focus that `send` moved from the button to the form, unless the user has moved it since.
    if (!sending && document.activeElement === form.current) button.current?.focus({ preventScroll: true });
  }, [sending]);

  useEffect(() => {
    // On a phone the button is at the lower edge of the screen, and the confirmation is below the button.
    if (sent) confirmation.current?.scrollIntoView({ block: "nearest" });
  }, [sent]);

  const sendEarlySubmit = useEffectEvent(() => {
    // start.ts marks a form that was submitted before the app was loaded. It may have been edited since.
    if (!form.current?.dataset.sending) return;
    if (form.current.reportValidity()) send();
    else delete form.current.dataset.sending;
  });

  // The last effect: the first one would return the focus that `send` moves.
  useEffect(() => {
    sendEarlySubmit();
    return () => clearTimeout(timer.current);
  }, []);

  function send() {
    // Not `state`, which changes only with the next render: a second Enter in the same frame can come first.
    if (timer.current !== undefined) return;
    // A disabled button loses the focus, and Tab would then start from the top of the page.
    if (document.activeElement === button.current) form.current?.focus({ preventScroll: true });
    setState("sending");
    timer.current = setTimeout(() => {
      timer.current = undefined;
      form.current?.reset();
      setState("sent");
      showToast({
        title: "Message sent!",
        description: "Thank you for your message. We'll get back to you soon.",
      });
    }, SEND_DELAY);
  }

  return (
    <form
      ref={form}
      className="contact-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      data-sending={sending || undefined}
      tabIndex={-1}
      aria-label="Contact Us"
    >
      <Field id="name" label="Name" problem={() => "Please tell us your name."}>
        {(props) => <input {...props} type="text" required autoComplete="name" placeholder="Your name" />}
      </Field>
      <Field id="email" label="Email" problem={emailProblem}>
        {(props) => <input {...props} type="email" required autoComplete="email" placeholder="you@example.com" />}
      </Field>
      <Field id="message" label="Message" problem={() => "Please write us a message."}>
        {(props) => (
          <textarea
            {...props}
            rows={6}
            required
            placeholder="Tell us about your question, feedback, or how we can help..."
          />
        )}
      </Field>
      {/* start.ts shows it, and removes the button, if the app cannot be loaded. */}
      <p className="form-failed" hidden>
        The form does not work at the moment. Please write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>{" "}
        instead.
      </p>
      <button ref={button} type="submit" className="button" disabled={sending}>
        {sending ? "Sending..." : "Send Message"}
      </button>
      <p className="visually-hidden" aria-live="polite">
        {sending && "Sending your message."}
      </p>
      <p ref={confirmation} className="form-sent">
        {sent && (
          <>
            <Icon shape="check" />
            <span>Sent. Thank you for writing.</span>
          </>
        )}
      </p>
    </form>
  );
}
