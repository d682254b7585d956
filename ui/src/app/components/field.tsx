import { type FormEvent, type ReactNode, type RefCallback, useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { drafts } from "./drafts";
import { Icon } from "./icon";

type Control = HTMLInputElement | HTMLTextAreaElement;

/**
 * The events of a form in which a value can have changed: a password manager sets it with one of them or with none. The
 * button's click, which Enter in a field causes too, precedes the browser's validation.
 */
const CHANGES = ["input", "change", "keyup", "focusin", "focusout", "click"];

interface ControlProps {
  ref: RefCallback<Control>;
  id: string;
  name?: string;
  required: true;
  dir: "auto";
  "aria-invalid"?: true;
  "aria-describedby"?: string;
  onInvalid: (event: FormEvent<Control>) => void;
  onInput: () => void;
  onBlur: (event: FormEvent<Control>) => void;
}

interface FieldProps {
  id: string;
  /** True if the browser sends the value, with the id as its name. */
  isNamed: boolean;
  label: string;
  /** The error message while the field is marked as invalid, for the value at that time. */
  problem: (value: string) => string;
  /** Returns what was meant by a value. */
  tidy?: (value: string) => string;
  /** Renders the form control. The props connect it to its label and its error message. */
  children: (props: ControlProps) => ReactNode;
}

/**
 * A form control with its label and its error message (PAGE-9). The browser decides if the value is valid. The field is
 * marked as invalid when the form is submitted, or when the user leaves the control after a change.
 */
export function Field({ id, isNamed, label, problem, tidy, children }: FieldProps) {
  /** The value that is marked as invalid. */
  const [invalidValue, setInvalidValue] = useState<string>();
  const changed = useRef(false);
  const problemId = `${id}-problem`;

  const attach = useCallback(
    (control: Control | null) => {
      if (!control) return;
      const draft = drafts.get(control.id);
      if (draft) control.value = draft;
      const listeners = new AbortController();
      const { signal } = listeners;
      const checkAgain = (event: Event) => {
        // Not before it is left, or its form submitted: the dot at the end may not be the end.
        const tidied = event.target === control && event.type !== "focusout" ? undefined : tidy?.(control.value);
        if (tidied !== undefined && tidied !== control.value) control.value = tidied;
        setInvalidValue((marked) => (marked === undefined || control.validity.valid ? undefined : control.value));
      };
      for (const type of CHANGES) control.form?.addEventListener(type, checkAgain, { signal });
      const reset = () => {
        changed.current = false;
        setInvalidValue(undefined);
      };
      control.form?.addEventListener("reset", reset, { signal });
      // For print.css (PAGE-34). An extension may have put the control into a box.
      const showValue = () => control.closest(".field")?.setAttribute("data-value", control.value);
      addEventListener("beforeprint", showValue, { signal });
      return () => {
        listeners.abort();
        drafts.set(control.id, control.value);
      };
    },
    [tidy],
  );

  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        <div className="field-note">
          {/* Before it has its text, the attribute reserves its space. */}
          <p
            id={problemId}
            className="field-problem"
            hidden={invalidValue === undefined}
            data-text={invalidValue === undefined ? problem("") : undefined}
          >
            <Icon shape="warning" />
            {/*
             * The text has an element of its own: browsers translate a page by moving its texts into new elements, and React
             * then finds only a text without siblings (PAGE-10, https://github.com/facebook/react/issues/11538).
             */}
            <span>{invalidValue !== undefined && problem(invalidValue)}</span>
          </p>
          {/* Screen readers say it themselves. */}
          <span aria-hidden="true">required</span>
        </div>
      </div>
      {children({
        ref: attach,
        id,
        ...(isNamed && { name: id }),
        required: true,
        dir: "auto",
        ...(invalidValue !== undefined && { "aria-invalid": true, "aria-describedby": problemId }),
        onInvalid: (event) => {
          // Otherwise the browser shows a message of its own, over this one and over the next field.
          event.preventDefault();
          const control = event.currentTarget;
          // The message exists before the focus, so screen readers announce it with the field.
          flushSync(() => setInvalidValue(control.value));
          if (control === control.form?.querySelector(":invalid")) control.focus();
        },
        onInput: () => {
          changed.current = true;
        },
        // An unchanged field is not an error before the form is submitted. Before the app was loaded, a change was not
        // noticed, but its value is still there.
        onBlur: ({ currentTarget: { value, validity } }) => {
          if ((changed.current || value) && !validity.valid) setInvalidValue(value);
        },
      })}
    </div>
  );
}
