const shapes = {
  check: "M20 6.5 9.5 17.5 4 12",
  appStore: "m4 20 8-16 8 16M7 14.5h10",
  play: "M6.5 4v16L20 12z",
  cross: "m6 6 12 12m0-12L6 18",
  warning: "M12 8v5m0 3.5v.01M12 2.8 22 20.5H2z",
};

/**
 * A decorative icon, hidden from screen readers: text or an accessible name has to give its meaning. Its size does not
 * depend on the style sheet (PAGE-21).
 */
export function Icon({ shape }: { shape: keyof typeof shapes }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
    >
      <path d={shapes[shape]} pathLength={1} />
    </svg>
  );
}
