import type { ReactNode } from "react";
import { Icon } from "./icon";

interface FieldProps {
  id: string;
  label: string;
  /** Shown once the field was left, or sent, in a state that does not fit. */
  problem: string;
  children: ReactNode;
}

/** The frame of a form control, which has `id` and is described by `${id}-problem`. */
export function Field({ id, label, problem, children }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children}
      <p id={`${id}-problem`} className="field-problem">
        <Icon shape="warning" />
        {problem}
      </p>
    </div>
  );
}
