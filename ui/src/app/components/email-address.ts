/** Says what to do about a value that the browser does not accept as an email address (PAGE-9). */
export function emailProblem(value: string): string {
  if (value === "") return "Please add your email.";
  if (value.startsWith("@")) return "Add the part before the @.";
  if (value.endsWith("@")) return "Add the part after the @.";
  const [odd] = /[^\w.!#$%&'*+/=?^`{|}~@-]/u.exec(value) ?? [];
  if (odd) return /\s/.test(odd) ? "Remove the space." : `Check the “${odd}”.`;
  const [, beyond] = /@.*([^a-z\d.@-])/i.exec(value) ?? [];
  return beyond ? `Check the “${beyond}” after the @.` : "Write it as name@example.com.";
}

/**
 * What was meant by an address: without invisible characters, with ASCII for full-width characters and for a domain with an
 * umlaut, which Safari refuses, and without what surrounds it in `Ada <ada@example.com>`, in a mail link or in a sentence.
 */
export function tidyAddress(value: string): string {
  return value
    .normalize("NFKC")
    .replace(/[\p{Cc}\p{Cf}\p{DI}\u2800]/gu, "")
    .trim()
    .replace(/^mailto:([^?]*).*/i, "$1")
    .replace(/^.*<(?=.*@)|[\s>.,;]+$/g, "")
    .replace(/@(?=.*[^ -~])[\p{L}\p{M}\p{N}.-]+$/u, (domain) => {
      const { hostname } = Object.assign(document.createElement("a"), { href: `http://${domain}` });
      return hostname ? `@${hostname}` : domain;
    });
}
