import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';
import type { MemberObjection } from './workspace-tenants.js';

/** Why whoever a mapped group makes a member cannot be removed by hand. */
export const SCIM_MANAGED: MemberObjection = {
  message: 'is a member by a SCIM group mapping',
  reason: 'member_is_scim_managed',
};

/** A request would remove somebody who must stay. */
export function unremovableMember(index: number, objection: MemberObjection): ReasonedIssue {
  return { path: joinPath('user_ids', index), ...objection };
}
