import { Injectable } from '@nestjs/common';
import { statement } from '../../../../persistence/statement.js';
import { Statements } from '../../../../persistence/statements.js';
import { isOff } from '../off-destination.js';
import type { QueueState } from '../queue-state.js';

/** How many events are deleted at once, and of how many organizations in one run. */
const EVENTS_AT_ONCE = 1_000;
const ORGANIZATIONS_AT_ONCE = 100;

export const ORGANIZATIONS_WITH_OLD_EVENTS = statement<
  { readonly organizationId: string },
  [hours: number, limit: number]
>(
  'broadcast_organizations_expired',
  `SELECT DISTINCT organization_id AS "organizationId" FROM broadcast_events
    WHERE enqueued_at < now() - $1::integer * interval '1 hour' LIMIT $2`,
);

/** Deletes some of the events that were not taken in time, and counts them for their destinations. Returns how many. */
export const EXPIRE_EVENTS = statement<
  { readonly expired: number; readonly lost: number },
  [organizationId: string, hours: number, limit: number]
>(
  'broadcast_events_expire',
  `WITH old AS (
      SELECT e.generation_id FROM broadcast_events e
      WHERE e.organization_id = $1 AND e.enqueued_at < now() - $2::integer * interval '1 hour' LIMIT $3
    ),
    gone AS (
      DELETE FROM broadcast_events e USING old WHERE e.organization_id = $1 AND e.generation_id = old.generation_id
    ),
    lost AS (
      DELETE FROM broadcast_deliveries d USING old
      WHERE d.organization_id = $1 AND d.generation_id = old.generation_id RETURNING d.destination_id
    ),
    of_destination AS (SELECT destination_id, count(*) AS number FROM lost GROUP BY 1),
    counted AS (
      UPDATE broadcast_queues q SET dropped = dropped + of_destination.number FROM of_destination
      WHERE q.organization_id = $1 AND q.destination_id = of_destination.destination_id
    )
    SELECT (SELECT count(*) FROM old)::int AS expired, (SELECT count(*) FROM lost)::int AS lost`,
);

// Two destinations that get an event at the same moment each see the delivery of the other one, and leave the event.
export const DELETE_DELIVERED_EVENTS = statement(
  'broadcast_events_delivered',
  `DELETE FROM broadcast_events e
    WHERE e.enqueued_at < now() - interval '1 minute' AND NOT EXISTS (
      SELECT FROM broadcast_deliveries d WHERE d.organization_id = e.organization_id AND d.generation_id = e.generation_id
    )`,
);

export const DELETE_QUEUES_WITHOUT_DESTINATION = statement(
  'broadcast_queues_without_destination',
  `DELETE FROM broadcast_queues q
    WHERE NOT EXISTS (
      SELECT FROM observability_destinations o WHERE o.organization_id = q.organization_id AND o.id = q.destination_id
    ) AND NOT EXISTS (
      SELECT FROM broadcast_deliveries d WHERE d.organization_id = q.organization_id AND d.destination_id = q.destination_id
    )`,
);

/** What waits for destinations that are off is not late. */
export const WAITING_DELIVERIES = statement<{ readonly waiting: number; readonly oldestSeconds: number }>(
  'broadcast_waiting_deliveries',
  `SELECT coalesce(sum(waiting.count), 0)::int AS waiting,
      coalesce(extract(epoch FROM now() - min(waiting.since) FILTER (WHERE NOT ${isOff('waiting')})), 0)::double precision AS "oldestSeconds"
    FROM (
      SELECT d.organization_id, d.destination_id, count(*) AS count, min(d.enqueued_at) AS since FROM broadcast_deliveries d GROUP BY 1, 2
    ) AS waiting`,
);

export const QUEUES_BY_STATE = statement<{ readonly state: QueueState; readonly count: number }>(
  'broadcast_queues_by_state',
  'SELECT state, count(*)::int AS count FROM broadcast_queues GROUP BY state',
);

/** What waits for destinations in the whole deployment. */
export interface WaitingDeliveries {
  readonly waiting: number;
  readonly oldestSeconds: number;
}

/** The rows of the outbox that no destination gets any more. All statements may take as long as those for writes of any size. */
@Injectable()
export class OutboxUpkeepRepository {
  constructor(private readonly statements: Statements) {}

  /** Some organizations with events that are too old. */
  async organizationsWithOldEvents(hours: number): Promise<readonly string[]> {
    const rows = await this.statements.bulk.rows(ORGANIZATIONS_WITH_OLD_EVENTS, [hours, ORGANIZATIONS_AT_ONCE]);
    return rows.map(({ organizationId }) => organizationId);
  }

  /** Deletes the events of an organization that are too old. @returns how many deliveries are lost with them */
  async expire(organizationId: string, hours: number): Promise<number> {
    let lost = 0;
    let expired: number;
    do {
      const row = await this.statements.bulk.first(EXPIRE_EVENTS, [organizationId, hours, EVENTS_AT_ONCE]);
      expired = row?.expired ?? 0;
      lost += row?.lost ?? 0;
    } while (expired === EVENTS_AT_ONCE);
    return lost;
  }

  /** Deletes events that every destination has got, and the queues of destinations that are deleted. */
  async deleteLeftovers(): Promise<void> {
    await this.statements.bulk.write(DELETE_DELIVERED_EVENTS, []);
    await this.statements.bulk.write(DELETE_QUEUES_WITHOUT_DESTINATION, []);
  }

  async waiting(): Promise<WaitingDeliveries> {
    return (await this.statements.bulk.first(WAITING_DELIVERIES, []))!;
  }

  async queuesByState(): Promise<ReadonlyMap<QueueState, number>> {
    const rows = await this.statements.bulk.rows(QUEUES_BY_STATE, []);
    return new Map(rows.map(({ state, count }) => [state, count]));
  }
}
