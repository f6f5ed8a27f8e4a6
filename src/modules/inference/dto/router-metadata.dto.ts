import {
  BooleanField,
  EnumField,
  FreeObjectField,
  IntegerField,
  ObjectField,
  ObjectListField,
  TextField,
} from '../../../http/validation/fields.js';

/** How the model of a request was found. */
export const ROUTING_STRATEGIES = ['direct', 'latest', 'alias', 'fallback'] as const;

/** An endpoint that could have answered. */
export class AvailableEndpoint {
  @TextField({ description: 'The provider.', example: 'Gatehouse' })
  provider: string;

  @TextField({ description: 'The model.', example: 'gatehouse/echo' })
  model: string;

  @BooleanField({ description: 'Whether it answered.', example: true })
  selected: boolean;
}

const STAGE_TYPES = ['guardrail', 'context_compression', 'response_healing'] as const;

const STAGE_NAMES = ['content-filter', 'regex_pi_detection', 'context-compression', 'response-healing'] as const;

/** The endpoints of the models of a request. */
export class RoutedEndpoints {
  @IntegerField({ description: 'The number of all endpoints.', example: 1 })
  total: number;

  @ObjectListField(() => AvailableEndpoint, {
    description:
      'The remaining endpoints in the order in which they are tried; empty if the request was refused before.',
  })
  available: readonly AvailableEndpoint[];
}

/** An attempt at an endpoint. */
export class RouterAttempt {
  @TextField({ description: 'The provider.', example: 'Gatehouse' })
  provider: string;

  @TextField({ description: 'The model.', example: 'gatehouse/echo' })
  model: string;

  @IntegerField({ description: "The status of the provider's answer; 502 if there was none.", example: 200 })
  status: number;
}

/** What a guardrail or a plugin did to a request. */
export class PipelineStage {
  @EnumField(STAGE_TYPES, { description: 'The kind of stage: `guardrail`, or the plugin.' })
  type: (typeof STAGE_TYPES)[number];

  @EnumField(STAGE_NAMES, { description: 'The name of the stage: what the guardrail looked for, or the plugin.' })
  name: (typeof STAGE_NAMES)[number];

  @TextField({
    description: 'The first of the guardrails that have the filter.',
    example: '01a1fc88-7d8f-7102-b898-e2219727c94b',
    optional: true,
  })
  guardrail_id?: string;

  @TextField({ description: 'What was done.', example: 'email: redact, 1 match', optional: true })
  summary?: string;

  @FreeObjectField({
    description:
      'The particulars: `filter`, `action`, `count` and `guardrail_ids`, or `action`, `detected`, `engines` and `patterns`; of a plugin `omitted` or `repaired`.',
    example: { filter: 'email', action: 'redact', count: 1, guardrail_ids: ['01a1fc88-7d8f-7102-b898-e2219727c94b'] },
    optional: true,
  })
  data?: object;
}

/** A part of a request that the provider got in another form, or not at all (docs/interface/capabilities.md#adjustments). */
export class RoutedAdjustment {
  @TextField({ description: 'Where in the request.', example: 'tools.0.function.name' })
  path: string;

  @EnumField(['left_out', 'changed'], { description: 'Whether it was not sent, or sent in another form.' })
  action: 'left_out' | 'changed';

  @TextField({ description: 'Why, as a word that does not change.', example: 'name_too_long' })
  reason: string;
}

/** How a request was routed (docs/interface/inference.md#routing-metadata). */
export class RouterMetadata {
  @TextField({ description: 'The model that the request asked for.', example: 'gatehouse/echo' })
  requested: string;

  @EnumField(ROUTING_STRATEGIES, { description: 'How its model was found: `fallback` where it named several.' })
  strategy: (typeof ROUTING_STRATEGIES)[number];

  @TextField({ description: 'The region of the deployment.', example: 'global', nullable: true })
  region: string | null;

  @TextField({ description: 'The outcome in one line.', example: 'available=1, selected=Gatehouse' })
  summary: string;

  @IntegerField({ description: 'The number of attempts; 0 where no provider was asked.', example: 1 })
  attempt: number;

  @BooleanField({ description: 'Whether a provider key of the organization was used last.', example: false })
  is_byok: boolean;

  @ObjectField(() => RoutedEndpoints, { description: 'The endpoints of the models.' })
  endpoints: RoutedEndpoints;

  @ObjectListField(() => RouterAttempt, { description: 'The attempts, in their order.', optional: true })
  attempts?: readonly RouterAttempt[];

  @IntegerField({
    description:
      'Milliseconds from the call of the provider that was asked last to the end of its answer; absent where none was asked.',
    example: 412,
    optional: true,
  })
  generation_time?: number;

  @ObjectListField(() => PipelineStage, {
    description: 'The effects of content filters and plugins; those without an effect are left out.',
    optional: true,
  })
  pipeline?: readonly PipelineStage[];

  @ObjectListField(() => RoutedAdjustment, {
    description: 'What the provider that was asked last got in another form than the client had sent, or not at all.',
    optional: true,
  })
  adjustments?: readonly RoutedAdjustment[];
}
