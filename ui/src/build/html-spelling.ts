/**
 * React writes some attributes the way its props are called, gives empty values
 * to those that are merely present, and closes elements that have no end. This
 * is the same document in HTML's own spelling, as validators want it.
 *
 * Tags can be told by their angle brackets: React escapes those, and quotes, in
 * text and in values.
 */
export function spellAsHtml(document: string): string {
  return document.replace(/<[a-z][^>]*>/g, (tag) =>
    tag
      .replace(/ (?:autoComplete|dateTime|fetchPriority)=/g, (name) => name.toLowerCase())
      .replace(/ (required|crossorigin)=""/g, " $1")
      .replace(/\/>$/, ">"),
  );
}
