import { capabilitiesOf } from '../../catalog/capabilities/default-capabilities.js';
import type { CatalogEndpoint } from '../../catalog/catalog-endpoint.js';
import type { CatalogModel } from '../../catalog/catalog-model.js';
import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatRequest, FunctionTool, Reasoning } from '../chat/chat-completion.js';
import { objectOf } from '../chat/json-values.js';
import { KNOWN_MODEL } from '../chat/known-model.js';
import { messagesFieldsOf, withMessagesFields } from '../chat/messages-fields.js';
import { withoutDeferredTools } from '../openai-chat/request-encoder.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';
import { CODECS } from '../upstream-codecs.js';
import type { ProviderProtocolName } from '../../../config/provider-variables.js';
import { withTakenBetas } from './cloud-betas.js';
import { withKnownFields, withKnownTaskBudget, withoutEmptyLists, withPossibleStops } from './body-fields.js';
import { dialectFor } from './dialect-choice.js';
import { translatedMessages } from './messages.js';
import { thinks, translatedReasoning } from './reasoning.js';
import { canBeComplete, translatedSchema } from './schemas.js';
import { TranslatedToolNames } from './tool-names.js';
import { possibleFormat, withFormatsBesideTools } from './response-formats.js';
import {
  possibleChoice,
  translatedTool,
  withoutEmptyTools,
  withoutToolSearch,
  withoutUndescribedTools,
  withUniqueNames,
} from './accepted-tools.js';

/** The longest answer, in tokens, where neither request nor catalog has a limit and the provider requires one. */
const DEFAULT_LONGEST_ANSWER = 4_096;

/** Tokens that an image or a file counts as. */
const TOKENS_OF_MEDIUM = 10_000;

/** A request in the gateway's form that its provider and its model take, and what leads from their answer back to the client. */
export interface TranslatedRequest {
  readonly dialect: ProviderProtocolName;
  readonly request: ChatRequest;
  readonly names: TranslatedToolNames;
}

/** A model at a provider, as far as that decides what a request for it may contain. */
export interface ServedModel {
  readonly model: { readonly row: Pick<CatalogModel['row'], 'id' | 'capabilities' | 'topProvider'> };
  readonly endpoint: {
    readonly row: Pick<CatalogEndpoint['row'], 'capabilities' | 'contextLength' | 'maxCompletionTokens'>;
  };
  readonly connection: {
    readonly provider: string;
    readonly knownAs?: string | undefined;
    readonly protocol: ProviderProtocolName;
    readonly isWellKnown: boolean;
    readonly capabilities: ModelCapabilities;
  };
}

/**
 * What is known of the model of a candidate at its provider (docs/interface/capabilities.md#sources).
 *
 * @param protocol in which the provider is asked
 */
export function capabilitiesOfCandidate(
  { model, endpoint, connection }: ServedModel,
  protocol = connection.protocol,
): ModelCapabilities {
  const { provider, knownAs = provider, isWellKnown, capabilities } = connection;
  const served = { model: model.row.id, provider: knownAs, protocol, isWellKnown };
  return capabilitiesOf(served, [model.row.capabilities, endpoint.row.capabilities, capabilities]);
}

/** Whether the provider of a candidate is known to take a field that is none of its form in general (docs/interface/capabilities.md#fields). */
export function isBodyFieldTaken(candidate: ServedModel, field: string): boolean {
  return capabilitiesOfCandidate(candidate).extra_body_fields?.includes(field) === true;
}

/**
 * Translates a request by what its model and provider can do. This is the one place for it: requests of every form come here, and the
 * protocols of providers only write their own form of what it gives.
 *
 * @param request for the candidate
 * @param adjustments is told of everything that is left out or changed
 */
