import { IntegerField, ObjectField, ObjectListField, SchemaField, TextField } from '../../../http/validation/fields.js';
import { namedSchema, textOf } from '../../../http/openapi/named-schemas.js';
import type { ContentInput } from './generation-content.js';

const PROMPT = namedSchema('GenerationPrompt', {
  type: 'object',
  description: 'What was sent without messages.',
  properties: { prompt: textOf('The prompt of a request without messages.', 'Say hello') },
  required: ['prompt'],
});

const MESSAGES = namedSchema('GenerationMessages', {
  type: 'object',
  description: 'What was sent as a conversation.',
  properties: {
    messages: {
      type: 'array',
      items: {},
      description: 'The conversation, oldest message first.',
      examples: [[{ role: 'user', content: 'Write to [EMAIL]' }]],
    },
  },
  required: ['messages'],
});

/** What came back. */
export class GenerationContentOutput {
  @TextField({ description: 'The text of the answer, as far as it was delivered.', nullable: true, example: 'Hello' })
  completion: string | null;

  @TextField({ description: 'The reasoning of the answer, as far as it was delivered.', nullable: true, example: null })
  reasoning: string | null;
}

/** A request to a provider that failed. */
export class GenerationPreviousError {
  @IntegerField({ description: "The status of the provider's answer; 502 if there was none.", example: 503 })
  code: number;

  @TextField({ description: 'Why the attempt failed.', example: 'The provider answered 503.' })
  message: string;

  @TextField({ description: 'The provider.', nullable: true, example: 'OpenAI' })
  provider_name: string | null;

  @TextField({
    description: "Always null: the texts of providers' errors are not kept.",
    nullable: true,
    example: null,
  })
  raw: string | null;
}

/** The error if the answer is missing or incomplete. */
export class GenerationContentError {
  @IntegerField({ description: 'The status of the response.', nullable: true, example: 503 })
  status: number | null;

  @TextField({
    description: 'The error message of the response.',
    nullable: true,
    example: 'Service temporarily unavailable: no provider could answer.',
  })
  message: string | null;

  @TextField({ description: 'The provider that was asked last.', nullable: true, example: 'OpenAI' })
  provider_name: string | null;

  @TextField({
    description: "Always null: the texts of providers' errors are not kept.",
    nullable: true,
    example: null,
  })
  raw: string | null;

  @ObjectListField(() => GenerationPreviousError, { description: 'The requests to providers that failed, in order.' })
  previous_errors: readonly GenerationPreviousError[];
}

/** The content of a request and of its answer. */
export class GenerationContentData {
  @SchemaField(
    {
      anyOf: [PROMPT, MESSAGES],
    },
    {
      description: 'What was sent to the provider, with the preset and without what was redacted.',
      example: { messages: [{ role: 'user', content: 'Write to [EMAIL]' }] },
    },
  )
  input: ContentInput;

  @ObjectField(() => GenerationContentOutput, { description: 'What came back.' })
  output: GenerationContentOutput;

  @ObjectField(() => GenerationContentError, {
    description: 'Why there is no complete answer; null for a complete one.',
    nullable: true,
  })
  error: GenerationContentError | null;
}

/** The response of listGenerationContent. */
export class GenerationContentResponse {
  @ObjectField(() => GenerationContentData, { description: 'The content.' })
  data: GenerationContentData;
}
