import { ContactForm } from "../components/contact-form";
import { Egg } from "../components/egg";
import { NavLink } from "../components/nav-link";
import { useSettings } from "../settings";

/** PAGE-7. Without JavaScript, the address takes the place of the form (PAGE-20). */
export function Contact() {
  const { supportEmail } = useSettings();
  return (
    <div className="contact">
      <div>
        <NavLink href="/" className="back-link">
          ← Back to Home
        </NavLink>
        <h1 tabIndex={-1}>Contact Us</h1>
        <p className="contact-intro">
          A question, an idea, a recipe that came out wrong: we would like to hear about it.
        </p>
        <svg className="contact-egg" viewBox="8 8 48 48" width="48" height="48" aria-hidden="true">
          <Egg />
        </svg>
      </div>
      <div>
        <noscript>
          <p className="contact-by-mail">
            The form on this page needs JavaScript. Please write to{" "}
            <a href={`mailto:${supportEmail}`}>{supportEmail}</a> instead.
          </p>
        </noscript>
        <ContactForm />
        <nav className="contact-legal" aria-label="Legal">
          <NavLink href="/privacy">Privacy Policy</NavLink> <NavLink href="/terms">Terms of Service</NavLink>
        </nav>
      </div>
    </div>
  );
}
