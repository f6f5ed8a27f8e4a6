import { DataOf, PageOf } from '../../../http/schema/answer-shapes.js';
import { BooleanField, ObjectListField, TextField, TimestampField, UuidField } from '../../../http/schema/fields.js';
import { ContentFilterBuiltinEntry, ContentFilterEntry } from './content-filter.dto.js';
import { GuardrailPolicy } from './guardrail-policy.dto.js';

/** A guardrail (SERVICE.md, section 2.1). */
export class Guardrail extends GuardrailPolicy {
  @UuidField({ description: 'The guardrail.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60' })
  id: string;

  @TextField({ description: 'The name.', example: 'Production', minLength: 1, maxLength: 200 })
  name: string;

  @UuidField({
    description: 'The workspace; null for a legacy guardrail from before workspaces, which applies to none.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    nullable: true,
  })
  workspace_id: string | null;

  @BooleanField({
    description: "Whether spend through the caller's own provider keys counts toward limit_usd as well.",
    example: false,
  })
  include_byok_in_budgets: boolean;

  @ObjectListField(() => ContentFilterBuiltinEntry, {
    description: 'Builtin content filters.',
    optional: true,
    nullable: true,
  })
  content_filter_builtins?: ContentFilterBuiltinEntry[] | null;

  @ObjectListField(() => ContentFilterEntry, {
    description: 'Custom content filters.',
    optional: true,
    nullable: true,
  })
  content_filters?: ContentFilterEntry[] | null;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed; null when never.', optional: true, nullable: true })
  updated_at?: string | null;
}

/** The answer to createGuardrail. */
export class CreateGuardrailResponse extends DataOf(Guardrail) {}

/** The answer to getGuardrail. */
export class GetGuardrailResponse extends DataOf(Guardrail) {}

/** The answer to updateGuardrail. */
export class UpdateGuardrailResponse extends DataOf(Guardrail) {}

/** The answer to listGuardrails. */
export class ListGuardrailsResponse extends PageOf(Guardrail) {}
