import type { ContentBlock } from '../anthropic-messages/blocks.js';
import { requestBody as messagesBody } from '../anthropic-messages/request-encoder.js';
import type { ChatRequest, Reasoning } from '../chat/chat-completion.js';
import { type JsonObject, nonEmptyText, objectOf } from '../chat/json-values.js';
import { withoutKeptBlocks } from '../chat/kept-blocks.js';
import { knownModelOf } from '../chat/known-model.js';
import { messagesFieldsOf } from '../chat/messages-fields.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import { untranslatable } from '../errors/provider-error.js';
import { type BlockContext, cachePointOf, converseBlocksOf, isOfTool, withoutCalls } from './blocks.js';
import { DocumentBlocks } from './documents.js';
import { type AnswerSchema, answerSchemaOf } from './json-answer.js';
import { ownThoughtsOf, thoughtsFormatOf } from './thoughts.js';

/** The tiers of service that can be asked for. */
const TIERS: ReadonlySet<string> = new Set(['default', 'flex', 'priority', 'reserved']);

/** Fields of Converse itself that an operator may let pass (docs/interface/capabilities.md#fields). */
const OWN_FIELDS = ['guardrailConfig', 'performanceConfig', 'promptVariables', 'requestMetadata'] as const;

/** A body of the Messages form, as far as it is written in another way here. */
interface MessagesBody extends JsonObject {
  readonly max_tokens: number;
  readonly system?: readonly ContentBlock[];
  readonly messages: readonly { readonly role: string; readonly content: readonly ContentBlock[] }[];
  readonly tools?: readonly JsonObject[];
  readonly tool_choice?: JsonObject;
  readonly stop_sequences?: readonly string[];
}

/** How a model is to think: among its own fields, and what it takes no longer then. */
interface Thinking {
  readonly fields: JsonObject;
  /** Whether the model itself decides how long its answer is, and how it chooses its words. */
  readonly excludesInference?: boolean;
}

/** What the user says before a conversation that the assistant begins: the provider refuses it otherwise. */
const BEGINNING = { role: 'user', content: [{ type: 'text', text: 'Begin.' }] } as const;

const NO_THINKING: Thinking = { fields: {} };

/**
 * Writes a request in the form of Converse (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html). A
 * conversation has there the rules that it has in the Messages form, so that it is written in that first: turns, the places of thoughts,
 * results before texts, and at most four marks. What a model has among its own fields is said by what is known of it (`model_fields`).
 *
 * @param isStreamed whether the answer is to be a stream, for which a body has other fields
 * @param adjustments is told what is left out or changed
 * @throws ProviderError for content that the form has no block for
 */
export function requestBody(
  request: ChatRequest,
  isStreamed: boolean,
  adjustments = new RequestAdjustments(),
): JsonObject {
  const known = knownModelOf(request);
  const body = messagesBody(inMessagesForm(request, adjustments), false, adjustments) as MessagesBody;
  const schema = answerSchemaOf(request);
  const thinking = thinkingOf(request, body, adjustments);
  const context: BlockContext = {
    documents: new DocumentBlocks(),
    takesMarks: known.cache_marks === true,
    leftOutMark: () => adjustments.leftOut('*.cache_control', 'refused_by_model'),
  };
  const tools = toolFields(body, schema, context, adjustments);
  const { system, messages } = conversationOf(body, tools === undefined, context, adjustments);
  const inference = thinking.excludesInference === true ? {} : inferenceFields(request, body);
  const additional = { ...thinking.fields, ...additionalFields(request, body, adjustments) };
  return {
    ...(system.length > 0 && { system }),
    messages,
    ...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
    ...(tools !== undefined && { toolConfig: tools }),
    ...(schema !== undefined && schema.tool === undefined && { outputConfig: outputConfigOf(schema) }),
    ...(Object.keys(additional).length > 0 && { additionalModelRequestFields: additional }),
    ...(known.model_fields?.stop_sequence === true &&
      body.stop_sequences !== undefined && { additionalModelResponseFieldPaths: ['/stop_sequence'] }),
    ...tierFields(request, adjustments),
    ...ownFields(request, isStreamed),
  };
}

