import { Injectable } from '@nestjs/common';
import { statement } from '../../../../persistence/statement.js';
import { Statements } from '../../../../persistence/statements.js';

/** What waits for the destinations of an organization: bytes of events, and generations by destination. */
export interface WaitingOfOrganization {
  readonly bytes: number;
  readonly destinations: Readonly<Record<string, number>>;
}

/** What waits for the destinations of an organization. */
export const BROADCAST_WAITING = statement<WaitingOfOrganization, [organizationId: string]>(
  'broadcast_waiting',
  `SELECT (SELECT coalesce(sum(e.bytes), 0)::double precision FROM broadcast_events e WHERE e.organization_id = $1) AS bytes,
    coalesce((
      SELECT json_object_agg(waiting.destination_id, waiting.count) FROM (
        SELECT d.destination_id, count(*) FROM broadcast_deliveries d WHERE d.organization_id = $1 GROUP BY 1
      ) AS waiting
    ), '{}') AS destinations`,
);

/** What waits in the outbox. */
@Injectable()
export class OutboxBoundsRepository {
  constructor(private readonly statements: Statements) {}

  async waitingOf(organizationId: string): Promise<WaitingOfOrganization> {
    return (await this.statements.first(BROADCAST_WAITING, [organizationId]))!;
  }
}
