/**
 * The fried egg of public/icon.svg, as part of a drawing 64 units wide. Its colours are the style
 * sheet's; the attributes keep it an egg where style sheets are off.
 */
export function Egg() {
  return (
    <>
      <path
        className="egg-white"
        fill="#fffaf0"
        d="M30.5 10.5c7.5-2 13 2.5 17.5 7s7.5 9 5.5 16 .5 9.5-6 15.5-11.5 2-18 4.5-14-1.5-17-9-.5-9-1.5-15 3-9 7.5-12 5.5-5.2 12-7"
      />
      <circle className="egg-yolk" fill="#ffb915" cx="32.5" cy="32" r="12.5" />
    </>
  );
}
