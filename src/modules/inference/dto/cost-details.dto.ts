import { BooleanField, NumberField, ObjectField } from '../../../http/validation/fields.js';

class CostDetails {
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

/** What the usage of an answer says of its cost, in every form. */
export abstract class ChargedUsage {
  @NumberField({ description: 'US dollars that are charged.', example: 0.000013 })
  cost: number;

  @BooleanField({ description: 'Whether a provider key of the organization was used.', example: false })
  is_byok: boolean;

  @ObjectField(() => CostDetails, { description: 'The parts of the cost.' })
  cost_details: CostDetails;
}
