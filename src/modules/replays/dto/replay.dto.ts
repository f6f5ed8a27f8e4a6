import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { DataOf, PageOf } from '../../../http/openapi/response-envelopes.js';
import {
  EnumField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  TextField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';
import type { DtoClass } from '../../../http/validation/dto-fields.js';
import { type BodyRule, RequestRules, Rules, rulesOf } from '../../../http/validation/rules.js';
import { issuesInside } from '../../../http/errors/issue.js';
import { isObject } from '../../../http/validation/constraints.js';
import { OBSERVED_OUTCOMES, OBSERVED_REASONS, type Observation } from '../../generations/generation-details.js';
import { UpdateGuardrailRequest } from '../../guardrails/dto/guardrail.dto.js';
import { UpdateLimitRequest } from '../../limits/dto/limit.dto.js';
import { UnsavedPatternRule } from '../../inference/evaluation/unsaved-pattern-rule.js';
import { REPLAY_STATES, type ReplayState } from '../replay-result.js';

/** Which guardrail. */
export class ReplayedGuardrailPath {
  @PathIdField('The id of the guardrail.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60')
  id: string;
}

/** Which replay. */
export class ReplayPath {
  @PathIdField('The id of the replay.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71')
  id: string;
}

/** The records that are replayed. */
class ReplayedRecords {
  @TimestampField({ description: 'The first moment of the records.', example: '2026-11-20T00:00:00.000Z' })
  from: string;

  @TimestampField({ description: 'The first moment after the records, at most 31 days later, and not in the future.' })
  to: string;

  @NumberField({
    description:
      'The share of the records that is looked at, above 0: of requests, without the budget of the guardrail; of a limit, of the combinations of values that it counts by.',
    example: 1,
    minimum: 0.000001,
    maximum: 1,
    default: 1,
    optional: true,
  })
  sample?: number;
}

/** The issues of changes, by the rules of an update. */
function draftIssues(type: DtoClass): BodyRule {
  return ({ draft }) =>
    isObject(draft)
      ? issuesInside(
          'draft',
          rulesOf(type).flatMap((rule) => rule(draft)),
        )
      : [];
}

/** The body of replayGuardrail, as large as that of an update, which it may have inside. */
@BodyLimit(BODY_LIMITS.large)
@Rules(draftIssues(UpdateGuardrailRequest))
@RequestRules(UnsavedPatternRule)
export class ReplayGuardrailRequest extends ReplayedRecords {
  @ObjectField(() => UpdateGuardrailRequest, {
    description: 'Changes, in the form of an update: the guardrail is replayed as if they were saved.',
    example: { ignored_providers: ['deepinfra'] },
    optional: true,
  })
  draft?: UpdateGuardrailRequest;
}

/** Which limit. */
export class ReplayedLimitPath {
  @PathIdField('The id of the limit.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71')
  id: string;
}

/** The body of replayLimit. */
@Rules(draftIssues(UpdateLimitRequest))
export class ReplayLimitRequest extends ReplayedRecords {
  @ObjectField(() => UpdateLimitRequest, {
    description: 'Changes, in the form of an update: the limit is replayed as if they were saved.',
    example: { amount: 2 },
    optional: true,
  })
  draft?: UpdateLimitRequest;
}

/** Requests that the guardrail would have decided about in one way. */
export class ReplayedRuleCount {
  @EnumField(OBSERVED_OUTCOMES, { description: 'What it would have done.', example: 'refused' })
  outcome: Observation['outcome'];

  @EnumField(OBSERVED_REASONS, { description: 'Which of its rules.', example: 'provider' })
  reason: Observation['reason'];

  @IntegerField({ description: 'How many requests.', example: 12 })
  count: number;

  @NumberField({ description: 'What they cost, in US dollars.', example: 0.42 })
  cost_usd: number;
}

/** A key with requests that would have been refused. */
export class ReplayedKeyCount {
  @TextField({ description: 'The hash of the key; null if it was deleted.', example: null, nullable: true })
  key_hash: string | null;

  @TextField({ description: 'The name of the key; null if it was deleted.', example: 'Batch jobs', nullable: true })
  key_name: string | null;

  @IntegerField({ description: 'How many requests would have been refused.', example: 12 })
  count: number;

  @NumberField({ description: 'What they cost, in US dollars.', example: 0.42 })
  cost_usd: number;
}

/** A request that would have been refused. */
export class ReplayExample {
  @TextField({ description: 'The id of its record.', example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT' })
  generation_id: string;

  @EnumField(OBSERVED_REASONS, { description: 'The rule that would have refused it.', example: 'provider' })
  reason: Observation['reason'];
}

/** What a replay has found. */
export class ReplayFindings {
  @IntegerField({ description: 'How many requests would have been refused.', example: 12 })
  refused_count: number;

  @NumberField({ description: 'What they cost, in US dollars.', example: 0.42 })
  refused_cost_usd: number;

  @IntegerField({
    description:
      'How many of the records are not decided in full: their key or model is gone, or their content could not be scanned.',
    example: 0,
  })
  undecided_count: number;

  @IntegerField({ description: 'How many logged contents were read for content filters.', example: 0 })
  contents_read: number;

  @ObjectListField(() => ReplayedRuleCount, { description: 'By what the guardrail would have done, and its rules.' })
  rules: ReplayedRuleCount[];

  @ObjectListField(() => ReplayedKeyCount, { description: 'The keys with most refused requests, 20 at most.' })
  keys: ReplayedKeyCount[];

  @ObjectListField(() => ReplayExample, { description: 'The first requests that would have been refused, 20 at most.' })
  examples: ReplayExample[];
}

/** A replay of a guardrail or a limit (docs/interface/replays.md). */
export class Replay {
  @UuidField({ description: 'The id of the replay.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71' })
  id: string;

  @UuidField({
    description: 'The id of the guardrail; null for a replay of a limit.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60',
    nullable: true,
  })
  guardrail_id: string | null;

  @UuidField({
    description: 'The id of the limit; absent from a replay of a guardrail.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71',
    optional: true,
  })
  limit_id?: string;

  @EnumField(REPLAY_STATES, { description: 'How far it is.', example: 'finished' })
  state: ReplayState;

  @TimestampField({ description: 'The first moment of the records.' })
  from: string;

  @TimestampField({ description: 'The first moment after the records.' })
  to: string;

  @NumberField({ description: 'The share of the records that is looked at.', example: 1 })
  sample: number;

  @IntegerField({ description: 'How many records were looked at.', example: 3400 })
  read_count: number;

  @TimestampField({ description: 'When it was begun.' })
  created_at: string;

  @TimestampField({ description: 'When it ended; null before.', nullable: true })
  finished_at: string | null;

  @ObjectField(() => ReplayFindings, { description: 'What it has found; null before its end.', nullable: true })
  result: ReplayFindings | null;
}

/** The answer to replayGuardrail. */
export class ReplayGuardrailResponse extends DataOf(Replay) {}

/** The answer to replayLimit. */
export class ReplayLimitResponse extends DataOf(Replay) {}

/** The answer to getReplay. */
export class GetReplayResponse extends DataOf(Replay) {}

/** The answer to cancelReplay. */
export class CancelReplayResponse extends DataOf(Replay) {}

/** The answer to listReplays. */
export class ListReplaysResponse extends PageOf(Replay) {}
