import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { ViewOf } from '../../../http/pagination/pagination.js';
import {
  BooleanField,
  EnumField,
  FreeObjectField,
  FreeObjectListField,
  NumberField,
  NumberListField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import { PathIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { Rules } from '../../../http/validation/rules.js';
import {
  type CombinationValues,
  type Enforcement,
  ENFORCEMENTS,
  LIMIT_MEASURES,
  LIMIT_WINDOWS,
  type LimitCondition,
  type LimitKey,
  type LimitMeasure,
  type LimitWindow,
  ON_MISSING,
  type OnMissing,
} from '../limit-vocabulary.js';
import {
  issuesOfConditions,
  issuesOfLimit,
  issuesOfNamedValues,
  MOST_CONDITIONS,
  MOST_GROUP_KEYS,
} from './limit-rules.js';

const FIELDS = {
  name: { description: 'The name, which refusals tell.', example: 'Agents', minLength: 1, maxLength: 100 },
  conditions: {
    description:
      'Which requests count: all of these hold. Each names a `key`, the `values` that it may have (a list, or `*` for any), and those that it may not have (`excludes`). None for all requests.',
    example: [{ key: 'model', values: ['openai/gpt-5.5'] }],
    maxItems: MOST_CONDITIONS,
  },
  groupBy: {
    description:
      'What has counters of its own: `api_key`, `workspace`, `member`, `model`, `author`, `provider`, `operation`, `user`, `session`, `server`, `tool`, or `label.` and the name of a label. Each combination of their values has one; without any there is one counter.',
    example: ['user'],
    maxItems: MOST_GROUP_KEYS,
    items: { minLength: 1, maxLength: 70 },
  },
  measure: {
    description:
      'What is counted: US dollars, tokens of prompts and answers, requests, or requests that are being answered (`concurrent`).',
    example: 'usd',
  },
  amount: {
    description: 'How much there may be: US dollars, or a whole number of tokens or requests. 0 refuses everything.',
    example: 5,
    minimum: 0,
    maximum: 1e15,
  },
  window: {
    description:
      'After what time a counter begins anew, by the calendar in UTC. A `session` counts as long as it lasts, and must be one of `group_by`. `concurrent` has none.',
    example: 'daily',
  },
  onMissing: {
    description:
      'What becomes of a request that lacks what the limit groups by: it is refused, shares one counter with others, or does not count (`none`).',
    example: 'none',
  },
  includeByok: {
    description: "Whether US dollars and tokens through the organization's own provider keys count.",
    example: false,
  },
  enforcement: {
    description: 'Whether the limit refuses, or only records what it would have refused (`observe`).',
    example: 'enforce',
  },
  alertAt: {
    description:
      'How much of the amount is used up when alerts of kind `limit` are sent, as shares of it: at most ten times the amount.',
    example: [0.8, 1],
    maxItems: 5,
    items: { exclusiveMinimum: 0, maximum: 10 },
  },
} as const;

/** Which limit. */
export class LimitPath {
  @PathIdField('The id of the limit.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71')
  id: string;
}

/** A limit by condition and group (docs/interface/limits.md). */
export class Limit {
  @UuidField({ description: 'The id of the limit.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71' })
  id: string;

  @TextField(FIELDS.name)
  name: string;

  @WorkspaceIdField('The workspace whose requests count; null for those of the whole organization.', { nullable: true })
  workspace_id: string | null;

  @FreeObjectListField(FIELDS.conditions)
  conditions: LimitCondition[];

  @TextListField(FIELDS.groupBy)
  group_by: LimitKey[];

  @EnumField(LIMIT_MEASURES, FIELDS.measure)
  measure: LimitMeasure;

  @NumberField(FIELDS.amount)
  amount: number;

  @EnumField(LIMIT_WINDOWS, { ...FIELDS.window, nullable: true })
  window: LimitWindow | null;

  @EnumField(ON_MISSING, FIELDS.onMissing)
  on_missing: OnMissing;

  @BooleanField(FIELDS.includeByok)
  include_byok: boolean;

  @EnumField(ENFORCEMENTS, FIELDS.enforcement)
  enforcement: Enforcement;

  @NumberListField(FIELDS.alertAt)
  alert_at: number[];

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** A request for a new limit. */
@Rules(issuesOfLimit)
@SchemaExample({ name: 'Agents', group_by: ['session'], measure: 'usd', amount: 5, window: 'session' })
export class CreateLimitRequest {
  @TextField(FIELDS.name)
  name: string;

  @WorkspaceIdField('The workspace whose requests count; null or absent for those of the whole organization.', {
    nullable: true,
    optional: true,
  })
  workspace_id?: string | null;

  @FreeObjectListField({ ...FIELDS.conditions, optional: true, default: [] })
  conditions?: LimitCondition[];

  @TextListField({ ...FIELDS.groupBy, optional: true, default: [] })
  group_by?: LimitKey[];

  @EnumField(LIMIT_MEASURES, FIELDS.measure)
  measure: LimitMeasure;

  @NumberField(FIELDS.amount)
  amount: number;

  @EnumField(LIMIT_WINDOWS, { ...FIELDS.window, nullable: true, optional: true })
  window?: LimitWindow | null;

  @EnumField(ON_MISSING, { ...FIELDS.onMissing, optional: true, default: 'none' })
  on_missing?: OnMissing;

  @BooleanField({ ...FIELDS.includeByok, optional: true, default: false })
  include_byok?: boolean;

  @EnumField(ENFORCEMENTS, { ...FIELDS.enforcement, optional: true, default: 'enforce' })
  enforcement?: Enforcement;

  @NumberListField({ ...FIELDS.alertAt, optional: true, default: [0.8, 1] })
  alert_at?: number[];
}

/** A request to change a limit; what it counts, by what, in which workspace and window stay. */
@Rules(issuesOfConditions)
@SchemaExample({ amount: 10 })
export class UpdateLimitRequest {
  @TextField({ ...FIELDS.name, optional: true })
  name?: string;

  @FreeObjectListField({ ...FIELDS.conditions, optional: true })
  conditions?: LimitCondition[];

  @NumberField({ ...FIELDS.amount, optional: true })
  amount?: number;

  @EnumField(ON_MISSING, { ...FIELDS.onMissing, optional: true })
  on_missing?: OnMissing;

  @BooleanField({ ...FIELDS.includeByok, optional: true })
  include_byok?: boolean;

  @EnumField(ENFORCEMENTS, { ...FIELDS.enforcement, optional: true })
  enforcement?: Enforcement;

  @NumberListField({ ...FIELDS.alertAt, optional: true })
  alert_at?: number[];
}

/** The answer to createLimit. */
export class CreateLimitResponse extends DataOf(Limit) {}

/** The answer to listLimits. */
export class ListLimitsResponse extends PageOf(Limit) {}

/** The answer to getLimit. */
export class GetLimitResponse extends DataOf(Limit) {}

/** The answer to updateLimit. */
export class UpdateLimitResponse extends DataOf(Limit) {}

/** The answer to deleteLimit. */
export class DeleteLimitResponse extends Deleted('Always true: the limit was deleted.') {}

const VALUES = {
  description: 'A value of each key that the limit groups by.',
  example: { user: 'customer-7' },
} as const;

const UNTIL = {
  description: 'When the amount of the limit holds again; null for never.',
  example: '2026-12-31T00:00:00.000Z',
  nullable: true,
} as const;

/** Which exception of a limit. */
export class LimitExceptionPath extends LimitPath {
  @PathIdField('The id of the exception.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f72')
  exception_id: string;
}

/** Another amount for one combination of values. */
export class LimitException {
  @UuidField({ description: 'The id of the exception.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f72' })
  id: string;

  @FreeObjectField(VALUES)
  values: CombinationValues;

  @NumberField({ ...FIELDS.amount, example: 50 })
  amount: number;

  @TimestampField(UNTIL)
  until: string | null;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;
}

/** A request for an exception. */
@Rules(issuesOfNamedValues)
@SchemaExample({ values: { user: 'customer-7' }, amount: 50, until: '2099-12-31T00:00:00Z' })
export class CreateLimitExceptionRequest {
  @FreeObjectField(VALUES)
  values: CombinationValues;

  @NumberField({ ...FIELDS.amount, example: 50 })
  amount: number;

  @TimestampField({ ...UNTIL, optional: true })
  until?: string | null;
}

/** The answer to createLimitException. */
export class CreateLimitExceptionResponse extends DataOf(LimitException) {}

/** Which exceptions of a limit to list. */
export class ListLimitExceptionsQuery extends ViewOf('their values', ['amount', 'until', 'created_at']) {}

/** The answer to listLimitExceptions. */
export class ListLimitExceptionsResponse extends PageOf(LimitException) {}

/** The answer to deleteLimitException. */
export class DeleteLimitExceptionResponse extends Deleted('Always true: the exception was deleted.') {}

/** What one combination of values has used of a limit in a window. Amounts are in the measure of the limit. */
export class LimitUse {
  @FreeObjectField({
    description:
      'A value of each key that the limit groups by; null for one that requests did not have. Empty for further combinations together.',
    example: { user: 'customer-7' },
  })
  values: CombinationValues;

  @NumberField({ description: 'How much there may be, with the exception that applies.', example: 5 })
  amount: number;

  @NumberField({ description: 'What was used.', example: 3.2 })
  used: number;

  @NumberField({ description: 'What requests that are being answered may still use.', example: 0.4 })
  reserved: number;

  @NumberField({ description: 'What is left beside both, at least 0.', example: 1.4 })
  left: number;

  @TimestampField({ description: 'When the window began; null for one without an end.', nullable: true })
  window_start: string | null;

  @TimestampField({ description: 'When the counter begins anew; null for never.', nullable: true })
  resets_at: string | null;

  @TimestampField({
    description:
      'When the amount will be met if it goes on as it has since the beginning of the window; null if not in this window, in its first hundredth, and for one without an end.',
    nullable: true,
  })
  forecast_met_at: string | null;

  @TimestampField({ description: 'When a request last came.' })
  last_used_at: string;
}

/** Which combinations of a limit to list. */
export class ListLimitUsageQuery extends ViewOf('their values', ['used', 'left', 'last_used_at']) {}

/** The answer to listLimitUsage. */
export class ListLimitUsageResponse extends PageOf(LimitUse) {}