export function translatedRequest(
  request: ChatRequest,
  candidate: ServedModel,
  adjustments: RequestAdjustments,
): TranslatedRequest {
  const { protocol } = candidate.connection;
  const ofProtocol = capabilitiesOfCandidate(candidate);
  const dialect = dialectFor(request, protocol, ofProtocol);
  const capabilities = dialect === protocol ? ofProtocol : capabilitiesOfCandidate(candidate, dialect);
  const isChatForm = dialect === 'openai';
  const operation = dialect === 'echo' ? 'chat' : CODECS[dialect].operation;
  // The builtin provider gets all that came.
  const knowsAllTools = operation === 'messages' || dialect === 'echo';
  const searches = dialect === 'echo' || (operation === 'messages' && capabilities.tool_search === true);
  const searched = searches ? request : withoutToolSearch(request, adjustments);
  const described = knowsAllTools ? searched : withoutUndescribedTools(searched, adjustments);
  const asked = withTakenBetas(described, capabilities, adjustments);
  const budgeted = dialect === 'echo' ? asked : withKnownTaskBudget(asked, capabilities, adjustments);
  const filled = withoutEmptyLists(withoutEmptyTools(budgeted, adjustments), adjustments);
  const given = withPossibleStops(filled, capabilities, adjustments);
  // Dialects that hand on fields of a model's own ask it as these say.
  const ofReasoning = capabilities.model_fields?.reasoning === 'thinking' ? 'messages' : operation;
  const longest = longestAnswerOf(given, candidate, capabilities);
  const reasoning =
    dialect === 'echo'
      ? (given.reasoning ?? undefined)
      : translatedReasoning(longest === undefined ? given : { ...given, ...longest }, {
          capabilities,
          operation: ofReasoning,
          adjustments,
        });
  const isThinking = thinks(reasoning, capabilities) && !isTurnedOff(given);
  const known = withKnownFields(given, capabilities, isThinking, adjustments);
  const names = new TranslatedToolNames(capabilities.tool_names, known, adjustments);
  const { reasoning: _reasoning, tools: all, tool_choice: _choice, response_format: wanted, ...others } = known;
  const choice = possibleChoice(known, capabilities, isThinking, adjustments);
  const formatting = withFormatsBesideTools(capabilities, (all ?? []).length > 0);
  const { format, messages } = possibleFormat(wanted, known.messages, formatting, isThinking, adjustments);
  // The Messages form has tools whose loading is deferred itself.
  const found = !knowsAllTools && all != null ? withoutDeferredTools(all, known.messages, adjustments) : all;
  const tools = found == null ? found : withUniqueNames(found, capabilities, adjustments);
  const toolFor = (tool: FunctionTool, index: number): FunctionTool => {
    const translated = translatedTool(tool, index, capabilities, adjustments);
    return isChatForm && capabilities.cache_marks !== true ? withoutCacheMark(translated) : translated;
  };
  const thinksByItself = isThinking && reasoning === undefined && ofReasoning === 'messages';
  const thoughtsAreOff = reasoning?.effort === 'none' || isTurnedOff(known);
  // Assigned to a copy, because literals do not begin with a spread (bench/README.md#start-up-memory-size).
  const translated = Object.assign(isChatForm ? inChatForm(others, capabilities) : Object.assign(others, longest), {
    messages: translatedMessages(messages, { capabilities, operation, isChatForm, names, adjustments, thoughtsAreOff }),
    ...(tools == null ? {} : { tools: tools.map((tool, index) => names.ofTool(toolFor(tool, index))) }),
    ...(choice == null ? {} : { tool_choice: names.ofChoice(choice) }),
    ...(format == null ? {} : { response_format: translatedFormat(format, capabilities, adjustments) }),
    ...reasoningFields(reasoning, isChatForm ? capabilities : {}),
    ...(thinksByItself && withMessagesFields({}, { ...messagesFieldsOf(known), thinks_by_itself: true })),
    ...(dialect !== 'echo' && CODECS[dialect].dependsOnModel === true && { [KNOWN_MODEL]: capabilities }),
  });
  return { dialect, names, request: translated as ChatRequest };
}

