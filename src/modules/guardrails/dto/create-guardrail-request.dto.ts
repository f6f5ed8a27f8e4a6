import { RequestRules } from '../../../http/input/request-rules.js';
import { Rules } from '../../../http/input/rules.js';
import { BooleanField, TextField, UuidField } from '../../../http/schema/fields.js';
import { WholeExample } from '../../../http/schema/schema-registry.js';
import { eachBuiltinOnce, limitWithInterval } from '../guardrail-rules.js';
import { PatternRule } from '../patterns/pattern-rule.js';
import { GuardrailInput } from './guardrail-input.dto.js';

/** The body of createGuardrail (SERVICE.md, section 4.1). */
@Rules(limitWithInterval, eachBuiltinOnce)
@RequestRules(PatternRule)
@WholeExample({
  name: 'Production',
  description: 'Production traffic',
  limit_usd: 100,
  reset_interval: 'monthly',
  allowed_models: ['openai/gpt-latest', 'anthropic/claude-sonnet-latest'],
  ignored_providers: ['deepinfra'],
  content_filter_builtins: [
    { slug: 'email', action: 'redact' },
    { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'user_only' },
  ],
  content_filters: [{ pattern: 'PROJECT-[0-9]{4}', action: 'redact', label: '[PROJECT]' }],
  enforce_zdr_other: true,
  enable_paid_model_training: false,
})
export class CreateGuardrailRequest extends GuardrailInput {
  @TextField({ description: 'The name.', example: 'Production', minLength: 1, maxLength: 200 })
  name: string;

  @UuidField({
    description: 'The workspace that the guardrail belongs to; when left out, the default workspace.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  workspace_id?: string;

  @BooleanField({
    description: "Count spend through the caller's own provider keys toward limit_usd as well.",
    example: false,
    optional: true,
    default: false,
  })
  include_byok_in_budgets?: boolean;
}
