/**
 * The colour for the frame of the browser window (`theme-color`) in the light and the dark colour scheme. It is read
 * from the style sheet that Parcel put into the shell, so that only tokens.css defines it.
 */
export function themeColors(shell: string): { light: string; dark: string } {
  const [light, dark] = [...shell.matchAll(/--color-saffron:\s*(#[\da-f]{3,8})/g)].map(([, color]) => color);
  if (!light || !dark) throw new Error("src/styles/tokens.css does not define --color-saffron for light and dark");
  return { light, dark };
}
