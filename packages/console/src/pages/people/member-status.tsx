import type { ReactNode } from 'react';
import type { Schema } from '../../api/types';
import { Badge } from '../../components/values';

/** The roles in the organization, and how pages call them. */
export const ROLES = [
  ['org:member', 'Member'],
  ['org:admin', 'Administrator'],
] as const;

const STATES = {
  active: ['good', 'Active'],
  deactivated: ['warning', 'Deactivated'],
  ended: ['neutral', 'Ended'],
} as const;

/** Whether a member counts. */
export function MemberStatus({ status }: { readonly status: Schema<'OrganizationMember'>['status'] }): ReactNode {
  const [tone, word] = STATES[status];
  return <Badge tone={tone}>{word}</Badge>;
}
