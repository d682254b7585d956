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

/** The links in the header of every page (PAGE-2). */
export const HEADER_LINKS = [
  { name: APP_NAME, path: "/" },
  { name: "Contact", path: "/contact" },
  { name: "Privacy", path: "/privacy" },
] as const;

/** The links in the footer of every page (PAGE-2). */
export const FOOTER_LINKS = [
  { name: "Privacy Policy", path: "/privacy" },
  { name: "Terms of Service", path: "/terms" },
  { name: "Contact", path: "/contact" },
] as const;

export const UNKNOWN_PATH = "/no/such/page";
export const NOT_FOUND = "Oops! Page not found";

/** The paths of all pages: the routes, and an unknown path for the 404 page. */
export const PAGES = [...ROUTES.map((route) => route.path), UNKNOWN_PATH];

/** A section of a legal page: its heading, its anchor and the topics of its text. */
export interface Section {
  readonly heading: string;
  readonly anchor: string;
  readonly covers: readonly RegExp[];
}

const PRIVACY_SECTIONS: readonly Section[] = [
  {
    heading: "Introduction",
    anchor: "introduction",
    covers: [
      /RecipeLog/,
      /privacy/i,
      /“we” and “us” mean/i,
      /IP address.*access log.*secure.*deleted.*support address on our contact page/,
    ],
  },
  {
    heading: "Information We Collect",
    anchor: "information-we-collect",
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
  {
    heading: "How We Use Your Information",
    anchor: "how-we-use-your-information",
    covers: [/use/i, /consent/],
  },
  {
    heading: "Information Sharing",
    anchor: "information-sharing",
    covers: [
      /service providers/i,
      /legal (requirements|obligations?)|law/i,
      /business transfers?/i,
    ],
  },
  { heading: "Data Security", anchor: "data-security", covers: [/protect|secur/i] },
  { heading: "Data Retention", anchor: "data-retention", covers: [/keep|retain/i, /delet/i] },
  {
    heading: "Your Privacy Rights",
    anchor: "your-privacy-rights",
    covers: [
      /access/i,
      /correct/i,
      /delet/i,
      /object/i,
      /restrict/i,
      /portability/i,
      /withdraw consent/i,
    ],
  },
  {
    heading: "Children's Privacy",
    anchor: "childrens-privacy",
    covers: [/under (the age of )?13/i],
  },
  {
    heading: "International Data Transfers",
    anchor: "international-data-transfers",
    covers: [/countr/i],
  },
  {
    heading: "Changes to This Privacy Policy",
    anchor: "changes-to-this-policy",
    covers: [/change/i],
  },
  { heading: "Contact Us", anchor: "contact-us", covers: [/support@recipelog\.example/] },
];

const TERMS_SECTIONS: readonly Section[] = [
  { heading: "Introduction", anchor: "introduction", covers: [/RecipeLog/, /terms/i] },
  {
    heading: "App Services",
    anchor: "app-services",
    // As the privacy policy says.
    covers: [/features/i, /user content|your content/i, /copies.*“Data Retention”/],
  },
  {
    heading: "User Rights and Obligations",
    anchor: "user-rights-and-obligations",
    covers: [/you (may|must|agree|can)/i],
  },
  { heading: "Privacy and Data", anchor: "privacy-and-data", covers: [/Privacy Policy/] },
  {
    heading: "Intellectual Property",
    anchor: "intellectual-property",
    covers: [/copyright|trade ?marks?|licen[cs]e/i],
  },
  {
    heading: "Disclaimers and Limitations",
    anchor: "disclaimers-and-limitations",
    covers: [/liab/i],
  },
  { heading: "Changes to Terms", anchor: "changes-to-terms", covers: [/change/i] },
  {
    heading: "Contact Information",
    anchor: "contact-information",
    covers: [/support address on our contact page/],
  },
];

export const LEGAL_PAGES: readonly {
  readonly path: string;
  readonly title: string;
  readonly back: string;
  readonly date: RegExp;
  readonly numbered: boolean;
  readonly sections: readonly Section[];
}[] = [
  {
    path: "/privacy",
    title: "Privacy Policy",
    back: "Back to Home",
    date: /Last updated/,
    numbered: false,
    sections: PRIVACY_SECTIONS,
  },
  {
    path: "/terms",
    title: "Terms of Service",
    back: "← Back to Home",
    date: /Effective/i,
    numbered: true,
    sections: TERMS_SECTIONS,
  },
];

export const PLACEHOLDERS = {
  name: "Your name",
  email: "you@example.com",
  message: "Tell us about your question, feedback, or how we can help...",
} as const;

export const MESSAGE_ROWS = 6;
export const SENDING = "Sending...";
export const SEND_DELAY_MS = 1_000;
export const VIEW_TRANSITION_MS = 120;

export const TOAST = {
  title: "Message sent!",
  description: "Thank you for your message. We'll get back to you soon.",
  shownForMs: 5_000,
} as const;
