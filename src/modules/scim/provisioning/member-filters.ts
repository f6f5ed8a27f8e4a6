import type { FilterAttribute, FilterAttributes } from './filter-sql.js';

/** The joins of a member of the organization, `m`, to what is known of the user. $1 is the organization. */
export const KNOWN_OF_MEMBER = `LEFT JOIN users u ON u.id = m.user_id
    LEFT JOIN scim_users s ON s.organization_id = $1 AND s.user_id = m.user_id`;

/** What a group shows of a user. */
export const SHOWN_USER_NAME = 'coalesce(s.user_name, m.email, u.email)';

/** What members of a group, `gm`, are filtered by, in lists of groups and in paths of a PATCH (RFC 7643, section 4.2). */
export const MEMBER_FILTERS: FilterAttributes = new Map<string, FilterAttribute>([
  ['value', { kind: 'text', sql: 'gm.user_id', isExact: true }],
  [
    'display',
    {
      kind: 'text',
      sql: `(SELECT ${SHOWN_USER_NAME} FROM organization_members m ${KNOWN_OF_MEMBER}
        WHERE m.organization_id = $1 AND m.user_id = gm.user_id)`,
    },
  ],
  // Groups have no groups.
  ['type', { kind: 'text', sql: `'User'::text` }],
]);
