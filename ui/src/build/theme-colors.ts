/** The values of a colour, in the order of tokens.css: light before dark. */
function valuesOf(shell: string, name: string): string[] {
  return [...shell.matchAll(new RegExp(`--color-${name}:\\s*(#[\\da-f]{3,8})`, "g"))].map(([, color]) => color ?? "");
}

/**
 * The colour for the frame of the browser window (`theme-color`) in the light and the dark colour scheme. It is read
 * from the style sheet that Parcel put into the shell, so only tokens.css defines it.
 */
export function themeColors(shell: string): { light: string; dark: string } {
  const [light, dark] = valuesOf(shell, "saffron");
  if (!light || !dark) throw new Error("src/styles/tokens.css does not define --color-saffron for light and dark");
  return { light, dark };
}

/** The style sheet of a file with the egg, which does not get the dark colour of its white from the page. */
export function eggStyle(shell: string): string {
  const [dark] = valuesOf(shell, "egg");
  if (!dark) throw new Error("src/styles/tokens.css does not define --color-egg for dark");
  return `@media(prefers-color-scheme:dark){svg{--color-egg:${dark}}}`;
}
