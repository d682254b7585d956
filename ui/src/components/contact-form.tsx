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
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const showToast = useToast();
  const sending = state === "sending";

  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    // The button was disabled while it had the focus: it takes it back, unless the reader moved on.
    if (!sending && document.activeElement === form.current) button.current?.focus({ preventScroll: true });
  }, [sending]);

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
        <input
          id="name"
          name="name"
          type="text"
          required
          autoComplete="name"
          placeholder="Your name"
          aria-describedby="name-problem"
        />
      </Field>
      <Field id="email" label="Email" problem="Please enter your email address.">
        <input
          id="email"
          name="email"
          type="email"
          required
          autoComplete="email"
          placeholder="you@example.com"
          aria-describedby="email-problem"
        />
      </Field>
      <Field id="message" label="Message" problem="Please write us a message.">
        <textarea
          id="message"
          name="message"
          rows={6}
          required
          autoComplete="off"
          placeholder="Tell us about your question, feedback, or how we can help..."
          aria-describedby="message-problem"
        />
      </Field>
      <button ref={button} type="submit" className="button" disabled={sending}>
        {sending ? "Sending..." : "Send Message"}
      </button>
      {state === "sent" && (
        <p className="form-sent">
          <Icon shape="check" />
          Thank you for writing. The form is ready for another message.
        </p>
      )}
    </form>
  );
}
