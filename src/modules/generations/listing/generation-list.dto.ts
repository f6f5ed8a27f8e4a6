import {
  BooleanField,
  IntegerField,
  NumberField,
  ObjectListField,
  TextField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { UserIdField, WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { GenerationNames } from '../dto/generation-names.dto.js';
import { CURSOR_PATTERN } from './generation-cursor.js';

const KEY_HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** What a list says of a record. */
export class ListedGeneration extends GenerationNames {
  @TextField({ description: 'The id of the record.', example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT' })
  id: string;

  @TimestampField({ description: 'When the request came, to the second.' })
  created_at: string;

  @WorkspaceIdField('The workspace of the key.', { nullable: true })
  workspace_id: string | null;

  @TextField({ description: 'The model that answered, or that was asked for first.', example: 'openai/gpt-5.5' })
  model: string;

  @TextField({
    description: 'The slug of the provider that was asked last; null if none was asked.',
    example: 'openai',
    nullable: true,
  })
  provider: string | null;

  @IntegerField({
    description: 'The status of the answer; 499 if the client disconnected before there was one.',
    example: 200,
  })
  status: number;

  @TextField({ description: 'The reason of a refusal, as in the error.', nullable: true, example: null })
  refusal: string | null;

  @IntegerField({ description: 'Tokens of the prompt.', example: 12, nullable: true })
  tokens_prompt: number | null;

  @IntegerField({ description: 'Tokens of the answer.', example: 25, nullable: true })
  tokens_completion: number | null;

  @NumberField({ description: 'US dollars that were charged.', example: 0.00041 })
  total_cost: number;

  @NumberField({ description: 'Milliseconds until the first token.', example: 412.3, nullable: true })
  latency: number | null;

  @NumberField({
    description: 'Milliseconds from the start of the request to the end of the answer.',
    example: 1520.4,
    nullable: true,
  })
  generation_time: number | null;

  @BooleanField({ description: 'Whether the answer was streamed.', example: true })
  streamed: boolean;

  @BooleanField({ description: 'Whether a provider key of the organization was used.', example: false })
  is_byok: boolean;
}

/** The answer to listGenerations. */
export class ListGenerationsResponse {
  @ObjectListField(() => ListedGeneration, {
    description: 'The records, latest first. There may be fewer than the limit, or none, although there are more.',
  })
  data: readonly ListedGeneration[];

  @TextField({
    description: 'What to send as `cursor` for the records behind these; null if there are none.',
    example: 'Z2VuLTE3OTUyMTkyMDAtQWIzZEU1Z0g3aks5bU4xcFEzc1Q',
    nullable: true,
  })
  next_cursor: string | null;

  @TimestampField({
    description:
      'How far back records were searched for this page, if there may be more behind it; null if all were searched.',
    nullable: true,
  })
  searched_to: string | null;
}

/** Which records to list. */
export class ListGenerationsQuery {
  @WorkspaceIdField('Only requests with keys of this workspace.', { optional: true })
  workspace_id?: string;

  @TextField({
    description: 'Only requests of the key with this hash: the SHA-256 of the whole key, in lowercase hex.',
    example: KEY_HASH,
    pattern: '^[0-9a-f]{64}$',
    optional: true,
  })
  key_hash?: string;

  @UserIdField('Only requests with keys of this member.', { minLength: 1, maxLength: 200, optional: true })
  user_id?: string;

  @TextField({
    description: 'Only requests with this model.',
    example: 'openai/gpt-5.5',
    minLength: 1,
    maxLength: 200,
    optional: true,
  })
  model?: string;

  @TextField({
    description: 'Only requests that this provider was asked for last, by its slug.',
    example: 'openai',
    minLength: 1,
    maxLength: 200,
    optional: true,
  })
  provider?: string;

  @IntegerField({
    description: 'Only requests whose answer had this status.',
    example: 402,
    minimum: 100,
    maximum: 599,
    optional: true,
  })
  status?: number;

  @BooleanField({
    description: 'Only requests that were refused, or only those that were not.',
    example: true,
    optional: true,
  })
  refused?: boolean;

  @TextField({
    description:
      'Only requests without an answer for this reason, as in the record; a status for those without a reason.',
    example: 'insufficient_budget',
    minLength: 1,
    maxLength: 100,
    optional: true,
  })
  refusal?: string;

  @TextField({
    description: 'Only requests with this label, as `name=value`.',
    example: 'team=search',
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}=[^\\u0000]{1,256}$',
    optional: true,
  })
  label?: string;

  @TextField({
    description: 'Only requests of this session of the client.',
    example: 'session-42',
    minLength: 1,
    maxLength: 256,
    optional: true,
  })
  session_id?: string;

  @UuidField({
    description: 'Only requests that this limit by condition and group refused.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61',
    optional: true,
  })
  limit_id?: string;

  @TextField({
    description: 'Only what this MCP server was asked for, by its name.',
    example: 'github',
    minLength: 1,
    maxLength: 32,
    optional: true,
  })
  server?: string;

  @TextField({
    description: 'Only calls of this tool of an MCP server, as `server/tool`.',
    example: 'github/search_code',
    pattern: '^[^/\\u0000]{1,32}/[^\\u0000]{1,128}$',
    optional: true,
  })
  tool?: string;

  @TimestampField({ description: 'Only requests at or after this time.', optional: true })
  since?: string;

  @TimestampField({ description: 'Only requests before this time.', optional: true })
  until?: string;

  @TextField({
    description: 'The `next_cursor` of the page before.',
    example: 'Z2VuLTE3OTUyMTkyMDAtQWIzZEU1Z0g3aks5bU4xcFEzc1Q',
    pattern: CURSOR_PATTERN,
    optional: true,
  })
  cursor?: string;

  @IntegerField({
    description: 'The maximum number of records to return.',
    example: 50,
    minimum: 1,
    maximum: 100,
    optional: true,
    default: 50,
  })
  limit?: number;
}
