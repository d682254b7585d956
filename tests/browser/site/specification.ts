/** Texts, routes and times that docs/pages.md specifies. */

export const APP_NAME = "RecipeLog";
export const SUPPORT_EMAIL = "support@recipelog.example";

export const HEADLINE = "Extract and log your favourite tiktok recipes using AI";
export const SUBHEADING =
  "Turn your TikTok cooking discoveries into organized recipes with the power of AI";

/** The routes, each with the heading of its page. */
export const ROUTES = [
  { path: "/", heading: HEADLINE },
  { path: "/privacy", heading: "Privacy Policy" },
  { path: "/terms", heading: "Terms of Service" },
  { path: "/contact", heading: "Contact Us" },
] as const;

export const UNKNOWN_PATH = "/no/such/page";
export const NOT_FOUND = "Oops! Page not found";

/** The paths of all pages: the routes, and an unknown path for the 404 page. */
export const PAGES = [...ROUTES.map((route) => route.path), UNKNOWN_PATH];

/** A section of a legal page: its heading and the topics of its text. */
export interface Section {
  readonly heading: string;
  readonly covers: readonly RegExp[];
}

export const PRIVACY_SECTIONS: readonly Section[] = [
  { heading: "Introduction", covers: [/RecipeLog/, /privacy/i] },
  {
    heading: "Information We Collect",
    covers: [
      /creat\w* an account/i,
      /us(e|ing) (our|the) service/i,
      /contact\w* (our )?support/i,
      /surveys?/i,
      /device/i,
      /usage statistics/i,
      /crash reports?/i,
      /analytics/i,
    ],
  },
  { heading: "How We Use Your Information", covers: [/use/i] },
  {
    heading: "Information Sharing",
    covers: [
      /service providers/i,
      /legal (requirements|obligations?)|law/i,
      /business transfers?/i,
    ],
  },
  { heading: "Data Security", covers: [/protect|secur/i] },
  { heading: "Data Retention", covers: [/keep|retain/i, /delet/i] },
  {
    heading: "Your Privacy Rights",
    covers: [/access/i, /correct/i, /delet/i, /object/i, /restrict/i, /portability/i],
  },
  { heading: "Children's Privacy", covers: [/under (the age of )?13/i] },
  { heading: "International Data Transfers", covers: [/countr/i] },
  { heading: "Changes to This Privacy Policy", covers: [/change/i] },
  { heading: "Contact Us", covers: [/support@recipelog\.example/] },
];

export const TERMS_SECTIONS: readonly Section[] = [
  { heading: "Introduction", covers: [/RecipeLog/, /terms/i] },
  { heading: "App Services", covers: [/features/i, /user content|your content/i] },
  { heading: "User Rights and Obligations", covers: [/you (may|must|agree|can)/i] },
  { heading: "Privacy and Data", covers: [/Privacy Policy/] },
  { heading: "Intellectual Property", covers: [/copyright|trade ?marks?|licen[cs]e/i] },
  { heading: "Disclaimers and Limitations", covers: [/liab/i] },
  { heading: "Changes to Terms", covers: [/change/i] },
  { heading: "Contact Information", covers: [/contact/i] },
];

export const PLACEHOLDERS = {
  name: "Your name",
  email: "you@example.com",
  message: "Tell us about your question, feedback, or how we can help...",
} as const;

export const MESSAGE_ROWS = 6;
export const SENDING = "Sending...";
export const SEND_DELAY_MS = 1_000;

export const TOAST = {
  title: "Message sent!",
  description: "Thank you for your message. We'll get back to you soon.",
  shownForMs: 5_000,
} as const;
