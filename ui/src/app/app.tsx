import { Route, Switch } from "wouter";
import { SiteFooter } from "./components/site-footer";
import { SiteHeader } from "./components/site-header";
import { notFound, routes } from "./routes";
import { type Settings, SettingsProvider } from "./settings";

/**
 * A page of the site with its header and footer, for the path of the surrounding router. Every page has
 * these landmarks and the skip link (PAGE-2, PAGE-28, PAGE-29). Programs that do not know them join their texts without the
 * spaces here and in the header (PAGE-20).
 */
export function App({ settings }: { settings: Settings }) {
  return (
    <SettingsProvider settings={settings}>
      <a className="skip-link" href="#main">
        Skip to content
      </a>{" "}
      <SiteHeader />{" "}
      <main id="main">
        <Switch>
          {routes.map(({ path, component }) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route component={notFound.component} />
        </Switch>
      </main>{" "}
      <SiteFooter />
    </SettingsProvider>
  );
}
