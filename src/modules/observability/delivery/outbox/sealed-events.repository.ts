import { Injectable } from '@nestjs/common';
import { rowsOfOrganizations } from '../../../../persistence/rows-of-organizations.js';
import { statement } from '../../../../persistence/statement.js';
import { Statements } from '../../../../persistence/statements.js';

/** The encrypted event of a generation. */
export interface StoredPayload {
  readonly organizationId: string;
  /** The id of the generation. */
  readonly id: string;
  readonly payload: Buffer;
}

// Across all organizations: the key is the deployment's, and so is the command that changes it.
export const BROADCAST_PAYLOADS_AFTER = statement<
  StoredPayload,
  [organizationId: string, after: string, limit: number]
>(
  'broadcast_payloads_batch',
  `SELECT organization_id AS "organizationId", generation_id AS id, payload FROM broadcast_events
    WHERE (organization_id, generation_id) > ($1, $2) ORDER BY organization_id, generation_id LIMIT $3`,
);

export const REPLACE_BROADCAST_PAYLOAD = statement<
  never,
  [organizationId: string, generationId: string, known: Buffer, replacement: Buffer]
>(
  'broadcast_payload_replace',
  `UPDATE broadcast_events SET payload = $4
    WHERE organization_id = $1 AND generation_id = $2 AND payload = $3`,
);

/** The payloads of the outbox, for those who change the key that they are encrypted with. */
@Injectable()
export class SealedEventsRepository {
  constructor(private readonly statements: Statements) {}

  /** Every payload of the deployment, one organization after the other, read in batches while it goes on. */
  everyPayload(): AsyncGenerator<StoredPayload> {
    return rowsOfOrganizations((after) => this.statements.rows(BROADCAST_PAYLOADS_AFTER, after));
  }

  /** Replaces a payload, unless it has changed since it was read. @returns whether it has been replaced */
  async replace({ organizationId, id, payload }: StoredPayload, replacement: Buffer): Promise<boolean> {
    const values = [organizationId, id, payload, replacement] as const;
    return (await this.statements.write(REPLACE_BROADCAST_PAYLOAD, [...values])) === 1;
  }
}
