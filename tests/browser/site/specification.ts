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

/** The sections of a legal page: of each the heading, the anchor and the topics of its text. */
function sections(...rows: [heading: string, anchor: string, ...covers: RegExp[]][]) {
  return rows.map(([heading, anchor, ...covers]) => ({ heading, anchor, covers }));
}

export const LEGAL_PAGES = [
  {
    path: "/privacy",
    title: "Privacy Policy",
    back: "Back to Home",
    date: /Last updated/,
    numbered: false,
    lastLink: `mailto:${SUPPORT_EMAIL}`,
    sections: sections(
      [
        "Introduction",
        "introduction",
        ...[/RecipeLog/, /privacy/i, /“we” and “us” mean/i],
        /IP address.*access log.*secure.*deleted.*support address on our contact page/,
      ],
      [
        "Information We Collect",
        "information-we-collect",
        ...[/creat\w* an account/i, /us(e|ing) (our|the) service/i, /contact\w* (our )?support/i],
        ...[/surveys?/i, /device/i, /usage statistics/i, /crash reports?/i, /analytics/i],
      ],
      ["How We Use Your Information", "how-we-use-your-information", /use/i, /consent/],
      [
        "Information Sharing",
        "information-sharing",
        ...[/service providers/i, /legal (requirements|obligations?)|law/i, /business transfers?/i],
      ],
      ["Data Security", "data-security", /protect|secur/i],
      ["Data Retention", "data-retention", /keep|retain/i, /delet/i],
      [
        "Your Privacy Rights",
        "your-privacy-rights",
        ...[/access/i, /correct/i, /delet/i, /object/i, /restrict/i],
        ...[/portability/i, /withdraw consent/i],
      ],
      ["Children's Privacy", "childrens-privacy", /under (the age of )?13/i],
      ["International Data Transfers", "international-data-transfers", /countr/i],
      ["Changes to This Privacy Policy", "changes-to-this-policy", /change/i],
      ["Contact Us", "contact-us", /support@recipelog\.example/],
    ),
  },
  {
    path: "/terms",
    title: "Terms of Service",
    back: "← Back to Home",
    date: /Effective/i,
    numbered: true,
    lastLink: "/contact",
    sections: sections(
      ["Introduction", "introduction", /RecipeLog/, /terms/i],
      [
        "App Services",
        "app-services",
        // As the privacy policy says.
        ...[/features/i, /user content|your content/i, /copies.*“Data Retention”/],
      ],
      ["User Rights and Obligations", "user-rights-and-obligations", /you (may|must|agree|can)/i],
      ["Privacy and Data", "privacy-and-data", /Privacy Policy/],
      ["Intellectual Property", "intellectual-property", /copyright|trade ?marks?|licen[cs]e/i],
      ["Disclaimers and Limitations", "disclaimers-and-limitations", /liab/i],
      ["Changes to Terms", "changes-to-terms", /change/i],
      ["Contact Information", "contact-information", /support address on our contact page/],
    ),
  },
];

export const PLACEHOLDERS = {
  Name: "Your name",
  Email: "you@example.com",
  Message: "Tell us about your question, feedback, or how we can help...",
} as const;

export const SENDING = "Sending...";
export const SEND_DELAY_MS = 1_000;
export const VIEW_TRANSITION_MS = 120;

export const TOAST = {
  title: "Message sent!",
  description: "Thank you for your message. We'll get back to you soon.",
  shownForMs: 5_000,
} as const;
