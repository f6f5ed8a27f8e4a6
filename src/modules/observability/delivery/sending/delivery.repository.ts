import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../../persistence/entity-columns.js';
import { statement } from '../../../../persistence/statement.js';
import { Statements } from '../../../../persistence/statements.js';
import { BroadcastQueueEntity } from '../../entities/broadcast-queue.entity.js';
import { DestinationEntity } from '../../entities/destination.entity.js';
import type { BodyEncoding } from '../destination-adapter.js';
import { isOff } from '../off-destination.js';
import type { QueueState } from '../queue-state.js';

/** The queue of a destination. */
export interface QueueName {
  readonly organizationId: string;
  readonly destinationId: string;
}

/** A queue that one process sends from, until it gives the lease back or has not renewed it for a minute. */
export interface Lease extends QueueName {
  readonly leaseId: string;
}

/** What is known of a queue when it is leased. */
export type LeasedQueue = Pick<BroadcastQueueEntity, 'state' | 'failures' | 'encoding' | 'dropBefore'>;

/** A generation that waits for a destination. */
export interface StoredEvent {
  readonly id: string;
  readonly enqueuedAt: Date;
  readonly tries: number;
  /** The present hash of its key in lowercase hexadecimal; null when the key is deleted. */
  readonly keyHash: string | null;
  /** Null if it is lost. */
  readonly payload: Buffer | null;
  readonly content: Buffer | null;
}

/** A destination as it is when something is sent to it. */
export interface SendingDestination extends DestinationEntity {
  readonly isBroadcasting: boolean;
}

/** How a round of deliveries has failed. */
export interface RecordedFailure {
  readonly state: QueueState;
  readonly failures: number;
  /** When to try again, in milliseconds from now. */
  readonly waitMs: number;
  readonly status: number | null;
  readonly message: string;
}

/** What a receiver has said that it did not keep of what it took. */
export interface PartialDelivery {
  readonly rejectedSpans: number;
  /** Without credentials; null where it has said nothing. */
  readonly note: string | null;
}

/** A delivery of which nothing was said. */
export const WHOLE: PartialDelivery = { rejectedSpans: 0, note: null };

/** How many seconds a lease lasts. */
export const LEASE_SECONDS = 60;

// Across all organizations, like the processes that send. At most some of one organization, so that others have their turn. Of what waits for
// a destination that is off, only what was meant for an earlier address is due: it is dropped.
export const DUE_QUEUES = statement<QueueName, [limit: number, ofAnOrganization: number]>(
  'broadcast_queues_due',
  `SELECT organization_id AS "organizationId", destination_id AS "destinationId" FROM (
      SELECT q.organization_id, q.destination_id, q.next_at,
        row_number() OVER (PARTITION BY q.organization_id ORDER BY q.next_at) AS place
      FROM broadcast_queues q
      CROSS JOIN LATERAL (SELECT CASE WHEN ${isOff('q')} THEN q.drop_before ELSE 'infinity'::timestamptz END AS last) AS due
      WHERE q.next_at <= now() AND (q.lease_until IS NULL OR q.lease_until < now()) AND EXISTS (
        SELECT FROM broadcast_deliveries d WHERE d.organization_id = q.organization_id AND d.destination_id = q.destination_id
          AND d.enqueued_at <= due.last
      )
    ) AS queues
    WHERE place <= $2 ORDER BY next_at LIMIT $1`,
);

/** Leases a queue, unless another process has it or is about to. */
export const LEASE_QUEUE = statement<LeasedQueue, [organizationId: string, destinationId: string, leaseId: string]>(
  'broadcast_queue_lease',
  `UPDATE broadcast_queues q SET lease_id = $3, lease_until = now() + interval '${LEASE_SECONDS} s'
    WHERE q.organization_id = $1 AND q.destination_id IN (
      SELECT free.destination_id FROM broadcast_queues free
      WHERE free.organization_id = $1 AND free.destination_id = $2 AND free.next_at <= now()
        AND (free.lease_until IS NULL OR free.lease_until < now())
      FOR UPDATE SKIP LOCKED
    )
    RETURNING ${columnsOf(BroadcastQueueEntity, 'q', ['state', 'failures', 'encoding', 'dropBefore'])}`,
);

export const RENEW_LEASE = statement<never, [organizationId: string, destinationId: string, leaseId: string]>(
  'broadcast_lease_renew',
  `UPDATE broadcast_queues SET lease_until = now() + interval '${LEASE_SECONDS} s'
    WHERE organization_id = $1 AND destination_id = $2 AND lease_id = $3`,
);

/** Gives a lease back when nothing waits, or the process stops. */
export const RELEASE_LEASE = statement<never, [organizationId: string, destinationId: string, leaseId: string]>(
  'broadcast_lease_release',
  `UPDATE broadcast_queues SET lease_id = NULL, lease_until = NULL, next_at = now()
    WHERE organization_id = $1 AND destination_id = $2 AND lease_id = $3`,
);

