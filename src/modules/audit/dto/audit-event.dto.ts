import { PageOf } from '../../../http/schema/answer-shapes.js';
import {
  EnumField,
  IntegerField,
  ObjectField,
  SchemaField,
  TextField,
  TimestampField,
  UuidField,
} from '../../../http/schema/fields.js';
import type { JsonSchema } from '../../../http/schema/json-schema.js';
import type { AuditedChanges } from '../audited-event.js';
import { ACTOR_KINDS, type ActorKind } from '../actor-kind.js';

/** What is kept of a value that is too large. */
const DIGEST: JsonSchema = {
  type: 'object',
  description:
    'SHA-256 and length in bytes of the value as JSON the way PostgreSQL writes it; of a list, how many items.',
  properties: {
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    bytes: { type: 'integer', minimum: 0 },
    items: { type: 'integer', minimum: 0 },
  },
  required: ['sha256', 'bytes'],
  additionalProperties: false,
};

/** Who did something. */
export class AuditEventActor {
  @EnumField(ACTOR_KINDS, {
    description: 'The kind of credential, or whoever runs the `gatehouse` command.',
    example: 'management_key',
  })
  kind: ActorKind;

  @TextField({
    description: 'A user, or a Connect client; null for nobody in particular.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    nullable: true,
  })
  id: string | null;

  @UuidField({
    description: 'The same for everything that was done with one credential.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f68',
    nullable: true,
  })
  credential_id: string | null;
}

/** What something was done to. */
export class AuditEventTarget {
  @TextField({ description: 'What kind of thing it is.', example: 'guardrail' })
  type: string;

  @TextField({
    description: 'Its id, or the hash of a key. It may be deleted by now.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
  })
  id: string;
}

/** Something that was done. */
export class AuditEvent {
  @UuidField({ description: 'The event.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f69' })
  id: string;

  @IntegerField({
    description: 'Its place in the chain of the organization: from 1, without a gap.',
    example: 42,
    minimum: 1,
  })
  sequence: number;

  @TextField({ description: 'What was done.', example: 'guardrail.create' })
  action: string;

  @ObjectField(() => AuditEventActor, { description: 'Who did it.' })
  actor: AuditEventActor;

  @ObjectField(() => AuditEventTarget, { description: 'What it was done to.' })
  target: AuditEventTarget;

  @SchemaField(
    () => ({
      type: ['object', 'null'],
      additionalProperties: {
        type: 'object',
        properties: { before: {}, after: {}, before_digest: DIGEST, after_digest: DIGEST },
        additionalProperties: false,
      },
    }),
    {
      description:
        'By field, what it was and what it is now; without `before` or `after` where there was nothing or is nothing any more. Of a value that is too large to be kept, `before_digest` or `after_digest` is kept instead; the field `*` stands for all fields of an event that are too large together. Never a secret.',
      example: { limit_usd: { before: 50, after: 100 } },
    },
  )
  changes: AuditedChanges | null;

  @TextField({ description: 'The request that did it.', example: 'req-0123456789', nullable: true })
  request_id: string | null;

  @TextField({ description: 'The address that the request came from.', example: '203.0.113.7', nullable: true })
  address: string | null;

  @TimestampField({ description: 'When it was done.' })
  created_at: string;

  @TextField({
    description: 'SHA-256 in hexadecimal over the hash before it, the sequence and the event.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    pattern: '^[0-9a-f]{64}$',
  })
  hash: string;
}

/** The answer to listAuditEvents. */
export class ListAuditEventsResponse extends PageOf(AuditEvent) {}
