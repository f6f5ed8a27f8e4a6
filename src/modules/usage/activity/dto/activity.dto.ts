import { ListOf } from '../../../../http/openapi/response-envelopes.js';
import { EnumField, IntegerField, NumberField, TextField, UuidField } from '../../../../http/validation/fields.js';

/** What was used on one day of one model at one endpoint. */
export class ActivityItem {
  @TextField({ description: 'The day, in UTC.', example: '2026-11-21' })
  date: string;

  @TextField({ description: 'The id of the model that answered.', example: 'openai/gpt-5.5' })
  model: string;

  @TextField({ description: 'The canonical slug of the model.', example: 'openai/gpt-5.5-2026-06-01' })
  model_permaslug: string;

  @TextField({ description: 'The tag of the endpoint that answered.', example: 'azure/eu' })
  endpoint_id: string;

  @TextField({ description: 'The name of the provider that answered.', example: 'Azure' })
  provider_name: string;

  @NumberField({
    description: "Spend in US dollars through the gateway's own provider keys.",
    example: 12.375,
    minimum: 0,
  })
  usage: number;

  @NumberField({
    description: "Spend in US dollars at list price through the organization's own provider keys (BYOK).",
    example: 0,
    minimum: 0,
  })
  byok_usage_inference: number;

  @IntegerField({ description: 'Requests that were answered. Refused ones are not counted.', example: 340, minimum: 0 })
  requests: number;

  @IntegerField({
    description: 'Prompt tokens as counted by the provider, including cached tokens.',
    example: 512_000,
    minimum: 0,
  })
  prompt_tokens: number;

  @IntegerField({
    description: 'Completion tokens as counted by the provider, including reasoning tokens.',
    example: 96_000,
    minimum: 0,
  })
  completion_tokens: number;

  @IntegerField({ description: 'Completion tokens that were spent on reasoning.', example: 4_000, minimum: 0 })
  reasoning_tokens: number;

  @UuidField({
    description:
      'The workspace, with `group_by=workspace`; left out for requests that came while there was no default workspace.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  workspace_id?: string;
}

/** The answer to getUserActivity. */
export class ActivityResponse extends ListOf(ActivityItem) {}

/** Which activity. */
export class ActivityQuery {
  @TextField({
    description: 'Only this day: one of the last 30 completed ones in UTC, as YYYY-MM-DD.',
    example: '2026-11-21',
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    optional: true,
  })
  date?: string;

  @TextField({
    description: 'Only requests of the key with this hash: the SHA-256 of the whole key, in lowercase hex.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    pattern: '^[0-9a-f]{64}$',
    optional: true,
  })
  api_key_hash?: string;

  @TextField({
    description: 'Only requests with keys of this member.',
    example: 'user_019aa3f05b1e7c409d0e3d1c2b4a5f62',
    minLength: 1,
    maxLength: 200,
    optional: true,
  })
  user_id?: string;

  @EnumField(['workspace'], {
    description: 'With `workspace` each row is split by workspace, and has a `workspace_id`.',
    example: 'workspace',
    optional: true,
  })
  group_by?: 'workspace';

  @UuidField({
    description: 'Only requests in this workspace.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  workspace_id?: string;
}
