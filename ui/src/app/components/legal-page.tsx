import { type ReactNode, useEffect, useRef } from "react";
import { LegalDate } from "./current-date";
import { useCurrentSection } from "./current-section";

export interface LegalSection {
  /** The URL fragment. It stays the same if the heading changes, so that links to the section keep working. */
  id: string;
  heading: string;
  body: ReactNode;
}

interface LegalPageProps {
  title: string;
  backLink: ReactNode;
  /** What the date is, such as "Last updated:". */
  dateLabel: string;
  /** YYYY-MM-DD. Without it, the page shows the current date (PAGE-15). */
  date?: `${number}-${number}-${number}`;
  sections: readonly LegalSection[];
}

/**
 * The frame of PAGE-4 and PAGE-5, with the contents and anchors of PAGE-6. On a phone legal.css shows the contents while the
 * disclosure before them is open. They are not in it: in a wide window not every browser can show them without script.
 * A link, Escape, a tap outside and a focus outside close it.
 */
export function LegalPage({ title, backLink, dateLabel, date, sections }: LegalPageProps) {
  const current = useCurrentSection();
  const disclosure = useRef<HTMLDetailsElement>(null);
  // Back renders it closed. If it were open above the section, the browser would restore another scroll position.
  const close = () => disclosure.current?.removeAttribute("open");
  useEffect(() => {
    const closeByEscapeOrOutside = (event: Event) => {
      const details = disclosure.current;
      if (!details?.open) return;
      const inside = event.target instanceof Node && details.parentElement?.contains(event.target);
      if (event instanceof KeyboardEvent ? event.key !== "Escape" : inside) return;
      // A link with the focus is hidden with the list.
      if (inside) details.querySelector("summary")?.focus();
      details.open = false;
    };
    const listeners = new AbortController();
    for (const type of ["keydown", "pointerdown"]) {
      addEventListener(type, closeByEscapeOrOutside, { signal: listeners.signal });
    }
    return () => listeners.abort();
  }, []);
  return (
    <article>
      <div className="legal-title">
        <img className="legal-egg" src="/egg.svg" alt="" width="47" height="48" /> {backLink}
        <h1 tabIndex={-1}>{title}</h1>
        <p>
          {`${dateLabel} `}
          <LegalDate fixed={date} />
        </p>
      </div>
      <div className="legal-columns">
        <nav
          className="legal-contents"
          aria-labelledby="contents"
          onBlur={({ currentTarget, relatedTarget }) => {
            if (relatedTarget && !currentTarget.contains(relatedTarget)) close();
          }}
        >
          <details ref={disclosure}>
            <summary>
              <h2 id="contents">Contents</h2>
              <span>{sections.find(({ id }) => id === current)?.heading}</span>
            </summary>
          </details>
          <ol>
            {sections.map(({ id, heading }) => (
              <li key={id}>
                <a href={`#${id}`} aria-current={id === current ? "location" : undefined} onClick={close}>
                  {heading}
                </a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="legal-text">
          {sections.map(({ id, heading, body }) => (
            // Without a name, it is no landmark: many of them would hide the landmarks of the page.
            <section key={id} id={id}>
              {/* Without an id: reader views leave headings out whose id contains words such as "contact". */}
              <h2>{heading}</h2>
              {/* biome-ignore lint/a11y/useAnchorContent: its name is the label; legal.css writes the sign, which then is in no copied text and in no reader view */}
              <a className="anchor" href={`#${id}`} tabIndex={-1} aria-label={`Link to the section ${heading}`} />
              {body}
            </section>
          ))}
        </div>
      </div>
    </article>
  );
}
