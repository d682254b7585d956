import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { Icon } from "./icon";

type Control = HTMLInputElement | HTMLTextAreaElement;

type ControlRef = RefObject<Control | null>;

/**
 * The events of a form in which a value can have changed: a password manager sets it with one of them or with none. The
 * button's click, which Enter in a field causes too, precedes the browser's validation.
 */
const CHANGES = ["input", "change", "keyup", "focusin", "focusout", "click"];

const RESET = ["reset"];

/** Calls `listener` for events of the form of a control. */
function useFormEvents(ref: ControlRef, types: string[], listener: (event: Event, control: Control) => void): void {
  const onEvent = useEffectEvent(listener);
  useLayoutEffect(() => {
    const control = ref.current;
    if (!control) return;
    const listeners = new AbortController();
    for (const type of types) {
      control.form?.addEventListener(type, (event) => onEvent(event, control), { signal: listeners.signal });
    }
    return () => listeners.abort();
  }, [ref, types]);
}

/**
 * The values of the form fields that have left the page, by the ids of the fields (PAGE-8). They are kept in no storage
 * of the browser (PAGE-13), and not in the state of a component: after an uncaught error, React has removed all components,
 * and failure.ts needs the values for the served page (PAGE-19).
 */
export const drafts = new Map<string, string>();

/** What was typed is there again after a visit to another page (PAGE-8). */
function useDraft(ref: ControlRef): void {
  useLayoutEffect(() => {
    const control = ref.current;
    if (!control) return;
    const draft = drafts.get(control.id);
    if (draft) control.value = draft;
    return () => {
      drafts.set(control.id, control.value);
    };
  }, [ref]);
}

/** Replaces a value by what was meant by it once the control is left or its form submitted, not while it is typed (PAGE-9). */
function useTidying(ref: ControlRef, tidy: (value: string) => string): void {
  useFormEvents(ref, CHANGES, (event, control) => {
    if (event.target === control && event.type !== "focusout") return;
    const tidied = tidy(control.value);
    if (tidied !== control.value) control.value = tidied;
  });
}

/** Shows the value to print.css (PAGE-34). An extension may have put the control into a box. */
function usePrintedValue(ref: ControlRef): void {
  useLayoutEffect(() => {
    const showValue = () => ref.current?.closest(".field")?.setAttribute("data-value", ref.current.value);
    addEventListener("beforeprint", showValue);
    return () => removeEventListener("beforeprint", showValue);
  }, [ref]);
}

/**
 * The value that is marked as invalid (PAGE-9), if any, and what marks it: a submit of the form, or the focus that leaves a
 * changed control. The browser decides if a value is valid.
 */
function useMark(ref: ControlRef) {
  const [invalidValue, mark] = useState<string>();
  const changed = useRef(false);
  useFormEvents(ref, CHANGES, (_, { value, validity }) =>
    mark((marked) => (marked === undefined || validity.valid ? undefined : value)),
  );
  useFormEvents(ref, RESET, () => {
    changed.current = false;
    mark(undefined);
  });
  return {
    invalidValue,
    onInvalid: (event: FormEvent<Control>) => {
      // Otherwise the browser shows a message of its own, over this one and over the next field.
      event.preventDefault();
      const control = event.currentTarget;
      // The message exists before the focus, so screen readers announce it with the field.
      flushSync(() => mark(control.value));
      if (control === control.form?.querySelector(":invalid")) control.focus();
    },
    onInput: () => {
      changed.current = true;
    },
    // An unchanged field is not an error before the form is submitted. Before the app was loaded, a change was not
    // noticed, but its value is still there.
    onBlur: ({ currentTarget: { value, validity } }: FormEvent<Control>) => {
      if ((changed.current || value) && !validity.valid) mark(value);
    },
  };
}

interface ControlProps extends Omit<ReturnType<typeof useMark>, "invalidValue"> {
  // An input and a text area have refs of their own types.
  ref: RefObject<never>;
  id: string;
  name?: string;
  required: true;
  dir: "auto";
  "aria-invalid"?: true;
  "aria-describedby"?: string;
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

/** A form control with its label and its error message (PAGE-9). */
export function Field({ id, isNamed, label, problem, tidy = (value) => value, children }: FieldProps) {
  const ref = useRef<Control>(null);
  useDraft(ref);
  useTidying(ref, tidy);
  const { invalidValue, ...handlers } = useMark(ref);
  usePrintedValue(ref);
  const problemId = `${id}-problem`;

  return (
    <div className="field">
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        <div className="field-note">
          {/* Before it has its text, the attribute reserves its room. */}
          <p id={problemId} className="field-problem" hidden={invalidValue === undefined}>
            <Icon shape="warning" />
            {/*
             * The text has an element of its own: browsers translate a page by moving its texts into new elements, and React
             * then finds only a text without siblings (PAGE-10, https://github.com/facebook/react/issues/11538).
             */}
            <span data-room={invalidValue === undefined ? problem("") : undefined}>
              {invalidValue !== undefined && problem(invalidValue)}
            </span>
          </p>
          {/* Screen readers say it themselves. */}
          <span aria-hidden="true">required</span>
        </div>
      </div>
      {children({
        ref: ref as RefObject<never>,
        id,
        ...(isNamed && { name: id }),
        required: true,
        dir: "auto",
        ...(invalidValue !== undefined && { "aria-invalid": true, "aria-describedby": problemId }),
        ...handlers,
      })}
    </div>
  );
}
