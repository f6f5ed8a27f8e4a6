import type { ReactNode } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { Announcements } from './components/announcements';
import { Icon } from './components/icon';
import { Page } from './components/page';
import { PAGES } from './pages';

/** The frame of the console: what it has on the left, the page on the right. */
export function App(): ReactNode {
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="bar">
        <Link href="/" className="brand">
          Gatehouse
        </Link>
        <Navigation />
      </header>
      <main id="main" tabIndex={-1}>
        <Switch>
          <Route path="/">
            <Redirect to={PAGES[0]!.path} replace />
          </Route>
          {PAGES.flatMap(({ path, page: ThePage, below }) => [
            <Route key={path} path={path} component={ThePage} />,
            ...Object.entries(below ?? {}).map(([rest, Below]) => (
              <Route key={path + rest} path={path + rest} component={Below} />
            )),
          ])}
          <Route>
            <Page title="Not found">
              <p>There is no such page. It may have been moved, or the link was cut off.</p>
            </Page>
          </Route>
        </Switch>
      </main>
      <Announcements />
    </>
  );
}

function Navigation(): ReactNode {
  const [location] = useLocation();
  return (
    <nav className="navigation" aria-label="Pages">
      <ul>
        {PAGES.map(({ path, label, icon }) => (
          <li key={path}>
            <Link href={path} aria-current={location === path || location.startsWith(`${path}/`) ? 'page' : undefined}>
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
