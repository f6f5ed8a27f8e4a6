import {
  BooleanField,
  EnumField,
  FreeObjectField,
  IntegerField,
  ObjectField,
  ObjectListField,
  TextField,
} from '../../../api/validation/fields.js';

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

/** The endpoints of the models of a request. */
export class RoutedEndpoints {
  @IntegerField({ description: 'All of them.', example: 1 })
  total: number;

  @ObjectListField(() => AvailableEndpoint, {
    description: 'Those that were left to be tried, in their order; none where the request was refused before.',
  })
  available: readonly AvailableEndpoint[];
}

/** An attempt at an endpoint. */
export class RouterAttempt {
  @TextField({ description: 'The provider.', example: 'Gatehouse' })
  provider: string;

  @TextField({ description: 'The model.', example: 'gatehouse/echo' })
  model: string;

  @IntegerField({ description: "The status of the provider's answer; 502 where there was none.", example: 200 })
  status: number;
}

/** What a guardrail did to a request. */
export class PipelineStage {
  @EnumField(['guardrail'], { description: 'What acted.' })
  type: 'guardrail';

  @EnumField(['content-filter', 'regex_pi_detection'], { description: 'What it looked for.' })
  name: 'content-filter' | 'regex_pi_detection';

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
      'The particulars: `filter`, `action`, `count` and `guardrail_ids`, or `action`, `detected`, `engines` and `patterns`.',
    example: { filter: 'email', action: 'redact', count: 1, guardrail_ids: ['01a1fc88-7d8f-7102-b898-e2219727c94b'] },
    optional: true,
  })
  data?: object;
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

  @ObjectListField(() => PipelineStage, {
    description: 'What content filters did; those that found nothing are left out.',
    optional: true,
  })
  pipeline?: readonly PipelineStage[];
}
