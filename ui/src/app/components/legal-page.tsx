import type { ReactNode } from "react";

export interface LegalSection {
  /** The URL fragment. It stays the same if the heading changes, so that links to the section keep working. */
  id: string;
  heading: string;
  body: ReactNode;
}

interface LegalPageProps {
  title: string;
  backLink: ReactNode;
  dateLine: ReactNode;
  sections: readonly LegalSection[];
}

/** The frame of PAGE-4 and PAGE-5, with the contents and anchors of PAGE-6. */
export function LegalPage({ title, backLink, dateLine, sections }: LegalPageProps) {
  return (
    <article>
      <div className="legal-title">
        {backLink}
        <h1 tabIndex={-1}>{title}</h1>
        <p>{dateLine}</p>
      </div>
      <div className="legal-columns">
        <nav className="legal-contents" aria-labelledby="contents">
          <h2 id="contents">Contents</h2>
          <ol>
            {sections.map(({ id, heading }) => (
              <li key={id}>
                <a href={`#${id}`}>{heading}</a>
              </li>
            ))}
          </ol>
        </nav>
        <div className="legal-text">
          {sections.map(({ id, heading, body }) => (
            <section key={id} id={id} aria-labelledby={`${id}-heading`}>
              <h2 id={`${id}-heading`}>{heading}</h2>
              <a className="anchor" href={`#${id}`} aria-label={`Link to the section ${heading}`}>
                #
              </a>
              {body}
            </section>
          ))}
        </div>
      </div>
    </article>
  );
}