/** Records that a round went well. */
export const RECORD_SUCCESS = statement<
  never,
  [
    organizationId: string,
    destinationId: string,
    leaseId: string,
    delivered: number,
    encoding: BodyEncoding | null,
    rejectedSpans: number,
    note: string | null,
    notedAt: Date | null,
  ]
>(
  'broadcast_queue_success',
  `UPDATE broadcast_queues SET state = 'active', failures = 0, delivered = delivered + $4, encoding = $5, last_success_at = now(),
      rejected_spans = rejected_spans + $6, last_note = coalesce($7, last_note),
      last_note_at = coalesce($8::timestamptz, last_note_at)
    WHERE organization_id = $1 AND destination_id = $2 AND lease_id = $3`,
);

/** Records that a round has failed, and gives the lease back. */
export const RECORD_FAILURE = statement<
  never,
  [
    organizationId: string,
    destinationId: string,
    leaseId: string,
    state: QueueState,
    failures: number,
    waitMs: number,
    status: number | null,
    message: string,
  ]
>(
  'broadcast_queue_failure',
  `UPDATE broadcast_queues SET state = $4, failures = $5, next_at = now() + $6::double precision * interval '1 ms',
      last_status = $7, last_error = $8, last_error_at = now(), lease_id = NULL, lease_until = NULL
    WHERE organization_id = $1 AND destination_id = $2 AND lease_id = $3`,
);

/** Records generations that are given up, and the last reason if there is one. */
export const RECORD_DROPPED = statement<
  never,
  [organizationId: string, destinationId: string, dropped: number, status: number | null, message: string]
>(
  'broadcast_queue_dropped',
  `UPDATE broadcast_queues SET dropped = dropped + $3, last_status = $4, last_error = $5, last_error_at = now()
    WHERE organization_id = $1 AND destination_id = $2`,
);

export const DESTINATION_FOR_SENDING = statement<SendingDestination, [organizationId: string, id: string]>(
  'broadcast_destination',
  `SELECT ${columnsOf(DestinationEntity, 'd')}, w.is_observability_broadcast_enabled AS "isBroadcasting"
    FROM observability_destinations d
    JOIN workspaces w ON w.organization_id = $1 AND w.id = d.workspace_id
    WHERE d.organization_id = $1 AND d.id = $2`,
);

/** The generations that have waited longest, as many as fit, and at least one. */
export const NEXT_EVENTS = statement<
  StoredEvent,
  [organizationId: string, destinationId: string, limit: number, maximumBytes: number]
>(
  'broadcast_events_next',
  `SELECT next.generation_id AS id, next.enqueued_at AS "enqueuedAt", next.tries, encode(k.hash, 'hex') AS "keyHash", next.payload, next.content
    FROM (
      SELECT first.generation_id, first.enqueued_at, first.tries, e.key_id, e.payload, e.content,
        coalesce(sum(e.bytes) OVER (
          ORDER BY first.enqueued_at, first.generation_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS bytes_before
      FROM (
        SELECT d.generation_id, d.enqueued_at, d.tries FROM broadcast_deliveries d
        WHERE d.organization_id = $1 AND d.destination_id = $2 ORDER BY d.enqueued_at, d.generation_id LIMIT $3
      ) AS first
      LEFT JOIN broadcast_events e ON e.organization_id = $1 AND e.generation_id = first.generation_id
    ) AS next
    LEFT JOIN api_keys k ON k.organization_id = $1 AND k.id = next.key_id
    WHERE next.bytes_before < $4 ORDER BY next.enqueued_at, next.generation_id`,
);

/** The other deliveries of an event that the delivery `gone` was of. @param condition on a delivery `d` */
function othersOf(condition = 'true'): string {
  return `(SELECT FROM broadcast_deliveries d
      WHERE d.organization_id = $1 AND d.generation_id = gone.generation_id AND d.destination_id <> gone.destination_id
        AND ${condition})`;
}

const OF_GONE = 'e.organization_id = $1 AND e.generation_id = gone.generation_id';

/** Content goes with the last delivery that has it. */
const WITHOUT_CONTENTS = `UPDATE broadcast_events e SET content = NULL FROM gone
    WHERE ${OF_GONE} AND gone.gets_content AND EXISTS ${othersOf()} AND NOT EXISTS ${othersOf('d.gets_content')}`;

/** An event goes with its last delivery. */
const WITHOUT_EVENTS = `DELETE FROM broadcast_events e USING gone WHERE ${OF_GONE} AND NOT EXISTS ${othersOf()}`;

/** Deletes what a destination has got, or does not get any more. */
export const FINISH_EVENTS = statement<never, [organizationId: string, destinationId: string, ids: readonly string[]]>(
  'broadcast_events_finish',
  `WITH gone AS (
      DELETE FROM broadcast_deliveries WHERE organization_id = $1 AND destination_id = $2 AND generation_id = ANY ($3)
      RETURNING generation_id, destination_id, gets_content
    ),
    without_content AS (${WITHOUT_CONTENTS})
    ${WITHOUT_EVENTS}`,
);

