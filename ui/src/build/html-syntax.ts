/**
 * Converts the markup that React writes to the form that HTML validators accept (PAGE-36): attribute names in lower
 * case, no values of boolean attributes, no `/>`.
 *
 * A regular expression is enough to find the tags, because React escapes `<`, `>` and quotes in text and in attribute
 * values.
 */
export function toHtmlSyntax(markup: string): string {
  return markup.replace(/<[a-z][^>]*>/g, (tag) =>
    tag
      .replace(/ (?:autoComplete|dateTime|fetchPriority)=/g, (name) => name.toLowerCase())
      .replace(/ (required|hidden|crossorigin)=""/g, " $1")
      .replace(/\/>$/, ">"),
  );
}
