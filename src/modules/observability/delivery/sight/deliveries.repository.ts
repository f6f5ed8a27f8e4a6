import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../../persistence/entity-columns.js';
import { statement } from '../../../../persistence/statement.js';
import { Statements } from '../../../../persistence/statements.js';
import type { DeliveryState } from '../../dto/deliveries.dto.js';
import { BroadcastQueueEntity } from '../../entities/broadcast-queue.entity.js';

/** How deliveries to a destination go, as its queue says. */
export type StoredDeliveries = Omit<BroadcastQueueEntity, 'organizationId' | 'leaseId' | 'leaseUntil' | 'state'> & {
  readonly state: DeliveryState;
  readonly waiting: number;
  readonly waitingSince: Date | null;
};

/** The state of a queue `q`, of a destination `d` in a workspace `w`. */
const STATE = `CASE WHEN d.enabled AND w.is_observability_broadcast_enabled THEN q.state ELSE 'off' END AS state`;

const QUEUES_OF_DESTINATIONS = `FROM observability_destinations d
    JOIN workspaces w ON w.organization_id = $1 AND w.id = d.workspace_id
    JOIN broadcast_queues q ON q.organization_id = $1 AND q.destination_id = d.id`;

export const DELIVERY_STATES_OF = statement<
  { readonly id: string; readonly state: DeliveryState },
  [organizationId: string, ids: readonly string[]]
>(
  'broadcast_delivery_states',
  `SELECT d.id, ${STATE} ${QUEUES_OF_DESTINATIONS} WHERE d.organization_id = $1 AND d.id = ANY ($2)`,
);

export const DELIVERIES_OF = statement<StoredDeliveries, [organizationId: string, id: string]>(
  'broadcast_deliveries_of',
  `SELECT ${columnsOf(BroadcastQueueEntity, 'q', [
    'destinationId',
    'nextAt',
    'failures',
    'encoding',
    'dropBefore',
    'lastStatus',
    'lastError',
    'lastErrorAt',
    'lastSuccessAt',
    'lastNote',
    'lastNoteAt',
  ])}, ${STATE}, q.delivered::double precision, q.dropped::double precision, q.rejected_spans::double precision AS "rejectedSpans", waiting.count::int AS waiting, waiting.since AS "waitingSince"
    ${QUEUES_OF_DESTINATIONS}
    CROSS JOIN LATERAL (
      SELECT count(*) AS count, min(b.enqueued_at) AS since FROM broadcast_deliveries b
      WHERE b.organization_id = $1 AND b.destination_id = d.id
    ) AS waiting
    WHERE d.organization_id = $1 AND d.id = $2`,
);

/** How deliveries go, for those who look. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly statements: Statements) {}

  /** The states of destinations, by their ids. */
  async statesOf(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, DeliveryState>> {
    if (ids.length === 0) return new Map();
    const rows = await this.statements.rows(DELIVERY_STATES_OF, [organizationId, ids]);
    return new Map(rows.map(({ id, state }) => [id, state]));
  }

  /** @returns undefined when there is no such destination */
  async of(organizationId: string, id: string): Promise<StoredDeliveries | undefined> {
    return this.statements.first(DELIVERIES_OF, [organizationId, id]);
  }
}
