import {
  BooleanField,
  EnumField,
  IntegerField,
  ObjectListField,
  TextField,
  TextListField,
} from '../../../../http/validation/fields.js';

const ACTIONS = ['redact', 'block', 'flag'] as const;

/** What has become of the analyzer that some filters need. */
export const ANALYZER_STATES = ['not_needed', 'not_asked', 'not_configured', 'answered', 'failed'] as const;

export type AnalyzerState = (typeof ANALYZER_STATES)[number];

const FILTER = {
  description: 'The slug of a builtin filter, or the label of a custom one; `custom` without a label.',
  example: 'email',
} as const;

/** What one content filter has found. */
export class EvaluatedFilter {
  @TextField(FILTER)
  filter: string;

  @EnumField(ACTIONS, { description: 'What the filter does.', example: 'redact' })
  action: (typeof ACTIONS)[number];

  @IntegerField({ description: 'The number of matches.', example: 1, minimum: 0 })
  count: number;

  @TextListField({
    description: 'The guardrails that have the filter.',
    example: ['019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60'],
  })
  guardrail_ids: readonly string[];

  @TextListField({ description: 'The names of the patterns that matched, for regex-prompt-injection.', example: [] })
  patterns: readonly string[];

  @BooleanField({
    description: 'Whether the filter was not available, and the deployment lets such requests pass.',
    example: false,
  })
  unavailable: boolean;
}

/** Where a content filter matches. What it matches is not shown. */
export class EvaluatedMatch {
  @TextField({
    description:
      'The text, by its place in the request, once the preset is merged; empty for further fields of the request.',
    example: 'messages[0].content',
  })
  path: string;

  @IntegerField({
    description: 'The index of the message, from 0; null for a text outside of messages.',
    example: 0,
    minimum: 0,
    nullable: true,
  })
  message: number | null;

  @IntegerField({
    description: 'The index of the part of the content, from 0; null for a content that is one text.',
    example: null,
    minimum: 0,
    nullable: true,
  })
  part: number | null;

  @IntegerField({
    description:
      'Where the match begins in the text, in Unicode code points. In the arguments of a tool call, where the string or number begins. Null in what is read as one JSON: descriptions of tools and of the form of the answer, and further fields.',
    example: 9,
    minimum: 0,
    nullable: true,
  })
  offset: number | null;

  @IntegerField({
    description: 'The length of the match in Unicode code points.',
    example: 20,
    minimum: 0,
    nullable: true,
  })
  length: number | null;

  @TextField(FILTER)
  filter: string;

  @EnumField(ACTIONS, { description: 'What the filter does.', example: 'redact' })
  action: (typeof ACTIONS)[number];

  @TextField({
    description: 'The name of the pattern, for regex-prompt-injection.',
    example: null,
    nullable: true,
  })
  pattern: string | null;
}

/** A text as a provider would get it. */
export class RedactedText {
  @TextField({ description: 'The place of the text in the request.', example: 'messages[0].content' })
  path: string;

  @TextField({ description: 'The text without what is redacted.', example: 'Write to [EMAIL]' })
  text: string;
}

/** What the content filters do. */
export class EvaluatedContent {
  @ObjectListField(() => EvaluatedFilter, { description: 'The filters that found something.' })
  filters: EvaluatedFilter[];

  @ObjectListField(() => EvaluatedMatch, {
    description: 'The places of the matches, in the order of the request. At most 1,000.',
  })
  matches: EvaluatedMatch[];

  @IntegerField({ description: 'How many matches are not listed.', example: 0, minimum: 0 })
  omitted_matches: number;

  @EnumField(ANALYZER_STATES, {
    description:
      'The state of the analyzer of names and addresses: no filter needs it, another filter blocked the request first, the deployment has none, it answered, or it failed.',
    example: 'not_needed',
  })
  analyzer: AnalyzerState;

  @ObjectListField(() => RedactedText, {
    description:
      'The changed texts of an admitted request, at most 100,000 characters; texts with matches that are only reported are left out.',
  })
  redacted_texts: RedactedText[];
}
