import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { ApiError, CONSOLE_PATH } from './api/client';
import { haveDraftsWaited, takeDraftsBack } from './api/kept-drafts';
import { personOf, SESSION } from './api/session';
import { App } from './app';
import './styles.css';

/** How long an answer is taken as it is when a page is shown again, in milliseconds. */
const FRESH_MS = 5_000;

/** After what time something that has failed is asked for once more, in milliseconds. */
const RETRY_MS = 400;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // What the service has refused it refuses again. Otherwise once more, and then the page says what is wrong.
      retry: (failures, error) =>
        failures < 1 && error instanceof ApiError && (error.status === 0 || error.status >= 500),
      retryDelay: RETRY_MS,
      // Without a connection a page says so, instead of waiting for one.
      networkMode: 'always',
    },
  },
});

// The page names it relative to its own address, which changes while the page stays.
document.querySelector('link[rel="icon"]')?.setAttribute('href', `${CONSOLE_PATH}icon.svg`);

// What was filled in when the session ended: whose it is has to be known before the first form is shown.
if (haveDraftsWaited()) {
  const session = await client.query(SESSION).catch(() => undefined);
  if (session !== undefined) takeDraftsBack(personOf(session.data));
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Router base={CONSOLE_PATH.slice(0, -1)}>
        <App />
      </Router>
    </QueryClientProvider>
  </StrictMode>,
);
