/** An example of an origin. No test sends a request to it. */
export const ORIGIN = "https://recipes.example";

/** Another origin, whose answers are those of the tests. */
export const RECEIVER = "https://receiver.example";

/** The addresses of the app in the stores. */
const STORES = {
  APP_STORE_URL: "https://apps.apple.com/gb/app/pans/id123",
  PLAY_STORE_URL: "https://play.google.com/store/apps/details?id=example.pans&hl=en",
} as const;

/** The longest name, and an address with 64 characters before its @, without spaces. */
const LONG = {
  APP_NAME: "Grossmutterskochbuchsammlungsverwaltungsanwendungshersteller",
  SUPPORT_EMAIL: `${"feedback-and-support".repeat(4).slice(0, 64)}@grandmothersrecipecollection.example`,
} as const;

/** A name from right to left, with the special characters of HTML, JSON, XML and URLs. */
export const SIGNS = {
  APP_NAME: `\u05d0\u05d1\u05d2! & "Ana's" </script><b>Küche</b> 🍳`,
  SUPPORT_EMAIL: "o'hara+help@kitchen.example",
} as const;

/**
 * The sites that the tests visit, each with its settings as environment variables. A test with the tag @NAME visits the
 * site NAME, any other test the site with the default settings.
 */
export const SITES = {
  default: {},
  origin: { ORIGIN },
  stores: STORES,
  long: { ...STORES, ...LONG },
  signs: SIGNS,
  receiver: { CONTACT_URL: `${RECEIVER}/messages?form=1` },
  /** Messages go to a program behind the proxy of the site. */
  proxied: { CONTACT_URL: "/api/contact" },
  /** Every setting, for the budgets. */
  full: {
    APP_STORE_URL: "https://apps.apple.com/gb/app/grandmothers-recipes/id1234567890",
    PLAY_STORE_URL: "https://play.google.com/store/apps/details?id=app.grandmothers",
    APP_NAME: "Grandmother's Recipe Collection & Co",
    SUPPORT_EMAIL: "feedback-and-support@grandmothers-recipes.example",
    ORIGIN: "https://www.grandmothers-recipe-collection.example",
    CONTACT_URL: "https://formspree.io/f/abcdefgh",
  },
} as const;
