import { NumberField } from '../../../api/validation/fields.js';

/** The parts of the cost of an answer. */
export class CostDetails {
  @NumberField({
    description: "US dollars that the provider charges the organization's own key.",
    nullable: true,
    example: null,
  })
  upstream_inference_cost: number | null;

  @NumberField({ description: 'US dollars of the prompt.', example: 0.000005 })
  upstream_inference_prompt_cost: number;

  @NumberField({ description: 'US dollars of the answer.', example: 0.000008 })
  upstream_inference_completions_cost: number;
}
