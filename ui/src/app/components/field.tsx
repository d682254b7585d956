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
  /** Shown, and announced, once the field was left, or sent, in a state that does not fit. */
  problem: string;
  /** Draws the form control with the props that tie it to its label and its problem. */
  children: (props: ControlProps) => ReactNode;
}

/** The frame of a form control. What is wrong with it is the browser's to say; this says when it is told. */
export function Field({ id, label, problem, children }: FieldProps) {
  const [invalid, setInvalid] = useState(false);
  const changed = useRef(false);
  const frame = useRef<HTMLDivElement>(null);
  const problemId = `${id}-problem`;

  useEffect(() => {
    const form = frame.current?.closest("form");
    const startAnew = () => {
      changed.current = false;
      setInvalid(false);
    };
    form?.addEventListener("reset", startAnew);
    return () => form?.removeEventListener("reset", startAnew);
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
        // Whoever only passes through a field has made no mistake yet.
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
