import { type ReactNode, Suspense } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { signOutPath } from './api/client';
import { useMay, useSession } from './api/session';
import { Announcements } from './components/announcements';
import { Icon } from './components/icon';
import { LoadFailure } from './components/load-failure';
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
        <Person />
      </header>
      <main id="main" tabIndex={-1}>
        <Content />
      </main>
      <Announcements />
    </>
  );
}

/** The page of the address. One that fails leaves the others as they are. */
function Content(): ReactNode {
  const [location] = useLocation();
  return (
    <LoadFailure location={location}>
      <Suspense fallback={<p role="status">Loading the page …</p>}>
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
      </Suspense>
    </LoadFailure>
  );
}

/** Who is signed in, for which organization, and the way out. */
function Person(): ReactNode {
  const session = useSession();
  if (session === undefined) return null;
  return (
    <div className="person">
      <p>
        {session.user.name}
        <span className="quiet">{session.organization.name}</span>
      </p>
      <form method="post" action={signOutPath()}>
        <button type="submit" className="plain">
          Sign out
        </button>
      </form>
    </div>
  );
}

function Navigation(): ReactNode {
  const [location] = useLocation();
  const may = useMay();
  return (
    <nav className="navigation" aria-label="Pages">
      <ul>
        {PAGES.filter(({ permission }) => permission === undefined || may(permission)).map(({ path, label, icon }) => (
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
