import mark from "../../art/mark.json";

/**
 * The fried egg of the mark, drawn as the eggs of the dish in the hero picture. The box ends where the egg ends, below. In a
 * box of another shape, the egg is at the lower right (contact.css).
 */
export function Egg({ className }: { className?: string }) {
  const { white, yolk } = mark;
  return (
    <svg
      className={className}
      viewBox="10 10 45 44.25"
      width="45"
      height="44.25"
      preserveAspectRatio="xMaxYMax"
      overflow="visible"
      aria-hidden="true"
    >
      <radialGradient id="egg-white" cx=".4" cy=".36" r=".68">
        <stop offset=".4" stopColor="#fff1db" />
        <stop offset=".8" stopColor="#fbe5c6" />
        <stop offset="1" stopColor="#efc797" />
      </radialGradient>
      <radialGradient id="egg-yolk" cx=".38" cy=".34" r=".72">
        <stop stopColor="#ffe46b" />
        <stop offset=".4" stopColor="#ffc021" />
        <stop offset=".8" stopColor="#fb9a0d" />
        <stop offset="1" stopColor="#dd6f04" />
      </radialGradient>
      <radialGradient id="egg-gleam">
        <stop stopColor="#fffffff2" />
        <stop offset="1" stopColor="#ffffff00" />
      </radialGradient>
      <path fill="#8a350059" transform="translate(.6 1.2)" d={white.path} />
      <path fill="#d2924a" d={white.path} />
      {/* The dashes are the lace of the browned edge, and bubbles beside it. */}
      <g stroke="#d2924a" strokeLinecap="round">
        <path
          fill="url(#egg-white)"
          strokeWidth=".8"
          strokeDasharray="0 1.2 .9 3.7 0 .9 0 6.1 1.6 1.5 0 8.3"
          transform="translate(.7 .55)scale(.978)"
          d={white.path}
        />
        <path
          fill="none"
          strokeOpacity=".5"
          strokeWidth=".5"
          strokeDasharray="0 3.1 0 1.4 0 9.7 0 .9 0 5.3"
          transform="translate(1.9 1.75)scale(.942)"
          d={white.path}
        />
      </g>
      <path
        fill={white.color}
        transform="translate(33.1 32.4)rotate(200)scale(.77)translate(-31.5-32.4)"
        d={white.path}
      />
      {/* Makes the white less bright in the dark. */}
      <path fill="var(--color-ground,#0000)" fillOpacity=".1" d={white.path} />
      <circle fill="#c98a488c" cx={yolk.x + 1.3} cy={yolk.y + 2.2} r={yolk.radius + 0.6} />
      <g className="yolk">
        <circle fill="url(#egg-yolk)" cx={yolk.x} cy={yolk.y} r={yolk.radius} />
        <ellipse fill="url(#egg-gleam)" rx="5" ry="3.1" transform="translate(28 26.8)rotate(-34)" />
      </g>
      {/* Pepper and paprika */}
      <g fill="none" strokeLinecap="round">
        <path
          stroke="#3a0d05"
          strokeWidth=".45"
          d="m20.8 22.4.4.4M41 18.2h.5m5.3 21.6v.5M17.6 38.2l.4.4m6.5 8.3.5-.3m18.2-1.1h.5"
        />
        <path stroke="#d8200c" strokeWidth=".65" d="M23.3 20.6h.5m20.5 1.2.4.4m-4.3 26.2h.6M17.3 32v.5" />
      </g>
    </svg>
  );
}
