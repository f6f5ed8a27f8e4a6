import type { ReactNode } from 'react';
import type { Schema } from '../api/types';
import type { Option } from './fields';
import { Badge } from './values';

/** Whether a rule refuses, or only records what it would have refused. */
export type Enforcement = Schema<'Limit'>['enforcement'];

/** What a rule can do, and how forms call it. */
export const ENFORCEMENTS: readonly Option[] = [
  ['enforce', 'Refuse requests'],
  ['observe', 'Only record what it would have done'],
];

/** Whether a rule refuses, or only observes. */
export function EnforcementBadge({ enforcement }: { readonly enforcement: Enforcement }): ReactNode {
  return enforcement === 'observe' ? <Badge tone="warning">Observes</Badge> : <Badge tone="good">Enforces</Badge>;
}
