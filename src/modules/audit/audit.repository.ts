import { entityColumns } from '../../persistence/entity-columns.js';
import { isSmall, type ListedRow } from '../../persistence/listed-columns.js';
import { type Page, type PageRequest, type PageRow, toPage } from '../../persistence/page-statement.js';
import { type Statement, statement } from '../../persistence/statement.js';
import type { LinkedEvent } from './audit.mapper.js';
import { AuditEventEntity } from './entities/audit-trail.entity.js';
import { Injectable } from '@nestjs/common';
import { Statements } from '../../persistence/statements.js';
import { LargeRows } from '../organization-limits/large-rows.js';

/** The parameters of a page of the trail: the values of filters stand after the organization. */
type AuditPageValues = [organizationId: string, ...filtersLimitAndOffset: unknown[]];

/** A page of the trail. */
export type AuditPageStatement = Statement<PageRow<ListedRow<LinkedEvent>>, AuditPageValues>;

/** The filters, with their conditions on a link; $1 is the organization. */
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

/** Very large changes stay where they are stored: their digest, in the form that the trigger gives later events, is shown. */
const SHOWN_CHANGES = `CASE WHEN large.event_id IS NULL THEN e.changes ELSE jsonb_build_object('*', jsonb_build_object(
    'after_digest', jsonb_build_object('sha256', encode(large.sha256, 'hex'), 'bytes', large.bytes))) END`;

/** Whether the changes of an event are read with its page: others are completed a few at a time. */
const HAS_SMALL_CHANGES = `(large.event_id IS NOT NULL OR ${isSmall('e.changes')})`;

const EVENT_COLUMNS = entityColumns(AuditEventEntity)
  .map(({ property, name }) => {
    const value = property === 'changes' ? `CASE WHEN ${HAS_SMALL_CHANGES} THEN ${SHOWN_CHANGES} END` : `e."${name}"`;
    return `${value} AS "${property}"`;
  })
  .join(', ');

const EVENT = `true AS is_item, l.sequence, l.hash, NOT ${HAS_SMALL_CHANGES} AS "isLarge", ${EVENT_COLUMNS}`;

/** The event of a link, with what is shown of it. */
const EVENT_OF_LINK = `JOIN audit_events e ON e.organization_id = $1 AND e.id = l.event_id
      LEFT JOIN audit_large_changes large ON large.organization_id = $1 AND large.event_id = l.event_id`;

/**
 * A page of the whole trail. The sequence has no gap, so that it says where a page begins and how many events there are:
 * every page costs the same.
 */
export const AUDIT_EVENTS_PAGE: AuditPageStatement = statement(
  'audit_events_page',
  `SELECT coalesce(head.sequence, 0) AS total_count, page.*
    FROM (VALUES ($1::text)) AS asked (organization_id)
    LEFT JOIN audit_heads head ON head.organization_id = $1
    LEFT JOIN LATERAL (
      SELECT ${EVENT} FROM audit_links l ${EVENT_OF_LINK}
      WHERE l.organization_id = $1 AND l.sequence > $3::bigint AND l.sequence <= $3::bigint + $2::bigint
    ) AS page ON true
    ORDER BY page.sequence`,
);

/** The page statements with filters that have been asked for, one for each set of filters. */
const filteredPages = new Map<string, AuditPageStatement>();

/**
 * A page of filtered events. One index of the links has the matches; only the events of the page are read.
 *
 * @param filters at least one, in their order; their values stand after the organization, before limit and offset
 */
