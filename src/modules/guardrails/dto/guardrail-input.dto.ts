import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { Rules } from '../../../http/input/rules.js';
import { ObjectListField } from '../../../http/schema/fields.js';
import { MAXIMUM_CUSTOM_FILTERS, MAXIMUM_CUSTOM_FILTER_TEXT } from '../content-filters.js';
import { boundedFilters } from '../guardrail-rules.js';
import { ContentFilterBuiltinEntryInput, ContentFilterEntry } from './content-filter.dto.js';
import { GuardrailPolicy } from './guardrail-policy.dto.js';

/** The fields that a guardrail has in every request. */
@BodyLimit(BODY_LIMITS.large)
@Rules(boundedFilters)
export class GuardrailInput extends GuardrailPolicy {
  @ObjectListField(() => ContentFilterBuiltinEntryInput, {
    description: 'Builtin content filters, each at most once.',
    optional: true,
    nullable: true,
  })
  content_filter_builtins?: ContentFilterBuiltinEntryInput[] | null;

  @ObjectListField(() => ContentFilterEntry, {
    description: `Custom content filters. Their patterns and labels have at most ${MAXIMUM_CUSTOM_FILTER_TEXT} characters together.`,
    maxItems: MAXIMUM_CUSTOM_FILTERS,
    optional: true,
    nullable: true,
  })
  content_filters?: ContentFilterEntry[] | null;
}
