import { RequestRules } from '../../../http/input/request-rules.js';
import { Rules } from '../../../http/input/rules.js';
import { BooleanField, TextField } from '../../../http/schema/fields.js';
import { WholeExample } from '../../../http/schema/schema-registry.js';
import { eachBuiltinOnce } from '../guardrail-rules.js';
import { PatternRule } from '../patterns/pattern-rule.js';
import { GuardrailInput } from './guardrail-input.dto.js';

/** The body of updateGuardrail: what is left out stays as it is, null clears. */
@Rules(eachBuiltinOnce)
@RequestRules(PatternRule)
@WholeExample({
  description: null,
  limit_usd: 250,
  reset_interval: 'monthly',
  ignored_models: ['openai/gpt-latest'],
  content_filter_builtins: [{ slug: 'email', action: 'block' }],
})
export class UpdateGuardrailRequest extends GuardrailInput {
  @TextField({ description: 'The name.', example: 'Production', minLength: 1, maxLength: 200, optional: true })
  name?: string;

  @BooleanField({
    description: "Count spend through the caller's own provider keys toward limit_usd as well.",
    example: false,
    optional: true,
  })
  include_byok_in_budgets?: boolean;
}
