import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { type Permission, useMay } from '../../api/session';

interface Part {
  readonly path: string;
  readonly label: string;
  readonly permission?: Permission;
}

const PARTS: readonly Part[] = [
  { path: '/settings', label: 'General' },
  { path: '/settings/management-keys', label: 'Management keys', permission: 'management_keys_read' },
  { path: '/settings/sign-in', label: 'Sign-in', permission: 'sign_in_read' },
];

/** The way between the pages of the settings. */
export function SettingsParts(): ReactNode {
  const [location] = useLocation();
  const may = useMay();
  return (
    <nav className="parts" aria-label="Settings">
      <ul>
        {PARTS.filter(({ permission }) => permission === undefined || may(permission)).map(({ path, label }) => (
          <li key={path}>
            <Link href={path} aria-current={location === path ? 'page' : undefined}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
