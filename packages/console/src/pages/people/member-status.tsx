import type { ReactNode } from 'react';
import { ROLE_LABELS, ROLES as EVERY_ROLE } from '../../api/roles';
import type { Schema } from '../../api/types';
import { Badge } from '../../components/values';

/** The roles in the organization, and how pages call them. */
export const ROLES = EVERY_ROLE.map((role) => [`org:${role}`, ROLE_LABELS[role]] as const);

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
