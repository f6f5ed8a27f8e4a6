import { BooleanField, EnumField, EnumListField, TextField } from '../../../http/validation/fields.js';
import {
  DEFAULT_PLACES,
  FILTER_ACTIONS,
  FILTER_PLACES,
  type FilterAction,
  type FilterPlace,
} from '../../content/content-filters.js';
import {
  BUILTIN_FILTER_SLUGS,
  type BuiltinFilterSlug,
  MAXIMUM_PATTERN_LENGTH,
  SCAN_SCOPES,
  type ScanScope,
} from './stored-filters.js';

/** The longest label of a content filter, in code points (docs/interface/guardrails.md#custom-filters). */
const MAXIMUM_LABEL_LENGTH = 100;

/** Where a filter applies (docs/interface/guardrails.md#where-filters-apply). */
const APPLIES_TO = {
  description: `What the filter looks through: requests without the results of tools, answers, the arguments of the tools that they call, and the results of tools; ${DEFAULT_PLACES.join(' and ')} if absent. Answers have it only where it is something else.`,
  example: ['request', 'response'],
  minItems: 1,
  optional: true,
} as const;

/** Whether a filter holds texts of answers back to their end. */
const HOLDS_WHOLE_TEXT = {
  description:
    'The filter applies to answers and has to see a text to its end before any of it leaves, also in a stream. Only where it is so; ignored in requests.',
  example: true,
  optional: true,
} as const;

class BuiltinFilter {
  @EnumField(BUILTIN_FILTER_SLUGS, { description: 'The builtin filter.', example: 'regex-prompt-injection' })
  slug: BuiltinFilterSlug;

  @EnumField(FILTER_ACTIONS, {
    description: 'What happens to a match: redact it, block the request, or only flag it.',
    example: 'redact',
  })
  action: FilterAction;

  @EnumField(SCAN_SCOPES, {
    description: 'Which messages are scanned. Applies to regex-prompt-injection only.',
    example: 'all_messages',
    optional: true,
    default: 'all_messages',
  })
  scan_scope?: ScanScope;

  @EnumListField(FILTER_PLACES, APPLIES_TO)
  applies_to?: readonly FilterPlace[];

  @BooleanField(HOLDS_WHOLE_TEXT)
  holds_whole_text?: boolean;
}

/** A builtin filter in a request (docs/interface/guardrails.md#builtin-filters). */
export class ContentFilterBuiltinEntryInput extends BuiltinFilter {
  @TextField({
    description: 'Deprecated and ignored: the system assigns labels.',
    example: '[PROMPT_INJECTION]',
    maxLength: MAXIMUM_LABEL_LENGTH,
    optional: true,
    deprecated: true,
  })
  label?: string;
}

/** A builtin filter in an answer. */
export class ContentFilterBuiltinEntry extends BuiltinFilter {
  @TextField({
    description: 'The label, assigned by the system.',
    example: '[PROMPT_INJECTION]',
    maxLength: MAXIMUM_LABEL_LENGTH,
  })
  label: string;
}

/** A custom filter (docs/interface/guardrails.md#custom-filters). */
export class ContentFilterEntry {
  @TextField({
    description:
      'A regular expression in RE2 syntax, matched against request content. RE2 has no look-around and no back-references.',
    example: 'PROJECT-[0-9]{4}',
    minLength: 1,
    maxLength: MAXIMUM_PATTERN_LENGTH,
  })
  pattern: string;

  @EnumField(FILTER_ACTIONS, {
    description: 'What happens to a match: redact it, block the request, or only flag it.',
    example: 'redact',
  })
  action: FilterAction;

  @TextField({
    description: 'The label in redaction placeholders and error messages.',
    example: '[PROJECT]',
    maxLength: MAXIMUM_LABEL_LENGTH,
    optional: true,
    nullable: true,
  })
  label?: string | null;

  @EnumListField(FILTER_PLACES, APPLIES_TO)
  applies_to?: readonly FilterPlace[];

  @BooleanField(HOLDS_WHOLE_TEXT)
  holds_whole_text?: boolean;
}
