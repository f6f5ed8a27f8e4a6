import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { type Permission, useMay } from '../api/session';

/** One of several pages below one entry of the navigation. */
export interface Part {
  readonly path: string;
  readonly label: string;
  /** Without it the page is left out. */
  readonly permission?: Permission;
}

/** The way between pages that belong together. */
export function Parts({ label, parts }: { readonly label: string; readonly parts: readonly Part[] }): ReactNode {
  const [location] = useLocation();
  const may = useMay();
  return (
    <nav className="parts" aria-label={label}>
      <ul>
        {parts
          .filter(({ permission }) => permission === undefined || may(permission))
          .map((part) => (
            <li key={part.path}>
              <Link href={part.path} aria-current={location === part.path ? 'page' : undefined}>
                {part.label}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}
