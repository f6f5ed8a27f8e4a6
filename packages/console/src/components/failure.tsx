import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError, CHANGED_MEANWHILE, signInAgainPath } from '../api/client';
import { useSession } from '../api/session';
import { CONFLICTS } from './conflicts';

/** Says what went wrong, in the words of the service, with every issue and what is missing. */
export function Failure({ error }: { readonly error: Error | null }): ReactNode {
  if (error === null) return null;
  if (error instanceof ApiError && error.status === CHANGED_MEANWHILE) return <ChangedMeanwhile />;
  if (error instanceof ApiError && error.reason === 'recent_sign_in_required') return <SignInAgain />;
  if (error instanceof ApiError && error.reason === 'administrator_required') return <ForAdministrators />;
  if (error instanceof ApiError && error.files !== undefined) return <RefusedByFiles error={error} />;
  const { issues, required, reason = '' } = error instanceof ApiError ? error : { issues: [], required: [] };
  return (
    <div className="failure" role="alert">
      <p>{CONFLICTS[reason] ?? error.message}</p>
      {issues.length > 0 && (
        <ul>
          {issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {required.length > 0 && <p>It needs the permission {required.join(' or ')}, which you do not have here.</p>}
      <TryAgain error={error} />
    </div>
  );
}

/** Asks again for what could not be read; nothing where the error is of something else, as of a change. */
function TryAgain({ error }: { readonly error: Error }): ReactNode {
  const client = useQueryClient();
  const isOfQuery = client
    .getQueryCache()
    .findAll({ type: 'active' })
    .some(({ state }) => state.error === error);
  if (!isOfQuery || !mayPass(error)) return null;
  const again = (): void => {
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null });
  };
  return (
    <button type="button" onClick={again}>
      Try again
    </button>
  );
}

/** Statuses below 500 of what may pass by itself: too slow, or too many at once. */
const PASSING = [0, 408, 429];

/** Whether it may be another time than now; what was refused is refused again. */
function mayPass(error: Error): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || PASSING.includes(error.status);
}

/** Says that a change was not made, because someone else was faster. */
function ChangedMeanwhile(): ReactNode {
  return (
    <div className="failure" role="alert">
      <p>
        Nothing was done: it has been changed meanwhile, by someone else or in another window. The page shows it as it
        is now.
      </p>
    </div>
  );
}

/** Says that no permission would help, because the person's role does not reach as far. */
function ForAdministrators(): ReactNode {
  return (
    <div className="failure" role="alert">
      <p>Only administrators of the organization can do this.</p>
    </div>
  );
}

/** Says that files configure the object, and lets the person change it nevertheless. */
function RefusedByFiles({ error }: { readonly error: ApiError }): ReactNode {
  return (
    <div className="failure" role="alert">
      <p>
        Nothing was done: files of {error.files?.owner} configure what this changes. What is changed here differs from
        them until they are applied again, and then it is theirs again.
      </p>
      {error.override !== undefined && (
        <button type="button" onClick={error.override}>
          Do it nevertheless
        </button>
      )}
    </div>
  );
}

/** Leads to another sign-in beside this page, so that what was filled in stays. */
function SignInAgain(): ReactNode {
  const session = useSession();
  return (
    <div className="failure" role="alert">
      <p>You signed in more than 15 minutes ago, which is too long for this.</p>
      {session !== undefined && (
        <p>
          <a href={signInAgainPath(session.organization.id)} target="_blank" rel="noopener">
            Sign in again in a new window
          </a>
          , then come back and send this once more. What you have filled in stays.
        </p>
      )}
    </div>
  );
}
