import { EnumField, TextField } from '../../../http/schema/fields.js';
import {
  BUILTIN_FILTER_SLUGS,
  type BuiltinFilterSlug,
  FILTER_ACTIONS,
  type FilterAction,
  MAXIMUM_PATTERN_LENGTH,
  SCAN_SCOPES,
  type ScanScope,
} from '../content-filters.js';

/** The longest label of a content filter, in code points (SERVICE.md, section 8). */
const MAXIMUM_LABEL_LENGTH = 100;

class BuiltinFilter {
  @EnumField(BUILTIN_FILTER_SLUGS, { description: 'Which builtin filter.', example: 'regex-prompt-injection' })
  slug: BuiltinFilterSlug;

  @EnumField(FILTER_ACTIONS, { description: 'What happens to a match; flag only reports it.', example: 'redact' })
  action: FilterAction;

  @EnumField(SCAN_SCOPES, {
    description: 'Which messages are read. Has an effect on regex-prompt-injection only.',
    example: 'all_messages',
    optional: true,
    default: 'all_messages',
  })
  scan_scope?: ScanScope;
}

/** A builtin filter in a request (SERVICE.md, section 2.2). */
export class ContentFilterBuiltinEntryInput extends BuiltinFilter {
  @TextField({
    description: 'Accepted and ignored: labels are assigned by the system.',
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
    description: 'The label that the system assigned.',
    example: '[PROMPT_INJECTION]',
    maxLength: MAXIMUM_LABEL_LENGTH,
  })
  label: string;
}

/** A custom filter (SERVICE.md, section 2.3). */
export class ContentFilterEntry {
  @TextField({
    description:
      'A regular expression that request content is matched against, in RE2 syntax: it runs in linear time, so without look-around and back-references.',
    example: 'PROJECT-[0-9]{4}',
    minLength: 1,
    maxLength: MAXIMUM_PATTERN_LENGTH,
  })
  pattern: string;

  @EnumField(FILTER_ACTIONS, { description: 'What happens to a match; flag only reports it.', example: 'redact' })
  action: FilterAction;

  @TextField({
    description: 'Stands in for what was redacted, and in error messages.',
    example: '[PROJECT]',
    maxLength: MAXIMUM_LABEL_LENGTH,
    optional: true,
    nullable: true,
  })
  label?: string | null;
}
