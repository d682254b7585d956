import { Route, Router, Switch } from "wouter";
import { SiteFooter } from "./components/site-footer";
import { SiteHeader } from "./components/site-header";
import { ToastProvider } from "./components/toast";
import { followLink, usePageChange } from "./navigation";
import { notFound, routes } from "./routes";
import { type Settings, SettingsProvider } from "./settings";

/** The whole site. `ssrPath` names the page where there is no address bar to ask. */
export function App({ settings, ssrPath }: { settings: Settings; ssrPath?: string }) {
  return (
    <SettingsProvider settings={settings}>
      <Router {...(ssrPath !== undefined && { ssrPath })} aroundNav={followLink}>
        <ToastProvider>
          <Screen />
        </ToastProvider>
      </Router>
    </SettingsProvider>
  );
}

function Screen() {
  usePageChange();
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        <Switch>
          {routes.map(({ path, component }) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route component={notFound.component} />
        </Switch>
      </main>
      <SiteFooter />
    </>
  );
}