export function filteredAuditPage(filters: readonly AuditFilter[]): AuditPageStatement {
  const name = `audit_events_page_by_${filters.join('_')}`;
  const known = filteredPages.get(name);
  if (known !== undefined) return known;
  const conditions = filters.map((filter, index) => CONDITIONS[filter](`$${index + 2}`));
  const page: AuditPageStatement = statement(
    name,
    `
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
  );
  filteredPages.set(name, page);
  return page;
}

/** The last sequence of a chain. */
export const AUDIT_CHAIN_END = statement<{ sequence: string }, [organizationId: string]>(
  'audit_chain_end',
  'SELECT sequence FROM audit_heads WHERE organization_id = $1',
);

/** The parameters of a batch: the values of filters stand at the end. */
type AuditBatchValues = [organizationId: string, after: string, end: string, limit: number, ...filters: unknown[]];

/** The statements of batches that have been asked for, one for each set of filters. */
const batches = new Map<string, Statement<ListedRow<LinkedEvent>, AuditBatchValues>>();

/**
 * The next events of a chain behind $2, up to $3: each batch goes on where the one before has ended, so that all cost the same.
 *
 * @param filters in their order; their values stand at the end
 */
export function auditBatch(filters: readonly AuditFilter[]): Statement<ListedRow<LinkedEvent>, AuditBatchValues> {
  const name = ['audit_events_batch', ...filters].join('_');
  const known = batches.get(name);
  if (known !== undefined) return known;
  const conditions = filters.map((filter, index) => ` AND ${CONDITIONS[filter](`$${index + 5}`)}`);
  const batch = statement<ListedRow<LinkedEvent>, AuditBatchValues>(
    name,
    `SELECT ${EVENT}
      FROM (
        SELECT sequence FROM audit_links
        WHERE organization_id = $1 AND sequence > $2::bigint AND sequence <= $3::bigint${conditions.join('')}
        ORDER BY sequence LIMIT $4::bigint
      ) AS asked
      JOIN audit_links l ON l.organization_id = $1 AND l.sequence = asked.sequence
      ${EVENT_OF_LINK}
      ORDER BY l.sequence`,
  );
  batches.set(name, batch);
  return batch;
}

/** How many events are in memory at a time while a chain is read. */
const BATCH = 100;

/** What to search events by. */
export type AuditSearch = Partial<Readonly<Record<AuditFilter, string | Date>>>;

/** The changes of events by their ids. */
export const AUDIT_CHANGES_BY_IDS = statement<
  Pick<AuditEventEntity, 'id' | 'changes'>,
  [organizationId: string, ids: readonly string[]]
>(
  'audit_changes_by_ids',
  `SELECT found.id, found.changes FROM unnest($2::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (
      SELECT id, changes FROM audit_events WHERE organization_id = $1 AND id = asked.id LIMIT 1
    ) AS found`,
);

/** The rows of events, with their links. */
@Injectable()
export class AuditRepository {
  constructor(
    private readonly statements: Statements,
    private readonly largeRows: LargeRows,
  ) {}

  /** One page of the organization's events, in the order of its chain. */
  async page(organizationId: string, search: AuditSearch, { limit, offset }: PageRequest): Promise<Page<LinkedEvent>> {
    const filters = AUDIT_FILTERS.filter((filter) => search[filter] !== undefined);
    const pageStatement = filters.length === 0 ? AUDIT_EVENTS_PAGE : filteredAuditPage(filters);
    const values = filters.map((filter) => search[filter]);
    const page = toPage(await this.statements.rows(pageStatement, [organizationId, ...values, limit, offset]));
    return this.largeRows.complete(organizationId, page, AUDIT_CHANGES_BY_IDS);
  }

  /** The last sequence of a chain, which may have none. */
  async end(organizationId: string): Promise<string> {
    return (await this.statements.first(AUDIT_CHAIN_END, [organizationId]))?.sequence ?? '0';
  }

  /** The next few events that a search finds behind a sequence. @param end the last sequence that is read */
  async batch(
    organizationId: string,
    search: AuditSearch,
    after: string,
    end: string,
  ): Promise<{ readonly items: readonly LinkedEvent[]; readonly isLast: boolean }> {
    const filters = AUDIT_FILTERS.filter((filter) => search[filter] !== undefined);
    const values: AuditBatchValues = [organizationId, after, end, BATCH, ...filters.map((filter) => search[filter])];
    const rows = await this.statements.rows(auditBatch(filters), values);
    const page = { items: rows, totalCount: rows.length };
    const { items } = await this.largeRows.complete(organizationId, page, AUDIT_CHANGES_BY_IDS);
    return { items, isLast: rows.length < BATCH };
  }
}
