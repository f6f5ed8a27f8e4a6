import {
  BooleanField,
  EnumField,
  FreeObjectField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { DATA_REGIONS, type DataRegion } from '../../../config/data-region.js';
import { RECORDED_TYPES, type RecordedType } from '../../../telemetry/operations.js';
import { FEEDBACK_CATEGORIES, type FeedbackCategory } from '../feedback/generation-feedback.dto.js';
import type { Labels } from '../../labels/labels.js';
import {
  type CombinationValues,
  LIMIT_MEASURES,
  LIMIT_WINDOWS,
  type LimitMeasure,
  type LimitWindow,
} from '../../limits/limit-vocabulary.js';
import { LIMIT_SUBJECTS } from '../../spend/limits-of-key.js';
import { SPEND_INTERVALS, type SpendInterval } from '../../spend/spend-interval.js';
import {
  JUDGED_OUTCOMES,
  JUDGED_PLACES,
  OBSERVED_OUTCOMES,
  OBSERVED_REASONS,
  type Observation,
  type RecordedJudgement,
} from '../generation-details.js';
import { GenerationNames } from './generation-names.dto.js';

/** The query of a record. */
export class GenerationQuery {
  @TextField({
    description: 'The id of the answer.',
    example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT',
    minLength: 1,
    maxLength: 200,
  })
  id: string;
}

/** A request to a provider. */
export class ProviderResponse {
  @TextField({ description: 'The provider.', example: 'OpenAI' })
  provider_name: string;

  @TextField({ description: 'The endpoint, as the tag of the catalog.', example: 'openai' })
  endpoint_id: string;

  @TextField({ description: 'The model.', example: 'openai/gpt-5.5' })
  model_permaslug: string;

  @IntegerField({
    description: "The status of the provider's answer; null if there was none.",
    nullable: true,
    example: 200,
  })
  status: number | null;

  @NumberField({ description: 'Milliseconds until the first token or the failure.', example: 412 })
  latency: number;

  @BooleanField({ example: false, description: 'Whether a provider key of the organization was used.' })
  is_byok: boolean;
}

/** What a filter of a guardrail did. */
export class GuardrailAction {
  @TextField({ description: 'The slug of a builtin filter, or the label of a custom one.', example: 'email' })
  filter: string;

  @EnumField(['block', 'redact', 'flag'], { description: 'What the filter does with a match: `flag` only records it.' })
  action: 'block' | 'redact' | 'flag';

  @TextListField({
    example: ['01a1fc88-7d8f-7102-b898-e2219727c94b'],
    description: 'The guardrails that have the filter.',
  })
  guardrail_ids: readonly string[];

  @IntegerField({ description: 'The number of matches.', example: 1 })
  count: number;

  @EnumField(['response', 'tool_call'], {
    description: 'Where in the answer it was found. Absent where it was found in the request.',
    example: 'response',
    optional: true,
  })
  place?: 'response' | 'tool_call';
}

/** What an inspector said of texts of one place, each outcome once (docs/interface/inspectors.md). */
export class InspectorAction {
  @UuidField({ description: 'The id of the inspector.', example: '01a1fc88-7d8f-7102-b898-e2219727c94b' })
  inspector_id: string;

  @TextField({ description: 'The name that it had.', example: 'Data protection' })
  name: string;

  @EnumField(JUDGED_PLACES, { description: 'Which texts it judged.', example: 'response' })
  place: RecordedJudgement['place'];

  @EnumField(JUDGED_OUTCOMES, { description: 'What it said, or that it failed.', example: 'passed' })
  outcome: RecordedJudgement['outcome'];

  @BooleanField({ description: 'Whether it only observes; absent where it enforces.', example: true, optional: true })
  observed?: true;

  @IntegerField({
    description: 'How often it was asked: once for a request, and for each window of an answer.',
    example: 1,
  })
  count: number;

  @IntegerField({ description: 'How long that took, all together, in milliseconds.', example: 42 })
  milliseconds: number;

  @NumberField({
    description: 'US dollars that a judge model cost, which the total cost contains; absent for nothing.',
    example: 0.000021,
    optional: true,
  })
  cost?: number;
}

/** What the filters of an answer took (docs/interface/generations.md#fields). */
export class AnswerFiltering {
  @IntegerField({
    description: 'The most that was held of the answer at a time, in UTF-16 code units.',
    example: 386,
  })
  held_characters: number;

  @NumberField({ description: 'How long the filters took, all together, in milliseconds.', example: 3.2 })
  milliseconds: number;
}

/** What a provider's own filter said (docs/interface/providers.md#filters-of-providers). */
export class ProviderFilterResult {
  @EnumField(['prompt', 'answer'], { description: 'What it looked at.', example: 'answer' })
  source: 'prompt' | 'answer';

  @TextField({ description: "The provider's word for what it looks for, in lower case.", example: 'hate' })
  category: string;

  @BooleanField({ description: 'Whether something was refused or taken out because of it.', example: false })
  filtered: boolean;

  @TextField({
    description: 'How much of it the provider found, in its own word; absent where it does not say.',
    example: 'low',
    optional: true,
  })
  severity?: string;

  @BooleanField({
    description: 'Whether the provider found any; absent where it does not say.',
    example: true,
    optional: true,
  })
  detected?: boolean;
}

/** What a guardrail or a limit that only observes would have done (docs/interface/guardrails.md#observing, docs/interface/limits.md#fields). */
export class GenerationObservation {
  @EnumField(['guardrail', 'limit'], { description: 'What kind of rule observes.', example: 'guardrail' })
  kind: Observation['kind'];

  @TextField({ description: 'The id of the guardrail or limit.', example: '01a1fc88-7d8f-7102-b898-e2219727c94b' })
  id: string;

  @TextField({ description: 'The name that it had.', example: 'Next policy' })
  name: string;

  @EnumField(OBSERVED_OUTCOMES, {
    description:
      'What it would have done: refuse the request, take endpoints out while others were left, or redact the request.',
    example: 'refused',
  })
  outcome: Observation['outcome'];

  @EnumField(OBSERVED_REASONS, { description: 'Which of its rules.', example: 'provider' })
  reason: Observation['reason'];

  @EnumField(LIMIT_MEASURES, { description: 'What a limit counts.', example: 'usd', optional: true })
  measure?: LimitMeasure;

  @EnumField(LIMIT_WINDOWS, {
    description: 'The window of a limit; null for none.',
    example: 'daily',
    optional: true,
    nullable: true,
  })
  window?: LimitWindow | null;

  @FreeObjectField({
    description: 'The values that a limit counted the request by.',
    example: { user: 'customer-7' },
    optional: true,
  })
  values?: CombinationValues;
}

/** A part of a request that the provider got in another form, or not at all (docs/interface/capabilities.md#adjustments). */
export class GenerationAdjustment {
  @TextField({
    description: 'Where in the request: names and positions joined by dots. `*` stands for a name that is not shown.',
    example: 'tools.0.function.name',
  })
  path: string;

  @EnumField(['left_out', 'changed'], { description: 'Whether it was not sent, or sent in another form.' })
  action: 'left_out' | 'changed';

  @TextField({ description: 'Why, as a word that does not change.', example: 'name_too_long' })
  reason: string;
}

/** One try to have the request answered, as it was decided: by which endpoint, when, and with what result. */
export class GenerationAttempt {
  @TextField({ description: 'The slug of the provider.', example: 'openai' })
  provider: string;

  @TextField({ description: 'The name of the provider.', example: 'OpenAI' })
  provider_name: string;

  @TextField({ description: 'The model.', example: 'openai/gpt-5.5' })
  model: string;

  @TextField({ description: 'The tag of the endpoint.', example: 'openai' })
  endpoint: string;

  @IntegerField({
    description: "The status of the provider's answer; null if there was none.",
    nullable: true,
    example: 200,
  })
  status: number | null;

  @BooleanField({ description: 'Whether a provider key of the organization was used.', example: false })
  is_byok: boolean;

  @NumberField({
    description: 'Milliseconds from the start of the request to that of the attempt; null in older records.',
    example: 3.1,
    nullable: true,
  })
  started: number | null;

  @NumberField({ description: 'Milliseconds until the first token or the failure.', example: 412 })
  latency: number;

  @TextField({
    description:
      'What was said of the failure, without credentials; null for an answer, where the request was at fault, and to API keys.',
    example: null,
    nullable: true,
  })
  error: string | null;
}

/** What one attempt was charged. */
export class GenerationCharge {
  @TextField({ description: 'The model, or the tool of an MCP server.', example: 'openai/gpt-5.5' })
  model: string;

  @TextField({ description: 'The tag of the endpoint; of a tool the name of its server.', example: 'openai' })
  endpoint: string;

  @BooleanField({ description: 'Whether a provider key of the organization was used.', example: false })
  is_byok: boolean;

  @NumberField({ description: 'US dollars.', example: 0.00041 })
  cost: number;

  @BooleanField({ description: 'Whether its tokens were estimated.', example: false })
  is_usage_estimated: boolean;

  @BooleanField({ description: 'Whether less than the provider counted was charged.', example: false })
  is_usage_capped: boolean;

  @UuidField({
    description: 'The inspector whose judge model was asked, perhaps several times; absent for an attempt to answer.',
    example: '01a1fc88-7d8f-7102-b898-e2219727c94b',
    optional: true,
  })
  inspector_id?: string;
}

/** Whose a limit can be that refuses a request; a `limit` is one by condition and group. */
const REFUSING_SUBJECTS = [...LIMIT_SUBJECTS, 'limit'] as const;

/** A reason for which endpoints of the models that a request asked for were not tried. */
export class GenerationExclusion {
  @TextField({ description: 'The reason, as in `error.availability.excluded_by`.', example: 'allowed_models' })
  reason: string;

  @TextField({ description: 'The reason in words.', example: 'the model is not allowed by a guardrail' })
  detail: string;

  @IntegerField({ description: 'How many endpoints it excludes.', example: 1 })
  endpoints: number;

  @TextListField({
    description: 'The guardrails that have rules of this kind; empty where no guardrail excludes an endpoint.',
    example: ['01a1fc88-7d8f-7102-b898-e2219727c94b'],
  })
  guardrail_ids: readonly string[];
}

/** The limit that refused a request. */
export class GenerationLimit {
  @EnumField(REFUSING_SUBJECTS, { description: 'Whose limit it is; `limit` for one by condition and group.' })
  subject: (typeof REFUSING_SUBJECTS)[number];

  @EnumField(SPEND_INTERVALS, {
    description: 'How often it begins anew: `lifetime` never does. Absent for a `limit`, which has a `window`.',
    optional: true,
  })
  interval?: SpendInterval;

  @UuidField({
    description:
      'The id of a `limit`, or of the guardrail whose budget it is; absent for others, and in older records.',
    example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f71',
    optional: true,
  })
  id?: string;

  @TextField({ description: 'The name of a `limit`.', example: 'Agents', optional: true })
  name?: string;

  @EnumField(LIMIT_MEASURES, { description: 'What a `limit` counts.', optional: true })
  measure?: LimitMeasure;

  @EnumField(LIMIT_WINDOWS, {
    description: 'After what time a `limit` begins anew; null for one of requests at the same time.',
    nullable: true,
    optional: true,
  })
  window?: LimitWindow | null;

  @FreeObjectField({
    description: 'The values that a `limit` counted by; null for one that the request did not have.',
    example: { user: 'customer-7' },
    optional: true,
  })
  values?: CombinationValues;
}

/** What someone has said of a generation. */
export class GenerationFeedback {
  @EnumField(FEEDBACK_CATEGORIES, { description: 'What is wrong with it.' })
  category: FeedbackCategory;

  @TextField({ description: 'In their own words.', example: 'The second citation does not exist.', nullable: true })
  comment: string | null;

  @TimestampField({ description: 'When it was said.' })
  created_at: string;
}

/** What was asked of an MCP server (docs/interface/mcp.md#records). */
export class GenerationMcpRequest {
  @TextField({ description: 'The method of the protocol.', example: 'tools/call' })
  method: string;

  @TextField({ description: 'The name of the server.', example: 'github' })
  server: string;

  @UuidField({
    description: 'The id of the server; absent in older records.',
    example: '01a1fc88-7d8f-7102-b898-e2219727c94c',
    optional: true,
  })
  server_id?: string;

  @TextField({ description: 'The name of the tool; null for another method.', example: 'search_code', nullable: true })
  tool: string | null;

  @TextField({ description: 'The revision of the protocol that the client has.', example: '2026-07-28' })
  protocol_version: string;

  @IntegerField({
    description: 'The size of the arguments, in bytes of JSON; null where none were sent.',
    example: 84,
    nullable: true,
  })
  request_bytes: number | null;

  @IntegerField({
    description: 'The size of the result, in bytes of JSON; null without one.',
    example: 1_204,
    nullable: true,
  })
  result_bytes: number | null;

  @BooleanField({ description: 'Whether the tool says that it has failed.', example: false })
  is_error: boolean;
}

/** The kinds of operations that the public interface records, and further ones. */
type ApiType = RecordedType | 'decisions' | 'video';

const API_TYPES: readonly ApiType[] = [
  ...new Set<ApiType>([
    ...(['completions', 'embeddings', 'rerank', 'decisions', 'video', 'tts', 'stt', 'image'] as const),
    ...RECORDED_TYPES,
  ]),
];

/** The record of an inference request. */
export class Generation extends GenerationNames {
  @EnumField(API_TYPES, {
    description:
      'The kind of operation. What was asked of an MCP server is `mcp`. `decisions` and `video` are not served.',
    nullable: true,
  })
  api_type: ApiType | null;

  @IntegerField({ example: null, description: 'Always null: applications are not registered.', nullable: true })
  app_id: number | null;

  @NumberField({
    example: null,
    description:
      'What cached tokens saved, in US dollars; below zero if writing to the cache cost more than that; null without cached tokens.',
    nullable: true,
  })
  cache_discount: number | null;

  @BooleanField({ example: false, description: 'Whether the client disconnected before the end.', nullable: true })
  cancelled: boolean | null;

  @TimestampField({ description: 'When the request came.' })
  created_at: string;

  @EnumField(DATA_REGIONS, { description: 'The region of the deployment.' })
  data_region: DataRegion;

  @TextField({ example: null, description: 'The end user that the request named.', nullable: true })
  external_user: string | null;

  @TextField({ example: 'stop', description: 'Why the answer ended.', nullable: true })
  finish_reason: string | null;

  @NumberField({
    example: 1520.4,
    description: 'Milliseconds from the start of the request to the end of the answer.',
    nullable: true,
  })
  generation_time: number | null;

  @TextField({ example: null, description: 'The header HTTP-Referer, else Referer, of the request.', nullable: true })
  http_referer: string | null;

  @TextField({
    description: 'The id of the record, as in the header X-Generation-Id.',
    example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT',
  })
  id: string;

  @BooleanField({ example: false, description: 'Whether a provider key of the organization was used.' })
  is_byok: boolean;

  @NumberField({ description: 'Milliseconds until the first token.', nullable: true, example: 412.3 })
  latency: number | null;

  @TextField({ example: 'openai/gpt-5.5', description: 'The model that answered.' })
  model: string;

  @NumberField({ example: null, description: 'Always null: nothing is moderated by others.', nullable: true })
  moderation_latency: number | null;

  @TextField({ example: 'stop', description: "The provider's own word for the finish reason.", nullable: true })
  native_finish_reason: string | null;

  @IntegerField({
    example: null,
    description: "Tokens of the prompt that came from the provider's cache.",
    nullable: true,
  })
  native_tokens_cached: number | null;

  @IntegerField({ example: 25, description: 'Tokens of the answer, as the provider counted.', nullable: true })
  native_tokens_completion: number | null;

  @IntegerField({ example: null, description: 'Tokens of images in the answer.', nullable: true })
  native_tokens_completion_images: number | null;

  @IntegerField({ example: 12, description: 'Tokens of the prompt, as the provider counted.', nullable: true })
  native_tokens_prompt: number | null;

  @IntegerField({ example: null, description: 'Tokens of reasoning.', nullable: true })
  native_tokens_reasoning: number | null;

  @IntegerField({ example: null, description: 'Always null: no pages are fetched.', nullable: true })
  num_fetches: number | null;

  @IntegerField({ example: 0, description: 'Recordings in the prompt.', nullable: true })
  num_input_audio_prompt: number | null;

  @IntegerField({ example: 0, description: 'Images in the answer.', nullable: true })
  num_media_completion: number | null;

  @IntegerField({ example: 0, description: 'Images in the prompt.', nullable: true })
  num_media_prompt: number | null;

  @IntegerField({ example: null, description: 'Always null: nothing is searched.', nullable: true })
  num_search_results: number | null;

  @TextField({ example: '', description: 'The header HTTP-Referer, else Referer, of the request, or an empty text.' })
  origin: string;

  @TextField({ example: null, description: 'The preset that was used.', nullable: true })
  preset_id: string | null;

  @TextField({ description: 'The provider that answered.', nullable: true, example: 'OpenAI' })
  provider_name: string | null;

  @ObjectListField(() => ProviderResponse, { description: 'Each request to a provider, in order.', nullable: true })
  provider_responses: readonly ProviderResponse[] | null;

  @TextField({
    example: '23bab73f-9d1e-4c0e-8f59-0f8d4a1c2b3d',
    description: 'The id of the HTTP request, as in X-Request-Id.',
    nullable: true,
  })
  request_id: string | null;

  @TextField({
    example: null,
    description: 'The generation whose cached answer was used; null where a provider answered.',
    nullable: true,
  })
  response_cache_source_id: string | null;

  @TextField({ example: null, description: 'Always null: models are chosen by their names.', nullable: true })
  router: string | null;

  @TextField({ example: null, description: 'The tier of service that answered.', nullable: true })
  service_tier: string | null;

  @TextField({ example: null, description: 'The session that the request named.', nullable: true })
  session_id: string | null;

  @FreeObjectField({
    description: 'The labels of the request by their names; absent where it has none.',
    example: { team: 'search' },
    optional: true,
  })
  labels?: Labels;

  @TextField({
    example: '01a1fc88-79e8-7a5c-9d3e-1f0c5b7a9e21',
    description:
      "The session of the console in which the key's owner sent it, as in the audit trail; absent where the secret of the key was sent.",
    optional: true,
  })
  console_session_id?: string;

  @BooleanField({ example: true, description: 'Whether the answer was streamed.', nullable: true })
  streamed: boolean | null;

  @IntegerField({ example: 25, description: 'Tokens of the answer.', nullable: true })
  tokens_completion: number | null;

  @IntegerField({ example: 12, description: 'Tokens of the prompt.', nullable: true })
  tokens_prompt: number | null;

  @NumberField({ example: 0.00041, description: 'US dollars that were charged.' })
  total_cost: number;

  @TextField({ example: 'chatcmpl-123', description: "The provider's id of its answer.", nullable: true })
  upstream_id: string | null;

  @NumberField({
    example: null,
    description: "What the answer costs at list price, in US dollars, where the organization's own key was used.",
    nullable: true,
  })
  upstream_inference_cost: number | null;

  @NumberField({ example: 0.00041, description: 'The same as total_cost.' })
  usage: number;

  @TextField({ example: 'curl/8.5.0', description: 'The User-Agent of the request.', nullable: true })
  user_agent: string | null;

  @TextField({ example: null, description: 'Always null: nothing is searched.', nullable: true })
  web_search_engine: string | null;

  @TextField({
    example: '01a1fc88-79e8-7a5c-9d3e-1f0c5b7a9e21',
    description: 'The workspace of the key.',
    nullable: true,
  })
  workspace_id: string | null;

  @IntegerField({
    description: 'The status of the answer; 499 if the client disconnected before there was one.',
    example: 200,
  })
  status: number;

  @NumberField({
    description:
      'How far the cost exceeds what was reserved for the request, in US dollars; 0 if nothing was reserved.',
    example: 0,
  })
  overrun: number;

  @BooleanField({
    description: 'Whether tokens that are charged were estimated, because the provider has not counted them.',
    example: false,
  })
  is_usage_estimated: boolean;

  @BooleanField({
    description: 'Whether the provider counted more tokens than there can be, so that less is charged.',
    example: false,
  })
  is_usage_capped: boolean;

  @TextField({ description: 'The reason of a refusal, as in the error.', nullable: true, example: null })
  refusal: string | null;

  @ObjectField(() => GenerationLimit, {
    description: 'The limit that refused it, as in the error; null where none did, and in older records.',
    nullable: true,
    example: null,
  })
  limited_by: GenerationLimit | null;

  @TextListField({
    example: ['01a1fc88-7d8f-7102-b898-e2219727c94b'],
    description:
      'The guardrails whose rules refused it: about data regions, tools and their arguments, and what filters cannot read. Absent where none did, and in older records; what filters did, and why no endpoint was left, have guardrails of their own.',
    optional: true,
  })
  refusing_guardrail_ids?: readonly string[];

  @ObjectListField(() => GenerationExclusion, {
    description: 'Why no endpoint was left; absent where one was, and in older records.',
    optional: true,
  })
  exclusions?: readonly GenerationExclusion[];

  @TextField({ description: 'The model that the request asked for.', example: 'openai/gpt-5.5' })
  requested_model: string;

  @ObjectListField(() => GenerationAttempt, { description: 'The tries to have it answered, in order.' })
  attempts: readonly GenerationAttempt[];

  @ObjectListField(() => GenerationCharge, {
    description:
      'What each attempt was charged, those that were given up first, or the call of a tool; empty in older records.',
  })
  charges: readonly GenerationCharge[];

  @ObjectListField(() => GuardrailAction, { description: 'What content filters did.' })
  guardrail_actions: readonly GuardrailAction[];

  @ObjectListField(() => InspectorAction, {
    description: 'What inspectors said of the request and the answer; absent where none was asked.',
    optional: true,
  })
  inspector_actions?: readonly InspectorAction[];

  @ObjectField(() => AnswerFiltering, {
    description: 'What the filters of the answer took; absent where none applied to it.',
    optional: true,
  })
  answer_filtering?: AnswerFiltering;

  @ObjectListField(() => ProviderFilterResult, {
    description: 'What the filters of providers said; absent where nothing.',
    optional: true,
  })
  provider_filters?: readonly ProviderFilterResult[];

  @ObjectListField(() => GenerationObservation, {
    description: 'What guardrails and limits that only observe would have done; absent where nothing.',
    optional: true,
  })
  observed?: readonly GenerationObservation[];

  @ObjectField(() => GenerationMcpRequest, {
    description: 'What was asked of an MCP server; absent where a model was asked.',
    optional: true,
  })
  mcp?: GenerationMcpRequest;

  @ObjectListField(() => GenerationAdjustment, {
    description: 'What the provider that was asked last got in another form than the client had sent, or not at all.',
  })
  adjustments: readonly GenerationAdjustment[];

  @ObjectListField(() => GenerationFeedback, { description: 'What was said of it, by category.' })
  feedback: readonly GenerationFeedback[];
}

/** The response of getGeneration. */
export class GenerationResponse {
  @ObjectField(() => Generation, { description: 'The record.' })
  data: Generation;
}
