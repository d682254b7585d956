/**
 * Converts the markup of React and Parcel to the form that HTML validators accept (PAGE-36): attribute names in lower
 * case, no values of boolean attributes, no `/>`, no space at the end of a line.
 *
 * Regular expressions are enough. Scripts and styles are left out. In the rest, React escapes `<`, `>` and quotes in
 * text and in attribute values.
 */
export function toHtmlSyntax(document: string): string {
  // The separators, which are in a group, have the odd indexes.
  const parts = document.split(/(<script.*?<\/script>|<style.*?<\/style>)/s);
  return parts.map((part, index) => (index % 2 === 0 ? convert(part) : part)).join("");
}

function convert(markup: string): string {
  return markup
    .replace(/<[a-z][^>]*>/g, (tag) =>
      tag
        .replace(/ (?:autoComplete|dateTime|fetchPriority)=/g, (name) => name.toLowerCase())
        .replace(/ (required|hidden|crossorigin)=""/g, " $1")
        .replace(/\/>$/, ">"),
    )
    .replace(/\s+\n/g, "\n");
}
