import { BackLink } from "../components/back-link";
import { LegalPage, type LegalSection } from "../components/legal-page";
import { AppName, SupportLink } from "../components/setting-texts";
import { TextLink } from "../components/text-link";
import { WithSetting } from "../settings";

/** PAGE-4 */
export function Privacy() {
  return (
    <LegalPage title="Privacy Policy" backLink={<BackLink drawn />} dateLabel="Last updated:" sections={sections} />
  );
}

const sections: LegalSection[] = [
  {
    id: "introduction",
    heading: "Introduction",
    body: (
      <>
        <p>
          <AppName /> is a mobile app that uses AI to extract recipes from short cooking videos, and lets you organise
          and save the ones you like. This Privacy Policy explains what information we collect when you use the app and
          its related services, why we collect it, who may receive it, and what you can ask us to do with it. “We” and
          “us” mean the provider of <AppName />, whom you reach at the address in the last section.
        </p>
        <p>
          This website is separate from the app, which it only describes. It sets no cookies, and stores no information
          about you in your browser. As every web server does, the server of this website receives the IP address of
          your device with each request, so that it can answer. An access log may record that address with the time, the
          requested page, the page that led to it and the type of your browser. Such a log serves to keep the website
          running and secure, and is deleted when it is no longer needed for that. You can ask how long that is at the
          support address on our <TextLink href="/contact">contact page</TextLink>.
        </p>
        <WithSetting
          setting="contactUrl"
          otherwise={<p>The form on that page does not send what you type anywhere.</p>}
        >
          {() => (
            <p>
              The form on that page sends your name, your email address and what you write to us, or to companies that
              work for us.
            </p>
          )}
        </WithSetting>
        <p>If you do not want your information to be handled as described here, please do not use the app.</p>
      </>
    ),
  },
  {
    id: "information-we-collect",
    heading: "Information We Collect",
    body: (
      <>
        <h3>Personal information you give us</h3>
        <p>We collect personal information that you choose to give us. You do so when you:</p>
        <ul>
          <li>create an account, for example your name, your email address and your sign-in details;</li>
          <li>use our services, for example the videos you submit, and the recipes and notes you save;</li>
          <li>contact support, for example your email address and what you write to us;</li>
          <li>join a survey, for example your answers and opinions.</li>
        </ul>
        <p>You can decide not to give us some of this. Parts of the app that depend on it may then not work for you.</p>
        <h3>Usage data</h3>
        <p>When you use the app, some information is collected automatically:</p>
        <ul>
          <li>
            device information, such as the model, the operating system and its version, and the version of the app;
          </li>
          <li>usage statistics, such as which features are used and how often;</li>
          <li>crash reports, which tell us what the app was doing when it failed;</li>
          <li>analytics, which show us in summary how people find their way through the app.</li>
        </ul>
      </>
    ),
  },
  {
    id: "how-we-use-your-information",
    heading: "How We Use Your Information",
    body: (
      <>
        <p>We use the information we collect to:</p>
        <ul>
          <li>provide the app: extract recipes from the videos you choose, and keep them saved and organised;</li>
          <li>create and look after your account;</li>
          <li>answer your questions and help when something does not work;</li>
          <li>find and fix errors, and keep the service dependable and secure;</li>
          <li>understand how the app is used, so that we can improve it;</li>
          <li>tell you about important changes to the app, to our terms or to this policy;</li>
          <li>prevent misuse, and meet our legal obligations.</li>
        </ul>
        <p>
          We do not use your personal information for a purpose that has nothing to do with these without telling you
          first and, where the law requires it, asking for your consent.
        </p>
      </>
    ),
  },
  {
    id: "information-sharing",
    heading: "Information Sharing",
    body: (
      <>
        <p>We share personal information only in the following cases:</p>
        <ul>
          <li>
            <strong>Service providers.</strong> Companies that work for us, for example to host our service, to process
            a video with AI, to analyse crashes or to answer support requests, may receive the information that they
            need for that task. They may use it only to perform that task for us.
          </li>
          <li>
            <strong>Legal requirements.</strong> We may disclose information where the law, a court order or a valid
            request from a public authority requires it, or where it is necessary to protect the rights, property or
            safety of our users, of the public or of ourselves.
          </li>
          <li>
            <strong>Business transfers.</strong> If we take part in a merger, an acquisition, a financing or a sale of
            assets, information may be passed on as part of it. It remains subject to the promises of this policy, and
            we will let you know before a different policy applies to it.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: "data-security",
    heading: "Data Security",
    body: (
      <>
        <p>
          We use reasonable technical and organisational measures to protect personal information against loss, misuse,
          and access or disclosure by people who should not have it. Access is meant only for those who need it to do
          their work.
        </p>
        <p>
          No way of sending or storing information is completely secure, so we cannot promise absolute security. You
          help by keeping your sign-in details to yourself. If you believe that your account is no longer secure, please
          tell us at once.
        </p>
      </>
    ),
  },
  {
    id: "data-retention",
    heading: "Data Retention",
    body: (
      <>
        <p>
          We keep personal information for as long as your account exists, or as long as we need it for the purposes
          described in this policy. When it is no longer needed we delete it, or change it so that it can no longer be
          linked to you.
        </p>
        <p>
          We may keep some information for longer where we have to: to comply with the law, to settle a dispute or to
          enforce our agreements. Copies in backups may take some further time to disappear.
        </p>
      </>
    ),
  },
  {
    id: "your-privacy-rights",
    heading: "Your Privacy Rights",
    body: (
      <>
        <p>Depending on where you live, you may have the right to:</p>
        <ul>
          <li>
            <strong>Access:</strong> learn which personal information we hold about you, and receive a copy of it.
          </li>
          <li>
            <strong>Correct:</strong> have information corrected that is wrong or incomplete.
          </li>
          <li>
            <strong>Delete:</strong> have your personal information deleted.
          </li>
          <li>
            <strong>Object or restrict:</strong> object to the way we use your information, or ask us to limit it.
          </li>
          <li>
            <strong>Portability:</strong> receive the information you gave us in a common, machine-readable format, or
            have it passed to another service.
          </li>
          <li>
            <strong>Withdraw consent:</strong> withdraw a consent at any time. This does not affect what was done
            before.
          </li>
        </ul>
        <p>
          To use any of these rights, write to <SupportLink />. We may have to check who you are before we act on a
          request, and we answer within the time that the law sets. You may also complain to the data protection
          authority where you live.
        </p>
      </>
    ),
  },
  {
    id: "childrens-privacy",
    heading: "Children's Privacy",
    body: (
      <p>
        <AppName /> is not intended for children under 13, and we do not knowingly collect personal information from
        them. If you are a parent or guardian and believe that a child under 13 has given us personal information,
        please contact us. Once we learn of it, we will delete that information.
      </p>
    ),
  },
  {
    id: "international-data-transfers",
    heading: "International Data Transfers",
    body: (
      <p>
        We and our service providers may process information in countries other than the one you live in. The laws that
        protect personal information there may differ from those at home. Where the law requires it, we put safeguards
        in place for such transfers, such as contract terms approved for this purpose, so that your information stays
        protected.
      </p>
    ),
  },
  {
    id: "changes-to-this-policy",
    heading: "Changes to This Privacy Policy",
    body: (
      <p>
        We may change this policy from time to time, for example because the app or the law changes. The current version
        is always on this page. If a change is significant, we will also tell you in the app or by email before it takes
        effect.
      </p>
    ),
  },
  {
    id: "contact-us",
    heading: "Contact Us",
    body: (
      <p>
        If you have a question or a concern about this policy or about your information, please write to <SupportLink />
        .
      </p>
    ),
  },
];
