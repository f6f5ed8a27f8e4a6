import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { ObjectListField } from '../../../http/schema/fields.js';
import { ContentFilterBuiltinEntryInput, ContentFilterEntry } from './content-filter.dto.js';
import { GuardrailPolicy } from './guardrail-policy.dto.js';

/** The fields that a guardrail has in every request. */
@BodyLimit(BODY_LIMITS.large)
export class GuardrailInput extends GuardrailPolicy {
  @ObjectListField(() => ContentFilterBuiltinEntryInput, {
    description: 'Builtin content filters, each at most once.',
    optional: true,
    nullable: true,
  })
  content_filter_builtins?: ContentFilterBuiltinEntryInput[] | null;

  @ObjectListField(() => ContentFilterEntry, {
    description: 'Custom content filters.',
    optional: true,
    nullable: true,
  })
  content_filters?: ContentFilterEntry[] | null;
}