/** The fields of a chat that the Messages form writes, in the way in which they are needed from it here. */
function inMessagesForm(request: ChatRequest, adjustments: RequestAdjustments): ChatRequest {
  const { service_tier: _tier, user: _user, response_format: format, reasoning, messages, ...others } = request;
  const isSchema = answerSchemaOf(request) !== undefined;
  const ofThoughts = thoughtsFormatOf(request);
  const thinks = knownModelOf(request).model_fields?.reasoning === 'thinking';
  return {
    ...others,
    messages: messages
      .flatMap((message) => withoutKeptBlocks(message, adjustments))
      .map((message) => ownThoughtsOf(message, ofThoughts, adjustments)),
    ...(thinks && reasoning != null && { reasoning }),
    ...(format != null && !isSchema && { response_format: format }),
  };
}

function conversationOf(
  { system = [], messages, cache_control: mark }: MessagesBody,
  isWithoutTools: boolean,
  context: BlockContext,
  adjustments: RequestAdjustments,
): { readonly system: readonly JsonObject[]; readonly messages: readonly JsonObject[] } {
  const areCallsTexts = isWithoutTools && messages.some(({ content }) => content.some(isOfTool));
  if (areCallsTexts) adjustments.changed('messages', 'calls_as_texts');
  const names = new Map<unknown, string>();
  const [first] = messages;
  const isBegun = first === undefined || first.role === 'user';
  return {
    system: system.flatMap((block) => {
      if (block.type !== 'text') throw untranslatable(`instructions of type ${block.type}`);
      return [{ text: block['text'] }, ...cachePointOf(block, context)];
    }),
    messages: (isBegun ? messages : [BEGINNING, ...messages]).map(({ role, content }, index, { length }) => {
      const blocks = converseBlocksOf(areCallsTexts ? withoutCalls(content, names) : content, context);
      // A mark of the whole request is one behind everything.
      const isEnd = index === length - 1 && !('cachePoint' in blocks.at(-1)!);
      return { role, content: isEnd ? [...blocks, ...cachePointOf({ cache_control: mark }, context)] : blocks };
    }),
  };
}

/** @returns undefined where no tool can be called: there is no choice of none, so that none is offered then */
function toolFields(
  { tools = [], tool_choice: choice, thinking }: MessagesBody,
  schema: AnswerSchema | undefined,
  context: BlockContext,
  adjustments: RequestAdjustments,
): JsonObject | undefined {
  const isNone = choice?.['type'] === 'none';
  const offered = isNone ? [] : tools.flatMap((tool) => toolOf(tool, context, adjustments));
  if (schema?.tool !== undefined) {
    const { tool: name, schema: json, description = 'Answers with JSON.' } = schema;
    const answering = { toolSpec: { name, description, inputSchema: { json } } };
    const demanded = offered.length === 0 ? { tool: { name } } : { any: {} };
    return { tools: [...offered, answering], toolChoice: isThinking(thinking) ? { auto: {} } : demanded };
  }
  if (offered.length === 0) return undefined;
  return { tools: offered, ...(choice !== undefined && { toolChoice: choiceOf(choice) }) };
}

/** A model that thinks cannot be made to call a tool. */
function isThinking(thinking: unknown): boolean {
  const type = objectOf(thinking)?.['type'];
  return type !== undefined && type !== 'disabled';
}

function toolOf(tool: JsonObject, context: BlockContext, adjustments: RequestAdjustments): readonly JsonObject[] {
  const { name, description, input_schema: json, strict } = tool;
  // Tools that the form of Messages describes by their type alone.
  if (json === undefined) {
    adjustments.leftOut('tools', 'tool_of_provider');
    return [];
  }
  const toolSpec = {
    name,
    ...(nonEmptyText(description) !== undefined && { description }),
    inputSchema: { json },
    ...(strict === true && { strict }),
  };
  return [{ toolSpec }, ...cachePointOf({ cache_control: tool['cache_control'] }, context)];
}

function choiceOf({ type, name }: JsonObject): JsonObject {
  if (type === 'tool') return { tool: { name } };
  return type === 'any' ? { any: {} } : { auto: {} };
}

