import type { ReactNode } from 'react';
import { ApiError } from '../api/client';

/** Says what went wrong, in the words of the service, with every issue and what is missing. */
export function Failure({ error }: { readonly error: Error | null }): ReactNode {
  if (error === null) return null;
  const { issues, required } = error instanceof ApiError ? error : { issues: [], required: [] };
  return (
    <div className="failure" role="alert">
      <p>{error.message}</p>
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
    </div>
  );
}
