import { type FormEvent, useEffect, useRef, useState } from "react";
import { Field } from "./field";
import { Icon } from "./icon";
import { useToast } from "./toast";

/** The simulated delay of sending, in milliseconds (specification, point 9). */
const SEND_DELAY = 1000;

/** Sends nothing anywhere: the specification asks for a timer in place of a server. */
export function ContactForm() {
  const [state, setState] = useState<"idle" | "sending" | "sent">("idle");
  const form = useRef<HTMLFormElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const confirmation = useRef<HTMLParagraphElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const showToast = useToast();
  const sending = state === "sending";
  const sent = state === "sent";

  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    // The button was disabled while it had the focus: it takes it back, unless the reader moved on.
    if (!sending && document.activeElement === form.current) button.current?.focus({ preventScroll: true });
  }, [sending]);

  useEffect(() => {
    // A phone shows the button at the lower edge, and what stands below it not at all.
    if (sent) confirmation.current?.scrollIntoView({ block: "nearest" });
  }, [sent]);

  function send(event: FormEvent) {
    event.preventDefault();
    // State arrives with the next render, which is too late for a second Enter in the same frame.
    if (timer.current !== undefined) return;
    // A disabled button drops the focus, and the next Tab would start from the top of the page.
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
    <form ref={form} className="contact-form" onSubmit={send} tabIndex={-1} aria-label="Contact Us">
      <Field id="name" label="Name" problem="Please tell us your name.">
        {(props) => <input {...props} type="text" required autoComplete="name" placeholder="Your name" />}
      </Field>
      <Field id="email" label="Email" problem="Please enter your email.">
        {(props) => <input {...props} type="email" required autoComplete="email" placeholder="you@example.com" />}
      </Field>
      <Field id="message" label="Message" problem="Please write us a message.">
        {(props) => (
          <textarea
            {...props}
            rows={6}
            required
            autoComplete="off"
            placeholder="Tell us about your question, feedback, or how we can help..."
          />
        )}
      </Field>
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
            Sent. Thank you for writing.
          </>
        )}
      </p>
    </form>
  );
}
