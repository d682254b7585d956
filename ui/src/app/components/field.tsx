import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Icon } from "./icon";

type Control = HTMLInputElement | HTMLTextAreaElement;

interface ControlProps {
  id: string;
  name: string;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
  onInvalid: () => void;
  onInput: (event: FormEvent<Control>) => void;
  onBlur: (event: FormEvent<Control>) => void;
}

interface FieldProps {
  id: string;
  label: string;
  /** The error message while the field is marked as invalid. */
  problem: string;
  /** Renders the form control. The props connect it to its label and its error message. */
  children: (props: ControlProps) => ReactNode;
}

/**
 * A form control with its label and its error message. The browser decides if the value is valid. The field is marked
 * as invalid when the form is submitted, or when the user leaves the control after a change.
 */
export function Field({ id, label, problem, children }: FieldProps) {
  const [invalid, setInvalid] = useState(false);
  const changed = useRef(false);
  const frame = useRef<HTMLDivElement>(null);
  const problemId = `${id}-problem`;

  useEffect(() => {
    const form = frame.current?.closest("form");
    const reset = () => {
      changed.current = false;
      setInvalid(false);
    };
    form?.addEventListener("reset", reset);
    return () => form?.removeEventListener("reset", reset);
  }, []);

  return (
    <div ref={frame} className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name: id,
        ...(invalid && { "aria-invalid": true, "aria-describedby": problemId }),
        onInvalid: () => setInvalid(true),
        onInput: ({ currentTarget }) => {
          changed.current = true;
          if (currentTarget.validity.valid) setInvalid(false);
        },
        // An unchanged field is not an error before the form is submitted.
        onBlur: ({ currentTarget }) => {
          if (changed.current && !currentTarget.validity.valid) setInvalid(true);
        },
      })}
      <p id={problemId} className="field-problem">
        <Icon shape="warning" />
        {problem}
      </p>
    </div>
  );
}
