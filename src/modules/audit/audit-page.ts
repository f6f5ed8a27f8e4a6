import { entityColumns } from '../../database/entity-columns.js';
import type { Statement } from '../../database/statements.js';
import { AuditEventEntity } from './entities/audit-event.entity.js';

/** What events are searched by, and the condition of each on a link; $1 is the organization. */
const CONDITIONS = {
  actor: (parameter: string) => `actor = ${parameter}`,
  action: (parameter: string) => `action = ${parameter}`,
  target: (parameter: string) => `target_id = ${parameter}`,
  since: (parameter: string) => `created_at >= ${parameter}`,
  until: (parameter: string) => `created_at < ${parameter}`,
} as const;

export type AuditFilter = keyof typeof CONDITIONS;

/** Every filter, in the order of its parameters. */
export const AUDIT_FILTERS = Object.keys(CONDITIONS) as AuditFilter[];

/** Large changes stay where they are stored: their digest, in the form that the trigger gives later events, is shown. */
const SHOWN_CHANGES = `CASE WHEN large.event_id IS NULL THEN e.changes ELSE jsonb_build_object('*', jsonb_build_object(
    'after_digest', jsonb_build_object('sha256', encode(large.sha256, 'hex'), 'bytes', large.bytes))) END`;

const EVENT_COLUMNS = entityColumns(AuditEventEntity)
  .map(({ property, name }) => `${property === 'changes' ? SHOWN_CHANGES : `e."${name}"`} AS "${property}"`)
  .join(', ');

const EVENT = `true AS is_item, l.sequence, l.hash, ${EVENT_COLUMNS}`;

/** The event of a link, with what is shown of it. */
const EVENT_OF_LINK = `JOIN audit_events e ON e.id = l.event_id
      LEFT JOIN audit_large_changes large ON large.event_id = l.event_id`;

/**
 * A page of the whole trail. The sequence has no gap, so that it says where a page begins and how many events there are:
 * every page costs the same.
 */
export const AUDIT_EVENTS_PAGE: Statement = {
  name: 'audit_events_page',
  text: `SELECT coalesce(head.sequence, 0) AS total_count, page.*
    FROM (VALUES ($1::text)) AS asked (organization_id)
    LEFT JOIN audit_heads head ON head.organization_id = asked.organization_id
    LEFT JOIN LATERAL (
      SELECT ${EVENT} FROM audit_links l ${EVENT_OF_LINK}
      WHERE l.organization_id = $1 AND l.sequence > $3::bigint AND l.sequence <= $3::bigint + $2::bigint
    ) AS page ON true
    ORDER BY page.sequence`,
};

/** The page statements with filters that have been asked for, one for each set of filters. */
const filteredPages = new Map<string, Statement>();

/**
 * A page of what some filters leave. What they leave is read from one index of the links, and only the page's own events
 * from the events.
 *
 * @param filters at least one, in their order; their values stand behind the organization, before limit and offset
 */
export function filteredAuditPage(filters: readonly AuditFilter[]): Statement {
  const name = `audit_events_page_by_${filters.join('_')}`;
  const known = filteredPages.get(name);
  if (known !== undefined) return known;
  const conditions = filters.map((filter, index) => CONDITIONS[filter](`$${index + 2}`));
  const statement = {
    name,
    text: `
      WITH found AS MATERIALIZED (
        SELECT sequence FROM audit_links WHERE organization_id = $1 AND ${conditions.join(' AND ')}
      )
      SELECT total.total_count, page.* FROM (SELECT count(*) AS total_count FROM found) AS total LEFT JOIN (
        SELECT ${EVENT}
        FROM (SELECT sequence FROM found ORDER BY sequence LIMIT $${filters.length + 2} OFFSET $${filters.length + 3}) AS asked
        JOIN audit_links l ON l.organization_id = $1 AND l.sequence = asked.sequence
        ${EVENT_OF_LINK}
      ) AS page ON true
      ORDER BY page.sequence`,
  };
  filteredPages.set(name, statement);
  return statement;
}
