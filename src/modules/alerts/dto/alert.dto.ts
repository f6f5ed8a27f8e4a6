import type { IssueWithReason } from '../../../http/errors/issue.js';
import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import {
  BooleanField,
  EnumField,
  IntegerListField,
  NumberListField,
  ObjectListField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { PathIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { Rules } from '../../../http/validation/rules.js';
import {
  ALERT_KINDS,
  type AlertKind,
  DEFAULT_DAYS_BEFORE,
  DEFAULT_THRESHOLDS,
  SCOPE_FIELDS,
  SCOPES,
} from '../alert-kinds.js';

/** An address as in the HTML standard (valid e-mail address), so without anything that headers or SMTP give a meaning. */
const EMAIL = {
  maxLength: 254,
  pattern:
    "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$",
};

const MOST_RECIPIENTS = 10;

const FIELDS = {
  name: { description: 'The name, which notifications begin with.', example: 'Budgets', minLength: 1, maxLength: 100 },
  enabled: { description: 'Whether the alert notifies.', example: true },
  thresholds: {
    description:
      'Of a `budget`: the shares of the limit at which it notifies, each above 0 and at most 10 (1 is all of it). Null restores the default.',
    example: [...DEFAULT_THRESHOLDS],
    minItems: 1,
    maxItems: 5,
    items: { exclusiveMinimum: 0, maximum: 10 },
  },
  daysBefore: {
    description: 'Of a `key_expiry`: how many days before a key expires it notifies. Null restores the default.',
    example: [...DEFAULT_DAYS_BEFORE],
    minItems: 1,
    maxItems: 5,
    items: { minimum: 1, maximum: 365 },
  },
  destination: {
    description: 'The observability destination of type `webhook` that is notified; null for none.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f67',
    nullable: true,
  },
  guardrail: {
    description: 'Only the budget of this guardrail; null for any.',
    example: null,
    nullable: true,
  },
  key: {
    description: 'Only this key, by its hash; null for any.',
    example: null,
    nullable: true,
  },
  limit: {
    description: 'Only this limit by condition and group; null for any.',
    example: null,
    nullable: true,
  },
  emails: {
    description: 'The addresses that are notified by e-mail, each after it has confirmed by a link that it is sent.',
    example: ['ops@example.com'],
    maxItems: MOST_RECIPIENTS,
    items: EMAIL,
  },
} as const;

const KIND = {
  description:
    'What it is about: `budget`s of workspaces, keys and guardrails, keys that expire (`key_expiry`), destinations that pause (`destination_paused`), many members whom a directory deactivates within an hour (`members_deactivated`), limits by condition and group (`limit`), and limits of both kinds that will be met at the present pace (`budget_forecast`).',
  example: 'budget',
} as const;

type Body = Readonly<Record<string, unknown>>;

/** What fits the kind of the alert: its scope, and only its own thresholds. */
function fieldsOfItsKind(body: Body): IssueWithReason[] {
  const kind = ALERT_KINDS.find((name) => name === body['kind']);
  if (kind === undefined) return [];
  const given = SCOPE_FIELDS.filter((field) => (body[field] ?? null) !== null);
  return [
    ...given
      .filter((field) => !SCOPES[kind].includes(field))
      .map((path) => ({ path, message: `cannot narrow an alert of kind ${kind}` })),
    ...given.slice(1).map((path) => ({ path, message: `cannot be given beside ${given[0]}` })),
    ...fieldsOfOtherKinds(kind, body),
  ];
}

/** The issues of fields that alerts of a kind do not have. */
export function fieldsOfOtherKinds(kind: AlertKind, body: object): IssueWithReason[] {
  const others = Object.entries({ thresholds: 'budget', days_before: 'key_expiry' }).filter(
    ([field, owner]) => owner !== kind && ((body as Body)[field] ?? null) !== null,
  );
  return others.map(([path, owner]) => ({ path, message: `is for alerts of kind ${owner}` }));
}

/** Which alert. */
export class AlertPath {
  @PathIdField('The id of the alert.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f70')
  id: string;
}

/** An address that an alert is sent to. */
export class AlertRecipient {
  @TextField({ description: 'The address, in lower case.', example: 'ops@example.com' })
  email: string;

  @TimestampField({ description: 'When it confirmed; null before, while it is not notified.', nullable: true })
  confirmed_at: string | null;
}

/** What an organization wants to be told of, and where (docs/interface/alerts.md). */
export class Alert {
  @UuidField({ description: 'The id of the alert.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f70' })
  id: string;

  @TextField(FIELDS.name)
  name: string;

  @EnumField(ALERT_KINDS, KIND)
  kind: AlertKind;

  @WorkspaceIdField('Only this workspace; null for any.', { nullable: true })
  workspace_id: string | null;

  @UuidField(FIELDS.guardrail)
  guardrail_id: string | null;

  @TextField(FIELDS.key)
  key_hash: string | null;

  @UuidField({
    description: 'Only this limit by condition and group; absent for any.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71',
    optional: true,
  })
  limit_id?: string;

  @NumberListField({ ...FIELDS.thresholds, nullable: true })
  thresholds: readonly number[] | null;

  @IntegerListField({ ...FIELDS.daysBefore, nullable: true })
  days_before: readonly number[] | null;

  @BooleanField(FIELDS.enabled)
  enabled: boolean;

  @UuidField(FIELDS.destination)
  destination_id: string | null;

  @ObjectListField(() => AlertRecipient, { description: 'The addresses that are notified by e-mail.' })
  recipients: AlertRecipient[];

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** A request for a new alert. */
@Rules(fieldsOfItsKind)
@SchemaExample({ name: 'Budgets', kind: 'budget', thresholds: [0.8, 1], emails: ['ops@example.com'] })
export class CreateAlertRequest {
  @TextField(FIELDS.name)
  name: string;

  @EnumField(ALERT_KINDS, KIND)
  kind: AlertKind;

  @WorkspaceIdField('Only this workspace; null or absent for any.', { nullable: true, optional: true })
  workspace_id?: string | null;

  @UuidField({ ...FIELDS.guardrail, optional: true })
  guardrail_id?: string | null;

  @TextField({ ...FIELDS.key, optional: true })
  key_hash?: string | null;

  @UuidField({ ...FIELDS.limit, optional: true })
  limit_id?: string | null;

  @NumberListField({ ...FIELDS.thresholds, nullable: true, optional: true, default: DEFAULT_THRESHOLDS })
  thresholds?: readonly number[] | null;

  @IntegerListField({ ...FIELDS.daysBefore, nullable: true, optional: true, default: DEFAULT_DAYS_BEFORE })
  days_before?: readonly number[] | null;

  @BooleanField({ ...FIELDS.enabled, optional: true, default: true })
  enabled?: boolean;

  @UuidField({ ...FIELDS.destination, optional: true })
  destination_id?: string | null;

  @TextListField({ ...FIELDS.emails, optional: true })
  emails?: readonly string[];
}

/** A request to change an alert; kind and scope stay. */
@SchemaExample({ thresholds: [0.5, 0.9] })
export class UpdateAlertRequest {
  @TextField({ ...FIELDS.name, optional: true })
  name?: string;

  @NumberListField({ ...FIELDS.thresholds, nullable: true, optional: true })
  thresholds?: readonly number[] | null;

  @IntegerListField({ ...FIELDS.daysBefore, nullable: true, optional: true })
  days_before?: readonly number[] | null;

  @BooleanField({ ...FIELDS.enabled, optional: true })
  enabled?: boolean;

  @UuidField({ ...FIELDS.destination, optional: true })
  destination_id?: string | null;

  @TextListField({ ...FIELDS.emails, optional: true })
  emails?: readonly string[];
}

/** The answer to createAlert. */
export class CreateAlertResponse extends DataOf(Alert) {}

/** The answer to listAlerts. */
export class ListAlertsResponse extends PageOf(Alert) {}

/** The answer to getAlert. */
export class GetAlertResponse extends DataOf(Alert) {}

/** The answer to updateAlert. */
export class UpdateAlertResponse extends DataOf(Alert) {}

/** The answer to deleteAlert. */
export class DeleteAlertResponse extends Deleted('Always true: the alert was deleted.') {}
