/** `app-name` for `appName` and "-". */
export function separateWords(camelCase: string, separator: string): string {
  return camelCase.replaceAll(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}
