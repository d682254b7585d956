import { BackLink } from "../components/back-link";
import { ContactForm } from "../components/contact-form";
import { Egg } from "../components/egg";
import { NavLink } from "../components/nav-link";
import { SupportLink } from "../components/setting-texts";
import { WithSetting } from "../settings";

const withoutScript = (
  <noscript>
    <p className="contact-unscripted">The form on this page needs JavaScript. Please write an email instead.</p>
  </noscript>
);

/** PAGE-7. The address reaches someone, even without JavaScript (PAGE-20). */
export function Contact() {
  return (
    <div className="contact">
      <div>
        <Egg className="contact-egg" broken />
        <BackLink />
        <h1 tabIndex={-1}>Contact Us</h1>
        {/* The no-break space keeps "we" off the end of a line. */}
        <p className="contact-intro">
          A question, an idea, a recipe that came out wrong: we&nbsp;would like to hear about it.
        </p>
      </div>
      <div>
        <WithSetting setting="contactUrl" otherwise={withoutScript}>
          {() => null}
        </WithSetting>
        <ContactForm />
        <div className="contact-links">
          <p>
            Or write to <SupportLink />
          </p>
          <nav className="link-row" aria-label="Legal">
            <NavLink href="/privacy">Privacy Policy</NavLink> <NavLink href="/terms">Terms of Service</NavLink>
          </nav>
        </div>
      </div>
    </div>
  );
}
