import type { ReactNode } from 'react';
import { type Part, Parts } from '../../components/parts';

const PARTS: readonly Part[] = [
  { path: '/providers', label: 'Catalog' },
  { path: '/providers/keys', label: 'Own keys', permission: 'byok_read' },
  { path: '/providers/connections', label: 'Connections', permission: 'settings_read' },
];

/** The way between the pages of providers. */
export function ProviderParts(): ReactNode {
  return <Parts label="Providers" parts={PARTS} />;
}
