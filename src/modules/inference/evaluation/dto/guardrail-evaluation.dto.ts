import { DataOf } from '../../../../http/openapi/response-envelopes.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  ObjectField,
  ObjectListField,
  TextField,
  UuidField,
} from '../../../../http/validation/fields.js';
import { GenerationObservation } from '../../../generations/dto/generation.dto.js';
import { AppliedGuardrail } from '../../../guardrails/effective-policy/effective-guardrails.dto.js';
import { type Exclusion, EXCLUSIONS } from '../../../routing/endpoint-exclusion.js';
import { EvaluatedAdmission } from './evaluated-admission.dto.js';
import { EvaluatedAnswer } from './evaluated-answer.dto.js';
import { EvaluatedContent } from './evaluated-content.dto.js';
import { EvaluatedCandidate, EvaluatedEndpoint } from './evaluated-endpoint.dto.js';

/** The steps of a request that can refuse it, in their order (docs/gateway.md). */
export const EVALUATION_STEPS = [
  'subject',
  'preset',
  'models',
  'limits',
  'policy',
  'content',
  'candidates',
  'admission',
] as const;

export type EvaluationStep = (typeof EVALUATION_STEPS)[number];

/** The preset that completes the request. */
export class EvaluatedPreset {
  @TextField({ description: 'The slug of the preset.', example: 'support-bot' })
  slug: string;

  @IntegerField({ description: 'The number of the version in force.', example: 1, minimum: 1 })
  version: number;

  @BooleanField({
    description: "Whether the preset's system prompt is put before the messages, which raises their indexes by one.",
    example: false,
  })
  adds_system_message: boolean;
}

/** A model that is tried. */
export class EvaluatedModel {
  @TextField({ description: 'The name in the request, in its preset or in the workspace.', example: 'gatehouse/echo' })
  requested: string;

  @TextField({ description: 'The id of the model that it leads to.', example: 'gatehouse/echo' })
  model: string;
}

/** An endpoint that would not be tried. */
export class EvaluatedExclusion extends EvaluatedEndpoint {
  @EnumField(EXCLUSIONS, { description: 'The first reason that applies.', example: 'not_connected' })
  reason: Exclusion;

  @EnumListField(EXCLUSIONS, { description: 'Every reason that applies.', example: ['not_connected'] })
  reasons: Exclusion[];
}

/** What the gateway would do with a request, step by step: what comes after a refusal is empty or null. */
export class GuardrailEvaluation {
  @EnumField(['admitted', 'refused'], {
    description: 'Whether the request would be sent to a provider.',
    example: 'admitted',
  })
  outcome: 'admitted' | 'refused';

  @EnumField(EVALUATION_STEPS, {
    description: 'The step that refuses the request.',
    example: null,
    nullable: true,
  })
  refused_at: EvaluationStep | null;

  @IntegerField({ description: 'The status of the refusal.', example: null, nullable: true })
  status: number | null;

  @TextField({ description: 'The reason of the refusal.', example: null, nullable: true })
  reason: string | null;

  @TextField({ description: 'The message of the refusal.', example: null, nullable: true })
  message: string | null;

  @TextField({ description: 'The hash of the key; null for a new key.', example: null, nullable: true })
  api_key_hash: string | null;

  @TextField({
    description: 'The owner of the key; null for a new key without an owner.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    nullable: true,
  })
  user_id: string | null;

  @UuidField({
    description: 'The workspace of the key; null after the deletion of the default workspace.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    nullable: true,
  })
  workspace_id: string | null;

  @ObjectListField(() => AppliedGuardrail, { description: 'The guardrails that would apply together, and why.' })
  guardrails: AppliedGuardrail[];

  @ObjectListField(() => GenerationObservation, {
    description: 'What guardrails and limits that only observe would have done.',
  })
  observed: readonly GenerationObservation[];

  @ObjectField(() => EvaluatedPreset, { description: 'The preset; null without one.', nullable: true })
  preset: EvaluatedPreset | null;

  @ObjectListField(() => EvaluatedModel, { description: 'The models, in the order in which they are tried.' })
  models: EvaluatedModel[];

  @ObjectField(() => EvaluatedContent, {
    description: 'What the content filters do; null for a request that is refused before.',
    nullable: true,
  })
  content: EvaluatedContent | null;

  @ObjectField(() => EvaluatedAnswer, {
    description:
      'What the filters of answers would make of `answer`. Only where the request has it and its policy was reached.',
    optional: true,
  })
  answer?: EvaluatedAnswer;

  @ObjectListField(() => EvaluatedCandidate, {
    description:
      'The endpoints that would be tried one after the other. Where nothing else decides, their order is drawn by chance for each request.',
  })
  candidates: EvaluatedCandidate[];

  @ObjectListField(() => EvaluatedExclusion, { description: 'The other endpoints of the models, and why.' })
  excluded_endpoints: EvaluatedExclusion[];

  @ObjectField(() => EvaluatedAdmission, {
    description:
      'What the request may cost, and what is left of its limits; null for a request that is refused before.',
    nullable: true,
  })
  admission: EvaluatedAdmission | null;
}

/** The answer to evaluateGuardrail. */
export class EvaluateGuardrailResponse extends DataOf(GuardrailEvaluation) {}

/** The answer to evaluateGuardrailDraft. */
export class EvaluateGuardrailDraftResponse extends DataOf(GuardrailEvaluation) {}