/** Deletes some of what waits for a destination that gets nothing any more. Returns how many. */
export const DROP_WAITING = statement<
  { readonly dropped: number },
  [organizationId: string, destinationId: string, before: Date | null, limit: number]
>(
  'broadcast_events_drop',
  `WITH first AS (
      SELECT d.generation_id FROM broadcast_deliveries d
      WHERE d.organization_id = $1 AND d.destination_id = $2 AND ($3::timestamptz IS NULL OR d.enqueued_at <= $3)
      ORDER BY d.enqueued_at, d.generation_id LIMIT $4
    ),
    gone AS (
      DELETE FROM broadcast_deliveries d USING first
      WHERE d.organization_id = $1 AND d.destination_id = $2 AND d.generation_id = first.generation_id
      RETURNING d.generation_id, d.destination_id, d.gets_content
    ),
    without_content AS (${WITHOUT_CONTENTS}),
    emptied AS (${WITHOUT_EVENTS})
    SELECT count(*)::int AS dropped FROM gone`,
);

export const COUNT_TRIES = statement<never, [organizationId: string, destinationId: string, ids: readonly string[]]>(
  'broadcast_tries_count',
  `UPDATE broadcast_deliveries SET tries = tries + 1
    WHERE organization_id = $1 AND destination_id = $2 AND generation_id = ANY ($3)`,
);

/** The rows of the outbox that a process sends from. */
@Injectable()
export class DeliveryRepository {
  constructor(private readonly statements: Statements) {}

  /** Queues in which something waits and that no one sends from, those that have waited longest first. */
  async dueQueues(limit: number, ofAnOrganization: number): Promise<QueueName[]> {
    return this.statements.rows(DUE_QUEUES, [limit, ofAnOrganization]);
  }

  /** @returns undefined when another process has leased it */
  async lease({ organizationId, destinationId, leaseId }: Lease): Promise<LeasedQueue | undefined> {
    return this.statements.first(LEASE_QUEUE, [organizationId, destinationId, leaseId]);
  }

  /** @returns whether the process still had the lease */
  async renew({ organizationId, destinationId, leaseId }: Lease): Promise<boolean> {
    return (await this.statements.write(RENEW_LEASE, [organizationId, destinationId, leaseId])) > 0;
  }

  async release({ organizationId, destinationId, leaseId }: Lease): Promise<void> {
    await this.statements.write(RELEASE_LEASE, [organizationId, destinationId, leaseId]);
  }

  async succeeded(
    { organizationId, destinationId, leaseId }: Lease,
    delivered: number,
    encoding: BodyEncoding | null,
    { rejectedSpans, note }: PartialDelivery,
  ): Promise<void> {
    const queue = [organizationId, destinationId, leaseId] as const;
    // By the clock of the process: nodes of a cluster would each have their own.
    const notedAt = note === null ? null : new Date();
    await this.statements.write(RECORD_SUCCESS, [...queue, delivered, encoding, rejectedSpans, note, notedAt]);
  }

  /** Records a failure and gives the lease back. */
  async failed(lease: Lease, { state, failures, waitMs, status, message }: RecordedFailure): Promise<void> {
    const { organizationId, destinationId, leaseId } = lease;
    await this.statements.write(RECORD_FAILURE, [
      organizationId,
      destinationId,
      leaseId,
      state,
      failures,
      waitMs,
      status,
      message,
    ]);
  }

  async dropped(
    { organizationId, destinationId }: QueueName,
    count: number,
    reason: { readonly status: number | null; readonly message: string },
  ): Promise<void> {
    const { status, message } = reason;
    await this.statements.write(RECORD_DROPPED, [organizationId, destinationId, count, status, message]);
  }

  /** @returns undefined when it has been deleted */
  async destination({ organizationId, destinationId }: QueueName): Promise<SendingDestination | undefined> {
    return this.statements.first(DESTINATION_FOR_SENDING, [organizationId, destinationId]);
  }

  /** @param maximumBytes of all payloads together, unless the first alone has more */
  async next(
    { organizationId, destinationId }: QueueName,
    limit: number,
    maximumBytes: number,
  ): Promise<StoredEvent[]> {
    return this.statements.rows(NEXT_EVENTS, [organizationId, destinationId, limit, maximumBytes]);
  }

  async finish({ organizationId, destinationId }: QueueName, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.statements.write(FINISH_EVENTS, [organizationId, destinationId, ids]);
  }

  /**
   * Deletes some of what waits.
   *
   * @param before only what was enqueued until then; null for all
   * @returns how many generations
   */
  async drop({ organizationId, destinationId }: QueueName, before: Date | null, limit: number): Promise<number> {
    const row = await this.statements.first(DROP_WAITING, [organizationId, destinationId, before, limit]);
    return row?.dropped ?? 0;
  }

  async countTries({ organizationId, destinationId }: QueueName, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.statements.write(COUNT_TRIES, [organizationId, destinationId, ids]);
  }
}
