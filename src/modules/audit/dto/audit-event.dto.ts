import { PageOf } from '../../../http/openapi/response-envelopes.js';
import {
  EnumField,
  IntegerField,
  ObjectField,
  SchemaField,
  TextField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { UserIdField } from '../../../http/validation/id-fields.js';
import { namedSchema, valueOf } from '../../../http/openapi/named-schemas.js';
import { CREDENTIAL_KINDS } from '../../../auth/principal.js';
import type { AuditedChanges } from '../audited-event.js';
import { PageQuery } from '../../../http/pagination/pagination.js';

/**
 * The kinds of actors: a credential, a person who has signed in, the token of a directory, a caller without a credential, the `gatehouse`
 * command, or the service itself.
 */
export const ACTOR_KINDS = [...CREDENTIAL_KINDS, 'session', 'anonymous', 'command_line', 'service'] as const;

export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The digest of a value that is too large. */
const DIGEST = namedSchema('AuditDigest', {
  type: 'object',
  description:
    'SHA-256 and length in bytes of the value as PostgreSQL writes it in JSON; for a list, also its number of items.',
  properties: {
    sha256: valueOf('string', 'SHA-256 in hexadecimal.', '0'.repeat(64), { pattern: '^[0-9a-f]{64}$' }),
    bytes: valueOf('integer', 'The length in bytes.', 40_000, { minimum: 0 }),
    items: valueOf('integer', 'Of a list: the number of its items.', 900, { minimum: 0 }),
  },
  required: ['sha256', 'bytes'],
  additionalProperties: false,
});

/** The change of a field. */
const CHANGE = namedSchema('AuditChange', {
  type: 'object',
  description: 'A field before and after.',
  properties: {
    before: { description: 'The value before.', examples: [50] },
    after: { description: 'The value after.', examples: [100] },
    before_digest: DIGEST,
    after_digest: DIGEST,
  },
  additionalProperties: false,
});

/** The actor of an event. */
export class AuditEventActor {
  @EnumField(ACTOR_KINDS, {
    description:
      'The kind of credential that made the change; `session` for a person who has signed in, `provisioning_token` for a directory, `command_line` for the `gatehouse` command, `service` for the service itself.',
    example: 'management_key',
  })
  kind: ActorKind;

  @UserIdField(
    'The id of the user or Connect client; null for the command line, for a directory and for callers without a credential.',
    { nullable: true },
  )
  id: string | null;

  @UuidField({
    description: 'The id of the credential or session. It is the same for all events of one of them.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f68',
    nullable: true,
  })
  credential_id: string | null;
}

/** The object of an event. */
export class AuditEventTarget {
  @TextField({ description: 'The type of the object.', example: 'guardrail' })
  type: string;

  @TextField({
    description: 'The id of the object, or the hash of a key. The object may have been deleted since.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
  })
  id: string;
}

/** An event of the audit trail. */
export class AuditEvent {
  @UuidField({ description: 'The id of the event.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f69' })
  id: string;

  @IntegerField({
    description: 'The position of the event in the chain of the organization, from 1 without gaps.',
    example: 42,
    minimum: 1,
  })
  sequence: number;

  @TextField({ description: 'The action, as `<type of object>.<verb>`.', example: 'guardrail.create' })
  action: string;

  @ObjectField(() => AuditEventActor, { description: 'Who made the change.' })
  actor: AuditEventActor;

  @ObjectField(() => AuditEventTarget, { description: 'The object that was changed.' })
  target: AuditEventTarget;

  @SchemaField(
    {
      type: 'object',
      nullable: true,
      additionalProperties: CHANGE,
    },
    {
      description:
        'The changed fields with their values before and after. `before` is absent for a new value, `after` for a removed one. A value that is too large is replaced by its `before_digest` or `after_digest`; the field `*` stands for all fields of an event that is too large. Secrets are never included.',
      example: { limit_usd: { before: 50, after: 100 } },
    },
  )
  changes: AuditedChanges | null;

  @TextField({
    description: 'The id of the request that made the change; null for the command line.',
    example: 'req-0123456789',
    nullable: true,
  })
  request_id: string | null;

  @TextField({ description: 'The IP address that the request came from.', example: '203.0.113.7', nullable: true })
  address: string | null;

  @TimestampField({ description: 'When the change was made.' })
  created_at: string;

  @TextField({
    description: 'SHA-256 in hexadecimal over the hash of the previous event, the sequence and this event.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    pattern: '^[0-9a-f]{64}$',
  })
  hash: string;
}

/** The answer to listAuditEvents. */
export class ListAuditEventsResponse extends PageOf(AuditEvent) {}

const FILTERS = {
  actor: {
    description: 'Only events of this user or Connect client; `command_line` or `anonymous` for events of neither.',
    rules: { minLength: 1, maxLength: 200, optional: true },
  },
  action: {
    description: 'Only events with this action.',
    example: 'guardrail.create',
    pattern: '^[a-z][a-z_]{0,49}\\.[a-z][a-z_]{0,49}$',
    optional: true,
  },
  target: {
    description: 'Only events about the object with this id, or the key with this hash.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
    minLength: 1,
    maxLength: 200,
    optional: true,
  },
  since: { description: 'Only events at or after this time.', optional: true },
  until: { description: 'Only events before this time.', optional: true },
} as const;

/** Which events to list. */
export class ListAuditEventsQuery extends PageQuery {
  @UserIdField(FILTERS.actor.description, FILTERS.actor.rules)
  actor?: string;

  @TextField(FILTERS.action)
  action?: string;

  @TextField(FILTERS.target)
  target?: string;

  @TimestampField(FILTERS.since)
  since?: string;

  @TimestampField(FILTERS.until)
  until?: string;
}

/** Which events to export. */
export class ExportAuditEventsQuery {
  @UserIdField(FILTERS.actor.description, FILTERS.actor.rules)
  actor?: string;

  @TextField(FILTERS.action)
  action?: string;

  @TextField(FILTERS.target)
  target?: string;

  @TimestampField(FILTERS.since)
  since?: string;

  @TimestampField(FILTERS.until)
  until?: string;

  @IntegerField({
    description:
      'Only events behind this one: the `sequence` of the last event that has come, to go on with an export that was cut off.',
    example: 1200,
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    optional: true,
    default: 0,
  })
  after?: number;
}
