import {
  BooleanField,
  EnumField,
  FreeObjectField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  TextField,
  UuidField,
} from '../../../../http/validation/fields.js';
import {
  type CombinationValues,
  type Enforcement,
  ENFORCEMENTS,
  LIMIT_MEASURES,
  LIMIT_WINDOWS,
  type LimitMeasure,
  type LimitWindow,
} from '../../../limits/limit-vocabulary.js';
import { SPEND_INTERVALS, type SpendInterval } from '../../../spend/spend-interval.js';
import { EvaluatedCandidate } from './evaluated-endpoint.dto.js';

const SUBJECTS = ['workspace', 'key', 'guardrail'] as const;

const HOLDERS = ['workspace', 'key', 'member'] as const;

const EFFECTS = ['none', 'caps', 'refuses'] as const;

const CAPPED_TOKENS = {
  description: 'The maximum length of the answer in tokens, if the limit caps it.',
  example: null,
  minimum: 1,
  nullable: true,
} as const;

/** What a limit does with a request. */
export type LimitEffect = (typeof EFFECTS)[number];

/** What the request may cost at the most expensive of its candidates. */
export class EvaluatedWorstCase extends EvaluatedCandidate {
  @IntegerField({ description: 'The maximum number of tokens in the prompt.', example: 20, minimum: 0 })
  prompt_tokens: number;

  @IntegerField({
    description:
      'The maximum length of the answer in tokens: that of the request, otherwise that of the endpoint. It applies to each of `n` choices. 0 for vectors and rankings.',
    example: 500,
    minimum: 0,
  })
  answer_tokens: number;

  @NumberField({ description: 'The cost in US dollars at list price.', example: 0.00102, minimum: 0 })
  cost_usd: number;
}

/** A limit that applies to the request. */
export class EvaluatedLimit {
  @EnumField(SUBJECTS, { description: 'Whose limit it is.', example: 'guardrail' })
  subject: (typeof SUBJECTS)[number];

  @UuidField({
    description: 'The guardrail whose budget it is; null for other limits.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
    nullable: true,
  })
  guardrail_id: string | null;

  @EnumField(HOLDERS, { description: 'Whose spend counts toward it.', example: 'key' })
  holder: (typeof HOLDERS)[number];

  @EnumField(SPEND_INTERVALS, { description: 'How often the limit resets; `lifetime` for never.', example: 'monthly' })
  interval: SpendInterval;

  @NumberField({ description: 'The limit in US dollars.', example: 100, minimum: 0 })
  limit_usd: number;

  @NumberField({ description: 'What was spent, in US dollars.', example: 61.5, minimum: 0 })
  spent_usd: number;

  @NumberField({ description: 'What is reserved for requests in progress, in US dollars.', example: 0.5, minimum: 0 })
  reserved_usd: number;

  @NumberField({ description: 'What is left of the limit in US dollars; below zero if more was spent.', example: 38 })
  remaining_usd: number;

  @BooleanField({
    description: "Whether usage through the organization's own provider keys counts.",
    example: false,
  })
  includes_byok: boolean;

  @NumberField({
    description: 'The most that the request can add to the spend that counts toward the limit, in US dollars.',
    example: 0.00102,
    minimum: 0,
  })
  cost_usd: number;

  @EnumField(EFFECTS, {
    description: 'What the limit does by itself: let the request pass, cap its answer, or refuse it.',
    example: 'none',
  })
  effect: LimitEffect;

  @IntegerField(CAPPED_TOKENS)
  capped_max_tokens: number | null;

  @EnumField(ENFORCEMENTS, {
    description: 'Only for the budget of a guardrail that observes: its effect is recorded, and has no consequence.',
    example: 'observe',
    optional: true,
  })
  enforcement?: Enforcement;
}

/** A counter of a limit by condition and group on which the request would count (docs/interface/limits.md). Amounts are in its measure. */
export class EvaluatedCounter {
  @UuidField({ description: 'The id of the limit.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71' })
  id: string;

  @TextField({ description: 'The name of the limit.', example: 'Agents' })
  name: string;

  @EnumField(LIMIT_MEASURES, { description: 'What it counts.', example: 'usd' })
  measure: LimitMeasure;

  @EnumField(LIMIT_WINDOWS, { description: 'Its window; null for none.', example: 'daily', nullable: true })
  window: LimitWindow | null;

  @FreeObjectField({
    description: 'The values that it counts the request by; empty for the counter of further combinations.',
    example: { user: 'customer-7' },
  })
  values: CombinationValues;

  @NumberField({ description: 'How much there may be, with the exception that applies.', example: 5, minimum: 0 })
  amount: number;

  @NumberField({ description: 'What was used.', example: 3.2, minimum: 0 })
  used: number;

  @NumberField({ description: 'What is reserved for requests in progress.', example: 0.5, minimum: 0 })
  reserved: number;

  @NumberField({ description: 'What is left; below zero if more was used.', example: 1.3 })
  remaining: number;

  @NumberField({ description: 'The most that the request can add.', example: 0.00102, minimum: 0 })
  counts: number;

  @EnumField([...EFFECTS, 'excludes'], {
    description:
      'What the limit does by itself: let the request pass, cap its answer, take out some candidates (`excludes`), or refuse it.',
    example: 'none',
  })
  effect: LimitEffect | 'excludes';

  @IntegerField(CAPPED_TOKENS)
  capped_max_tokens: number | null;

  @EnumField(ENFORCEMENTS, { description: 'Whether it refuses, or only observes.', example: 'enforce' })
  enforcement: Enforcement;
}

/** What the admission of the request would decide. Nothing is reserved. */
export class EvaluatedAdmission {
  @ObjectField(() => EvaluatedWorstCase, { description: 'The most that the request may cost.' })
  worst_case: EvaluatedWorstCase;

  @ObjectListField(() => EvaluatedLimit, { description: 'Every limit that applies, from the broadest on.' })
  limits: EvaluatedLimit[];

  @ObjectListField(() => EvaluatedCounter, {
    description: 'The counters of limits by condition and group that the request would count on; absent without any.',
    optional: true,
  })
  limits_by_group?: EvaluatedCounter[];

  @IntegerField({
    description: 'The `max_tokens` that a provider would get, if the request has none and a limit caps its answer.',
    example: null,
    minimum: 1,
    nullable: true,
  })
  capped_max_tokens: number | null;
}
