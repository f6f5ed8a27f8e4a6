import { EnumField, ObjectListField, TextField, TrueField } from '../../../../http/validation/fields.js';
import { EvaluatedFilter, RedactedText } from './evaluated-content.dto.js';

/** A call of a tool in an answer that is tried. */
export class AnsweredCall {
  @TextField({ description: 'The name of the tool.', example: 'mail' })
  name: string;

  @TextField({
    description: 'Its arguments, usually as JSON.',
    example: '{"to":"jane.doe@example.com"}',
  })
  arguments: string;
}

/** An answer of a model, which the filters of answers are tried with. */
export class AnswerToEvaluate {
  @TextField({ description: 'What the model says.', example: 'Write to jane.doe@example.com', optional: true })
  content?: string;

  @TextField({ description: 'What it thinks.', example: 'Who was it?', optional: true })
  reasoning?: string;

  @TextField({ description: 'What it refuses with.', example: 'I cannot help with that.', optional: true })
  refusal?: string;

  @ObjectListField(() => AnsweredCall, { description: 'The tools that it calls.', maxItems: 128, optional: true })
  tool_calls?: AnsweredCall[];
}

/** What a filter has found in an answer. */
export class EvaluatedAnswerFilter extends EvaluatedFilter {
  @EnumField(['response', 'tool_call'], { description: 'Where it was found.', example: 'response' })
  place: 'response' | 'tool_call';
}

/** What the filters of answers would make of an answer. */
export class EvaluatedAnswer {
  @EnumField(['passed', 'redacted', 'blocked'], {
    description: 'Whether the answer would reach the client as it is, without what is redacted, or not.',
    example: 'redacted',
  })
  outcome: 'passed' | 'redacted' | 'blocked';

  @TextField({ description: 'The reason of the refusal.', example: null, nullable: true })
  reason: string | null;

  @TextField({ description: 'The message of the refusal.', example: null, nullable: true })
  message: string | null;

  @ObjectListField(() => EvaluatedAnswerFilter, { description: 'The filters that found something, in each place.' })
  filters: EvaluatedAnswerFilter[];

  @ObjectListField(() => RedactedText, {
    description: 'The changed texts, by their places in `answer`. Empty for an answer that is blocked.',
  })
  redacted_texts: RedactedText[];

  @TrueField({
    description: 'Some filter has to see a text to its end before any of it leaves. Only where it is so.',
    example: true,
    optional: true,
  })
  holds_whole_text?: true;
}
