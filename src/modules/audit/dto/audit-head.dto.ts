import { DataOf } from '../../../http/openapi/response-envelopes.js';
import { IntegerField, TextField, TimestampField } from '../../../http/validation/fields.js';

/** The end of the chain of an organization. */
export class AuditHead {
  @IntegerField({
    description: 'The number of events in the chain, which is the position of the last one.',
    example: 42,
    minimum: 0,
  })
  sequence: number;

  @TextField({
    description: 'The hash of the last event, which stands for all events before it; null before the first one.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    pattern: '^[0-9a-f]{64}$',
    nullable: true,
  })
  hash: string | null;

  @TimestampField({ description: 'When the last event was recorded.', nullable: true })
  recorded_at: string | null;
}

/** The answer to getAuditHead. */
export class GetAuditHeadResponse extends DataOf(AuditHead) {}
