import type { ReactNode } from 'react';

/** Names and values of one thing, as a list of descriptions. Values that are null or undefined are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="facts">
      {facts
        .filter(([, value]) => value != null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
