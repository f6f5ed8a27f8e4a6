import { Injectable } from '@nestjs/common';
import { rowsOfOrganizations } from '../../../../persistence/rows-of-organizations.js';
import { statement } from '../../../../persistence/statement.js';
import { Statements } from '../../../../persistence/statements.js';
import type { SealedEvent } from './enqueue-events.js';

/** Whose an event is. */
export interface EventOwner {
  readonly organizationId: string;
  readonly id: string;
}

/** The parts that an event is encrypted in. */
export type EventPart = 'payload' | 'content';

/** One encrypted part of an event. */
export interface StoredPart extends EventOwner {
  readonly part: EventPart;
  readonly bytes: Buffer;
}

// Across all organizations: the key is the deployment's, and so is the command that changes it.
export const BROADCAST_PAYLOADS_AFTER = statement<
  EventOwner & SealedEvent,
  [organizationId: string, after: string, limit: number]
>(
  'broadcast_payloads_batch',
  `SELECT organization_id AS "organizationId", generation_id AS id, payload, content FROM broadcast_events
    WHERE (organization_id, generation_id) > ($1, $2) ORDER BY organization_id, generation_id LIMIT $3`,
);

type Replacement = [organizationId: string, generationId: string, known: Buffer, replacement: Buffer];

export const REPLACE_BROADCAST_PAYLOAD = statement<never, Replacement>(
  'broadcast_payload_replace',
  'UPDATE broadcast_events SET payload = $4 WHERE organization_id = $1 AND generation_id = $2 AND payload = $3',
);

export const REPLACE_BROADCAST_CONTENT = statement<never, Replacement>(
  'broadcast_content_replace',
  'UPDATE broadcast_events SET content = $4 WHERE organization_id = $1 AND generation_id = $2 AND content = $3',
);

/** The encrypted events of the outbox, for those who change the key that they are encrypted with. */
@Injectable()
export class SealedEventsRepository {
  constructor(private readonly statements: Statements) {}

  /** Every part of every event of the deployment, one organization after the other, read in batches while it goes on. */
  async *everyPart(): AsyncGenerator<StoredPart> {
    const events = rowsOfOrganizations((after) => this.statements.rows(BROADCAST_PAYLOADS_AFTER, after));
    for await (const { payload, content, ...owner } of events) {
      yield { ...owner, part: 'payload', bytes: payload };
      if (content !== null) yield { ...owner, part: 'content', bytes: content };
    }
  }

  /** Replaces a part, unless it has changed since it was read. @returns whether it has been replaced */
  async replace({ organizationId, id, part, bytes }: StoredPart, replacement: Buffer): Promise<boolean> {
    const replacing = part === 'payload' ? REPLACE_BROADCAST_PAYLOAD : REPLACE_BROADCAST_CONTENT;
    return (await this.statements.write(replacing, [organizationId, id, bytes, replacement])) === 1;
  }
}
