import { attempt, type Call, type Cases, sameForAll } from '../../support/foreign-ids.js';
import { UNKNOWN_UUID } from '../../support/wire-forms.js';

/** What the operations of the audit trail could be told of another organization. */
export const AUDIT_CASES: Cases = {
  listAuditEvents: (_, theirs) => {
    const by =
      (filter: string) =>
      (id: string): Call => ({ method: 'GET', path: `/audit-events?${filter}=${id}` });
    return {
      'by actor': attempt(200, by('actor'), theirs.userId, 'user_nobody'),
      'by target': attempt(200, by('target'), theirs.otherWorkspaceId, UNKNOWN_UUID),
      ...sameForAll({ method: 'GET', path: '/audit-events' }),
    };
  },
};