/** How a model is asked to think: as the Messages form says it, or by an effort in the field that the model has for it. */
function thinkingOf(request: ChatRequest, body: MessagesBody, adjustments: RequestAdjustments): Thinking {
  const { reasoning } = request;
  const field = knownModelOf(request).model_fields?.reasoning;
  if (field === 'thinking') {
    const { thinking, output_config: output } = body;
    const effort = objectOf(output)?.['effort'];
    return {
      fields: {
        ...(thinking !== undefined && { thinking }),
        ...(effort !== undefined && { output_config: { effort } }),
      },
    };
  }
  const effort = reasoning == null ? undefined : effortOf(reasoning);
  if (effort === undefined) return NO_THINKING;
  if (field === undefined) {
    if (effort !== 'none') adjustments.leftOut('reasoning', 'no_counterpart');
    return NO_THINKING;
  }
  if (field === 'reasoning_effort') return { fields: { reasoning_effort: effort } };
  if (field === 'reasoning') return { fields: { reasoning: { effort } } };
  if (effort === 'none') return { fields: { reasoningConfig: { type: 'disabled' } } };
  const excludesInference = effort === 'high';
  if (excludesInference) noteExcluded(request, adjustments);
  return { fields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: effort } }, excludesInference };
}

function effortOf({ effort, enabled, max_tokens: budget }: Reasoning): string | undefined {
  if (enabled === false) return 'none';
  return effort ?? (enabled === true || budget != null ? 'medium' : undefined);
}

function noteExcluded(request: ChatRequest, adjustments: RequestAdjustments): void {
  for (const field of ['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'stop'] as const) {
    if (request[field] != null) adjustments.leftOut(field, 'refused_while_reasoning');
  }
}

/** Without a word for it the model's own longest answer holds, but for one that thinks, whose budget has to fit. */
function inferenceFields(
  { max_completion_tokens: newer, max_tokens: named }: ChatRequest,
  body: MessagesBody,
): JsonObject {
  const { max_tokens: maxTokens, temperature, top_p: topP, stop_sequences: stopSequences } = body;
  return {
    ...((newer ?? named ?? body['thinking'] ?? undefined) !== undefined && { maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stopSequences !== undefined && { stopSequences }),
  };
}

/** What the model has among its own fields, besides its thoughts. */
function additionalFields(request: ChatRequest, body: MessagesBody, adjustments: RequestAdjustments): JsonObject {
  const { model_fields: fields = {} } = knownModelOf(request);
  const { top_k: topK, tool_choice: choice } = body;
  const betas = nonEmptyText(messagesFieldsOf(request)['betas'])
    ?.split(',')
    .map((beta) => beta.trim());
  if (topK !== undefined && fields.top_k === undefined) adjustments.leftOut('top_k', 'no_counterpart');
  if (betas !== undefined && fields.betas !== true) adjustments.leftOut('betas', 'no_counterpart');
  const isOneAtATime = choice?.['disable_parallel_tool_use'] === true;
  const canSayOne = fields.tool_choice === true && choice?.['type'] === 'auto';
  if (isOneAtATime && !canSayOne) adjustments.leftOut('parallel_tool_calls', 'no_counterpart');
  return {
    ...(topK !== undefined && topKField(fields.top_k, topK)),
    ...(isOneAtATime && canSayOne && { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
    ...(betas !== undefined && fields.betas === true && { anthropic_beta: betas }),
  };
}

function topKField(place: 'top_k' | 'inferenceConfig' | undefined, topK: unknown): JsonObject {
  if (place === undefined) return {};
  return place === 'top_k' ? { top_k: topK } : { inferenceConfig: { topK } };
}

/** The schema is a text there. */
function outputConfigOf({ schema, name, description }: AnswerSchema): JsonObject {
  const jsonSchema = { schema: JSON.stringify(schema), name, ...(description !== undefined && { description }) };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}

function tierFields({ service_tier: tier }: ChatRequest, adjustments: RequestAdjustments): JsonObject {
  if (tier == null || tier === 'auto') return {};
  if (TIERS.has(tier)) return { serviceTier: { type: tier } };
  adjustments.leftOut('service_tier', 'no_counterpart');
  return {};
}

/** How a guardrail treats a stream can be said for one alone. */
function ownFields(request: ChatRequest, isStreamed: boolean): JsonObject {
  const given = OWN_FIELDS.flatMap((field) => {
    const value = objectOf(request[field]);
    if (value === undefined) return [];
    if (field !== 'guardrailConfig' || isStreamed) return [[field, value]];
    const { streamProcessingMode: _mode, ...others } = value;
    return [[field, others]];
  });
  return Object.fromEntries(given) as JsonObject;
}