/** A copy with the fields that only some providers of the form for chats know, by the names that they have there. */
function inChatForm(body: Omit<ChatRequest, 'messages'>, capabilities: ModelCapabilities): object {
  const { max_tokens: tokens, max_completion_tokens: newer, seed, ...others } = body;
  const { longest_answer_field: field = 'max_tokens', seed_field: seedField = 'seed' } = capabilities;
  const longest = newer ?? tokens ?? undefined;
  const marked = capabilities.cache_marks === true ? others : withoutCacheMark(others);
  return Object.assign(
    marked,
    longest === undefined ? undefined : { [field]: longest },
    seed == null ? undefined : { [seedField]: seed },
    capabilities.stream_options === false ? { stream_options: false } : undefined,
  );
}

function withoutCacheMark<Marked extends object>(marked: Marked): Marked {
  if (!('cache_control' in marked)) return marked;
  const { cache_control: _mark, ...others } = marked;
  return others as Marked;
}

/** The longest answer where the provider wants to be told: as long as the endpoint allows, and the rest of its context. */
function longestAnswerOf(
  { max_tokens: named, max_completion_tokens: newer, messages }: ChatRequest,
  { endpoint, model }: ServedModel,
  { answer_length: length }: ModelCapabilities,
): Pick<ChatRequest, 'max_tokens'> | undefined {
  if (length !== 'required' || named != null || newer != null) return undefined;
  const longest = endpoint.row.maxCompletionTokens ?? model.row.topProvider.max_completion_tokens;
  if (longest == null) return { max_tokens: DEFAULT_LONGEST_ANSWER };
  // Some models refuse a prompt that leaves no room for so long an answer.
  const room = endpoint.row.contextLength - mostTokensOf(messages);
  return { max_tokens: Math.max(Math.min(longest, room), Math.min(longest, DEFAULT_LONGEST_ANSWER)) };
}

/** More tokens than messages have as a rule: one for each two bytes of text, and many for each image or file. */
function mostTokensOf(messages: ChatRequest['messages']): number {
  let tokens = 0;
  for (const { content, tool_calls: calls } of messages) {
    for (const call of calls ?? []) tokens += Buffer.byteLength(call.function.arguments) / 2;
    if (typeof content === 'string') tokens += Buffer.byteLength(content) / 2;
    else
      for (const { text } of content ?? [])
        tokens += text === undefined ? TOKENS_OF_MEDIUM : Buffer.byteLength(text) / 2;
  }
  return Math.ceil(tokens);
}

/** A format whose schema the provider takes. */
function translatedFormat(
  format: NonNullable<ChatRequest['response_format']>,
  { response_schema: support }: ModelCapabilities,
  adjustments: RequestAdjustments,
): NonNullable<ChatRequest['response_format']> {
  const described = objectOf(format['json_schema']);
  const schema = objectOf(described?.['schema']);
  if (support === undefined || schema === undefined) return format;
  const isStrict = described!['strict'] === true;
  if (support.only_strict === true && !isStrict) return format;
  const path = ['response_format', 'json_schema'];
  if (support.objects === 'complete' && !canBeComplete(schema)) {
    adjustments.changed([...path, 'strict'], 'schema_not_strict');
    return { ...format, json_schema: { ...described, strict: false } };
  }
  return {
    ...format,
    json_schema: { ...described, schema: translatedSchema(schema, support, [...path, 'schema'], adjustments) },
  };
}

/** Whether a request turns thinking off in a field that only some providers of the usual form have. */
function isTurnedOff(request: Pick<ChatRequest, string>): boolean {
  return objectOf(request['thinking'])?.['type'] === 'disabled' || request['enable_thinking'] === false;
}

/**
 * The fields that ask for thinking: `reasoning`, or those with which some providers of the usual form turn it on and off instead. What the
 * client itself has said in such a field stands.
 */
function reasoningFields(
  reasoning: Reasoning | undefined,
  { thinking_switch: field, reasoning: forms }: ModelCapabilities,
): Readonly<Record<string, unknown>> {
  if (reasoning === undefined) return {};
  const { effort } = reasoning;
  const isAlone = forms !== undefined && !forms.includes('effort');
  if (field === undefined || effort == null || (effort !== 'none' && !isAlone)) return { reasoning };
  const isOn = effort !== 'none';
  return field === 'thinking' ? { thinking: { type: isOn ? 'enabled' : 'disabled' } } : { enable_thinking: isOn };
}
