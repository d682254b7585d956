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
      <radialGradient id="egg-white" cx=".42" cy=".38" r=".66">
        <stop offset=".45" stopColor="#fff3e0" />
        <stop offset=".8" stopColor="#fce6c6" />
        <stop offset="1" stopColor="#edc08a" />
      </radialGradient>
      <radialGradient id="egg-shadow">
        <stop offset=".78" stopColor="#a8641fbf" />
        <stop offset="1" stopColor="#a8641f00" />
      </radialGradient>
      <radialGradient id="egg-yolk" cx=".37" cy=".33" r=".7">
        <stop stopColor="#ffd748" />
        <stop offset=".45" stopColor="#ffbf22" />
        <stop offset=".82" stopColor="#fb9d0e" />
        <stop offset="1" stopColor="#e07306" />
      </radialGradient>
      <radialGradient id="egg-gleam">
        <stop stopColor="#ffffffe6" />
        <stop offset=".35" stopColor="#ffffffbf" />
        <stop offset="1" stopColor="#ffffff00" />
      </radialGradient>
      <path fill="#8a350059" transform="translate(.6 1.2)" d={white.path} />
      {/* The browned edge is as wide as one outline, turned, leaves of another. */}
      <path fill="#b8742d" d={white.path} />
      <path fill="#dfa65a" transform="rotate(4 31.5 32.4)translate(.6 .6)scale(.98)" d={white.path} />
      <path fill="url(#egg-white)" transform="rotate(-3 31.5 32.4)translate(1.1 1.1)scale(.964)" d={white.path} />
      {/* The dashes are bubbles. */}
      <g fill="none" stroke="#cf9448" strokeLinecap="round">
        <path
          strokeWidth=".8"
          strokeDasharray="0 2.1 .3 13 0 1.3 .5 8.1"
          transform="translate(1.3 1.3)scale(.958)"
          d={white.path}
        />
        <path
          strokeOpacity=".65"
          strokeWidth=".55"
          strokeDasharray="0 3.1 0 1.4 0 9.7 0 .9 0 5.3"
          transform="translate(2.5 2.4)scale(.922)"
          d={white.path}
        />
      </g>
      <path
        fill="#d9a56673"
        transform="translate(33.7 33.3)rotate(200)scale(.78)translate(-31.5-32.4)"
        d={white.path}
      />
      <path
        fill={white.color}
        transform="translate(33.1 32.4)rotate(200)scale(.77)translate(-31.5-32.4)"
        d={white.path}
      />
      <g className="yolk">
        <circle fill="url(#egg-shadow)" cx={yolk.x + 0.9} cy={yolk.y + 1.4} r={yolk.radius + 1.8} />
        <circle fill="url(#egg-yolk)" cx={yolk.x} cy={yolk.y} r={yolk.radius} />
        <ellipse fill="url(#egg-gleam)" rx="5.2" ry="2.7" transform="translate(28 26.6)rotate(-38)" />
      </g>
      {/* Pepper and paprika */}
      <path
        fill="#3a0d05"
        d="M45.5 37.1l-.4-.2l.4-.2zM38.7 48.3l-.4-.6l.7 0zM19 43.6l-.5 .1l-.1-.5l.6-.2zM18.9 27l.3 .2l-.1 .2l-.3-.1zM22.2 22.3l-.2-.4l.3-.4l.4 .5zM41.9 19.9l.6 .1l-.4 .4zM45 24.3l.2-.2l.2 .3zM45.9 37.8l.3 0l-.1 .3l-.3-.1zM36 47l0-.3l.5 0l-.1 .3zM19 44.7l.3-.2l.4 .4l-.6 .2zM16.2 31.9l.2-.2l.1 .2zM23.8 17.2l-.3-.3l.3-.3l.3 .3zM45.7 23.9l-.2-.1l.1-.3l.3 .2zM48.2 26.9l.1 .4l-.4-.1l.1-.4z"
      />
      <path
        fill="#d02410"
        d="M39.6 43.7l.4 0l-.1 .4l-.4 0zM18 41.9l-.5-.4l.8-.1zM21.5 20l-.3 .3l-.1-.4l.3-.2zM37.9 17.6l-.2 .3l-.4-.1l.3-.3zM41.5 46.5l.2-.3l.6 .1l-.2 .6zM19.2 43.8l-.6-.1l.2-.3l.3 .1zM22.9 18l.6-.5l.4 .6l-.6 .2zM42.2 20.5l-.2-.6l.7-.2l.3 .5z"
      />
    </svg>
  );
}
