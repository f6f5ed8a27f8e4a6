import { AdditionalProperties } from '../../../http/validation/dto-fields.js';
import { BooleanField, EnumField, IntegerField } from '../../../http/validation/fields.js';
import { REASONING_EFFORTS } from '../../catalog/model-vocabulary.js';

const OPTIONAL = { optional: true, nullable: true } as const;

/** How much a model thinks before it answers. */
@AdditionalProperties()
export abstract class ReasoningSettings {
  @EnumField(REASONING_EFFORTS, { description: 'The share of the answer that may be reasoning.', ...OPTIONAL })
  effort?: (typeof REASONING_EFFORTS)[number] | null;

  @EnumField(['auto', 'concise', 'detailed'], { description: 'How reasoning is summarized.', ...OPTIONAL })
  summary?: 'auto' | 'concise' | 'detailed' | null;

  @IntegerField({ example: 1000, description: 'The maximum of reasoning, in tokens.', minimum: 1, ...OPTIONAL })
  max_tokens?: number | null;

  @BooleanField({
    example: true,
    description: 'Whether the model thinks; true without other settings means the effort medium.',
    ...OPTIONAL,
  })
  enabled?: boolean | null;
}
