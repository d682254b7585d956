import { BackLink } from "../components/back-link";
import { LegalPage, type LegalSection } from "../components/legal-page";
import { AppName } from "../components/setting-texts";
import { TextLink } from "../components/text-link";

/** PAGE-5 */
export function Terms() {
  return <LegalPage title="Terms of Service" backLink={<BackLink />} dateLabel="Effective date:" sections={sections} />;
}

const sections: LegalSection[] = [
  {
    id: "introduction",
    heading: "1. Introduction",
    body: (
      <>
        <p>
          These Terms of Service are an agreement between you and the provider of <AppName /> (“we”, “us”). They apply
          whenever you use the <AppName /> mobile app or any service that belongs to it. This website only describes the
          app.
        </p>
        <p>
          By using the app you accept these terms. If you do not accept them, please do not use it. If the law where you
          live requires a parent or guardian to agree on your behalf, make sure that they have read these terms and
          agree to them. The app is not intended for children under 13.
        </p>
      </>
    ),
  },
  {
    id: "app-services",
    heading: "2. App Services",
    body: (
      <>
        <h3>Features</h3>
        <p>
          <AppName /> uses AI to extract recipes from short cooking videos, and lets you save and organise the ones you
          like. We work on the app all the time, so features may be added, changed or withdrawn. Where a change takes
          something important away from you, we will try to tell you beforehand.
        </p>
        <p>
          The videos stay with the platforms on which they were published. Whether a recipe can be extracted depends on
          the video, and on that platform continuing to make it available.
        </p>
        <h3>User content</h3>
        <p>
          What you add to the app, such as notes, changes to a recipe or the videos you submit, is your content. The
          rights that you have in it remain yours. You allow us, and the service providers that work for us, to store,
          process and display it as far as that is necessary to provide the app to you. This permission ends when you
          delete the content or your account, except for copies that we may keep for longer, as the section “Data
          Retention” of our Privacy Policy says.
        </p>
        <p>You are responsible for your content, and for having the right to use it in this way.</p>
      </>
    ),
  },
  {
    id: "user-rights-and-obligations",
    heading: "3. User Rights and Obligations",
    body: (
      <>
        <p>
          We give you a personal, non-exclusive and non-transferable right to use the app for your own cooking, for as
          long as you keep to these terms. You may stop using it, and ask us to delete your account, at any time.
        </p>
        <p>In return, you agree to:</p>
        <ul>
          <li>give correct information when you create an account, and keep your sign-in details to yourself;</li>
          <li>use the app only in ways that the law and the rights of others allow;</li>
          <li>respect the people who made the videos, and the terms of the platforms that show them;</li>
          <li>not disturb, overload or try to break into the app or its servers;</li>
          <li>not copy, resell or take apart the app, except where the law expressly allows it;</li>
          <li>not use automated means to collect content from the app.</li>
        </ul>
        <p>We may suspend or close an account that seriously or repeatedly breaks these rules.</p>
      </>
    ),
  },
  {
    id: "privacy-and-data",
    heading: "4. Privacy and Data",
    body: (
      <p>
        Our <TextLink href="/privacy">Privacy Policy</TextLink> explains which personal information we collect, how we
        use and share it, and which rights you have. Please read it before you use the app.
      </p>
    ),
  },
  {
    id: "intellectual-property",
    heading: "5. Intellectual Property",
    body: (
      <>
        <p>
          The app, its design, its software and the name <AppName /> belong to us or to those who license them to us.
          These terms give you the right to use the app, and no other right in it.
        </p>
        <p>
          The rights in videos, and in the recipes shown in them, remain with their owners. Saving a recipe for your own
          kitchen does not give you the right to publish the work of somebody else. TikTok and other names of products
          and companies are trademarks of their owners, and are mentioned only to say what the app works with.
        </p>
        <p>
          If you believe that something in the app infringes your rights, please tell us which content you mean and why,
          and we will look into it.
        </p>
      </>
    ),
  },
  {
    id: "disclaimers-and-limitations",
    heading: "6. Disclaimers and Limitations",
    body: (
      <>
        <p>
          Recipes are extracted by AI, and AI makes mistakes. Amounts, times, temperatures, ingredients or steps may be
          wrong or missing. Compare a recipe with its video, use your own judgement, and always check ingredients
          yourself if you have an allergy or follow a diet. What the app shows is not medical or nutritional advice.
        </p>
        <p>
          The app is provided as it is and as it is available. As far as the law allows, we give no warranty that it
          will be free of errors, always available, or suited to a particular purpose.
        </p>
        <p>
          As far as the law allows, we are not liable for indirect or consequential damage, nor for the loss of content
          or data, that results from using the app or from not being able to use it. Nothing in these terms limits a
          liability that cannot be limited by law, or takes away rights that the law gives you as a consumer.
        </p>
      </>
    ),
  },
  {
    id: "changes-to-terms",
    heading: "7. Changes to Terms",
    body: (
      <p>
        We may change these terms, for example when the app or the law changes. The current version is always on this
        page. If a change is significant, we will tell you in the app or by email before it takes effect. If you go on
        using the app after that, you accept the new terms; if you do not agree with them, please stop using it.
      </p>
    ),
  },
  {
    id: "contact-information",
    heading: "8. Contact Information",
    body: (
      <p>
        If you have a question about these terms, please write to the support address on our{" "}
        <TextLink href="/contact">contact page</TextLink>.
      </p>
    ),
  },
];
