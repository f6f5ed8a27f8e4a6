import { ObjectField, EnumField, TextField, TrueField } from '../../../http/validation/fields.js';

/** What a generation can be found at fault with. */
export const FEEDBACK_CATEGORIES = [
  'latency',
  'incoherence',
  'incorrect_response',
  'formatting',
  'billing',
  'api_error',
  'other',
] as const;

export type FeedbackCategory = (typeof FEEDBACK_CATEGORIES)[number];

/** A request to say what is wrong with a generation. */
export class SubmitGenerationFeedbackRequest {
  @TextField({
    description: 'The id of the generation.',
    example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT',
    minLength: 1,
    maxLength: 200,
  })
  generation_id: string;

  @EnumField(FEEDBACK_CATEGORIES, { description: 'What is wrong with it.' })
  category: FeedbackCategory;

  @TextField({
    description: 'In your own words. It is kept with the record, which is not encrypted.',
    example: 'The second citation does not exist.',
    maxLength: 1_000,
    optional: true,
  })
  comment?: string;
}

/** That feedback was stored. */
export class SubmittedFeedback {
  @TrueField({ description: 'Always true: it was stored.', example: true })
  success: true;
}

/** The answer to submitGenerationFeedback. */
export class SubmitGenerationFeedbackResponse {
  @ObjectField(() => SubmittedFeedback, { description: 'That it was stored.' })
  data: SubmittedFeedback;
}
