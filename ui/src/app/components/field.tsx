import { type FormEvent, type ReactNode, type RefCallback, useCallback, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { drafts } from "./drafts";
import { Icon } from "./icon";

type Control = HTMLInputElement | HTMLTextAreaElement;

interface ControlProps {
  ref: RefCallback<Control>;
  id: string;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
  onInvalid: (event: FormEvent<Control>) => void;
  onInput: (event: FormEvent<Control>) => void;
  onBlur: (event: FormEvent<Control>) => void;
}

interface FieldProps {
  id: string;
  label: string;
  /** The error message while the field is marked as invalid, for the value at that time. */
  problem: (value: string) => string;
  /** Renders the form control. The props connect it to its label and its error message. */
  children: (props: ControlProps) => ReactNode;
}

/**
 * A form control with its label and its error message (PAGE-9). The browser decides if the value is valid. The field is
 * marked as invalid when the form is submitted, or when the user leaves the control after a change.
 */
export function Field({ id, label, problem, children }: FieldProps) {
  /** The value that is marked as invalid. */
  const [invalidValue, setInvalidValue] = useState<string>();
  const changed = useRef(false);
  const problemId = `${id}-problem`;

  const attach = useCallback((control: Control | null) => {
    if (!control) return;
    const draft = drafts.get(control.id);
    if (draft) control.value = draft;
    const reset = () => {
      changed.current = false;
      setInvalidValue(undefined);
    };
    control.form?.addEventListener("reset", reset);
    // For print.css (PAGE-34).
    const showValue = () => {
      if (control.parentElement) control.parentElement.dataset.value = control.value;
    };
    addEventListener("beforeprint", showValue);
    return () => {
      control.form?.removeEventListener("reset", reset);
      removeEventListener("beforeprint", showValue);
      drafts.set(control.id, control.value);
    };
  }, []);

  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        ref: attach,
        id,
        ...(invalidValue !== undefined && { "aria-invalid": true, "aria-describedby": problemId }),
        onInvalid: (event) => {
          // Otherwise the browser shows a message of its own, over this one and over the next field.
          event.preventDefault();
          const control = event.currentTarget;
          // The message exists before the focus, so that screen readers announce it with the field.
          flushSync(() => setInvalidValue(control.value));
          if (control === control.form?.querySelector(":invalid")) control.focus();
        },
        onInput: ({ currentTarget }) => {
          changed.current = true;
          const { validity, value } = currentTarget;
          setInvalidValue((marked) => (marked === undefined || validity.valid ? undefined : value));
        },
        // An unchanged field is not an error before the form is submitted. Before the app was loaded, a change was not
        // noticed, but its value is still there.
        onBlur: ({ currentTarget: { value, validity } }) => {
          if ((changed.current || value) && !validity.valid) setInvalidValue(value);
        },
      })}
      <p id={problemId} className="field-problem" hidden={invalidValue === undefined}>
        <Icon shape="warning" />
        {/*
         * The text has an element of its own: browsers translate a page by moving its texts into new elements, and React
         * then finds only a text without siblings (PAGE-10, https://github.com/facebook/react/issues/11538).
         */}
        <span>{problem(invalidValue ?? "")}</span>
      </p>
    </div>
  );
}
