/**
 * The saffron of the page in light and dark, read from the style sheet that Parcel
 * put into the shell: browsers tint their own frame with it, and no colour
 * stands outside tokens.css.
 */
export function themeColors(shell: string): { light: string; dark: string } {
  const [light, dark] = [...shell.matchAll(/--color-saffron:\s*(#[\da-f]{3,8})/g)].map(([, color]) => color);
  if (!light || !dark) throw new Error("tokens.css has lost its --color-saffron, in light or in dark");
  return { light, dark };
}
