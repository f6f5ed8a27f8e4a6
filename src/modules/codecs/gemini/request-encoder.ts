import {
  type ChatMessage,
  type ChatRequest,
  type FunctionTool,
  leadingInstructions,
  type Reasoning,
  type ToolCall,
  type ToolChoice,
} from '../chat/chat-completion.js';
import { choicesOf } from '../chat/choice-count.js';
import { type JsonObject, listOf, nonEmptyText, objectOf } from '../chat/json-values.js';
import { withoutKeptBlocks } from '../chat/kept-blocks.js';
import { messagesFieldsOf } from '../chat/messages-fields.js';
import { contentWithName } from '../chat/named-text.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import { ToolArgumentsReader } from '../chat/tool-arguments-reader.js';
import { portableCallId } from '../chat/tool-call-ids.js';
import type { GoogleService } from './google-service.js';
import { modelParts } from './model-content.js';
import { type Part, partsOf } from './parts.js';

/** What one side says in turn (https://ai.google.dev/api/caching#Content). */
interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly Part[];
}

/** The field of a result that names one of its parts. */
const REFERENCE = '$ref';

/** A call of an earlier answer, and its place among all calls. */
interface EarlierCall {
  readonly call: ToolCall;
  readonly place: number;
}

/**
 * Writes the messages of a request. Instructions at the beginning stand apart; later ones are for what comes after them, so they stay in
 * their place, as texts of the user. The results of the calls of a turn stand in one content, in the order of the calls.
 * Contents of one role that follow each other become one.
 */
class Conversation {
  private readonly contents: { readonly role: Content['role']; readonly parts: Part[] }[] = [];
  /** By the portable form of their ids, of which clients of the Messages form have no other. */
  private readonly calls = new Map<string, EarlierCall>();
  private callCount = 0;
  private readonly results = new ToolArgumentsReader();

  constructor(
    private readonly service: GoogleService,
    private readonly adjustments: RequestAdjustments,
  ) {}

  /** @throws ProviderError for a kind of part that the form has nothing for */
  of(messages: readonly ChatMessage[]): readonly Content[] {
    let results: ChatMessage[] = [];
    for (const message of messages) {
      if (message.role === 'tool') {
        results.push(message);
        continue;
      }
      this.add('user', this.resultParts(results));
      results = [];
      this.addMessage(message);
    }
    this.add('user', this.resultParts(results));
    return this.contents;
  }

  private addMessage(message: ChatMessage): void {
    if (message.role !== 'assistant') {
      this.add('user', partsOf(contentWithName(message), this.service));
      return;
    }
    for (const call of message.tool_calls ?? []) {
      this.calls.set(portableCallId(call.id), { call, place: this.callCount++ });
    }
    this.add('model', modelParts(message, this.service, this.adjustments));
  }

  private add(role: Content['role'], parts: readonly Part[]): void {
    const last = this.contents.at(-1);
    if (parts.length === 0) return;
    if (last?.role === role) last.parts.push(...parts);
    else this.contents.push({ role, parts: [...parts] });
  }

  private resultParts(results: readonly ChatMessage[]): readonly Part[] {
    const found = results.map((message) => ({
      message,
      earlier: this.calls.get(portableCallId(message.tool_call_id ?? '')),
    }));
    const place = ({ earlier }: (typeof found)[number]): number => earlier?.place ?? this.callCount;
    return found
      .toSorted((one, other) => place(one) - place(other))
      .map(({ message, earlier }) => this.resultPart(message, earlier?.call));
  }

  /** The form demands the name of the function that was called. */
  private resultPart(message: ChatMessage, call: ToolCall | undefined): Part {
    const id = call?.id ?? message.tool_call_id;
    const parts = partsOf(message.content, this.service);
    const media = parts.filter((part) => part['text'] === undefined);
    return {
      functionResponse: {
        ...(this.service.takesCallIds && id !== undefined && { id }),
        name: call?.function.name ?? message.name ?? id ?? '',
        response: this.responseOf(message, parts),
        ...(media.length > 0 && { parts: media }),
      },
    };
  }

  /**
   * A result as the object that the form demands: one of JSON as it is, any other text as a field. JSON with `$ref` stays a text, because the
   * provider takes that for the name of one of the parts of the result, and refuses one that is none of them.
   */
  private responseOf(message: ChatMessage, parts: readonly Part[]): JsonObject {
    const text = parts.map((part) => nonEmptyText(part['text']) ?? '').join('');
    if (messagesFieldsOf(message)['is_error'] === true) return { error: text };
    const said = text.trimStart().startsWith('{') ? objectOf(this.results.parse(text)) : undefined;
    return said === undefined || hasReference(said, text) ? { output: text } : said;
  }
}

/** Whether the field `$ref` stands anywhere in a value. @param json its text, which tells of most that it does not */
function hasReference(value: JsonObject, json: string): boolean {
  // A name may be written with escapes.
  if (!json.includes(REFERENCE) && !json.includes(String.raw`\u`)) return false;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, REFERENCE)) return true;
    for (const inner of Object.values(next)) waiting.push(inner);
  }
  return false;
}

/** The instructions at the beginning, one part for each message, and the contents behind them. */
function conversationOf(
  messages: readonly ChatMessage[],
  service: GoogleService,
  adjustments: RequestAdjustments,
): JsonObject {
  const begin = leadingInstructions(messages);
  const conversation = new Conversation(service, adjustments);
  // A conversation needs a content.
  if (begin === messages.length) return { contents: conversation.of(messages) };
  const instructions = messages.slice(0, begin).flatMap((message) => instructionOf(message, service));
  return {
    contents: conversation.of(messages.slice(begin)),
    ...(instructions.length > 0 && { systemInstruction: { parts: instructions } }),
  };
}

function instructionOf(message: ChatMessage, service: GoogleService): readonly Part[] {
  const parts = partsOf(contentWithName(message), service);
  const text = parts.map((part) => nonEmptyText(part['text']) ?? '').join('');
  return text === '' ? [] : [{ text }];
}

/** The modes in which functions are called (https://ai.google.dev/api/caching#Mode). */
type CallingMode = 'NONE' | 'AUTO' | 'ANY' | 'VALIDATED';

/** The functions of a request, and which of them are to be called. Nothing is said of calls where there are none. */
function toolFields(
  { tools, tool_choice: choice, parallel_tool_calls: parallel }: ChatRequest,
  adjustments: RequestAdjustments,
): JsonObject {
  const functions = (tools ?? []).flatMap((tool) => tool.function ?? []);
  if (functions.length < (tools ?? []).length) adjustments.leftOut('tools', 'tool_of_provider');
  if (functions.length === 0) return {};
  if (parallel === false) adjustments.leftOut('parallel_tool_calls', 'no_counterpart');
  const calling = callingOf(choice ?? 'auto', functions);
  return {
    tools: [{ functionDeclarations: functions.map(declarationOf) }],
    ...(calling !== undefined && { toolConfig: { functionCallingConfig: calling } }),
  };
}

type CalledFunction = NonNullable<FunctionTool['function']>;

function declarationOf({ name, description, parameters }: CalledFunction): JsonObject {
  return {
    name,
    ...(description == null ? {} : { description }),
    ...(parameters == null ? {} : { parametersJsonSchema: parameters }),
  };
}

/** @returns undefined where the model decides, which needs no words */
function callingOf(
  choice: ToolChoice,
  functions: readonly CalledFunction[],
): { readonly mode: CallingMode; readonly allowedFunctionNames?: readonly string[] } | undefined {
  // Calls obey their schemas in this mode, which demands no call.
  const free = functions.some(({ strict }) => strict === true) ? ({ mode: 'VALIDATED' } as const) : undefined;
  if (choice === 'none') return { mode: 'NONE' };
  if (choice === 'auto') return free;
  if (choice === 'required') return { mode: 'ANY' };
  const allowed = objectOf(choice.allowed_tools);
  if (allowed === undefined) {
    return choice.function === undefined ? free : { mode: 'ANY', allowedFunctionNames: [choice.function.name] };
  }
  const wanted = new Set(listOf(allowed['tools']).map((tool) => objectOf(objectOf(tool)?.['function'])?.['name']));
  const names = functions.map(({ name }) => name).filter((name) => wanted.has(name));
  if (names.length === 0) return { mode: 'NONE' };
  return { mode: allowed['mode'] === 'required' ? 'ANY' : 'VALIDATED', allowedFunctionNames: names };
}

/** The words for how long a model thinks; above the last there is no other. */
const LEVELS: ReadonlyMap<unknown, string> = new Map([
  ['minimal', 'MINIMAL'],
  ['low', 'LOW'],
  ['medium', 'MEDIUM'],
  ['high', 'HIGH'],
  ['xhigh', 'HIGH'],
  ['max', 'HIGH'],
]);

/**
 * How a model is asked to think: with a number of tokens, of which -1 leaves it to the model, or with a level. Both together are refused,
 * and a model that does not think refuses the field.
 */
function thinkingOf(reasoning: Reasoning | null | undefined): JsonObject {
  if (reasoning == null) return {};
  const { effort, max_tokens: tokens, enabled, exclude } = reasoning;
  const isOff = enabled === false || effort === 'none' || tokens === 0;
  const level = LEVELS.get(effort);
  if (!isOff && tokens == null && level === undefined && enabled !== true) return {};
  return {
    thinkingConfig: {
      includeThoughts: !isOff && exclude !== true,
      ...(isOff
        ? { thinkingBudget: 0 }
        : tokens != null
          ? { thinkingBudget: tokens }
          : level && { thinkingLevel: level }),
    },
  };
}

/** The most sequences at which an answer may stop. */
const MOST_STOPS = 5;

/** Fields that only have another name. */
const RENAMED = [
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['seed', 'seed'],
  ['presence_penalty', 'presencePenalty'],
  ['frequency_penalty', 'frequencyPenalty'],
] as const;

/** How an answer is written (https://ai.google.dev/api/generate-content#generationconfig). */
function generationConfig(
  request: ChatRequest,
  isStreamed: boolean,
  service: GoogleService,
  adjustments: RequestAdjustments,
): JsonObject {
  const longest = request.max_completion_tokens ?? request.max_tokens ?? undefined;
  const choices = choicesOf(request);
  const renamed = RENAMED.filter(([field]) => request[field] != null).map(([field, name]) => [name, request[field]]);
  const config = {
    ...(Object.fromEntries(renamed) as JsonObject),
    ...(choices > 1 && { candidateCount: choices }),
    ...(longest !== undefined && { maxOutputTokens: longest }),
    ...stopFields(request, adjustments),
    ...probabilityFields(request, isStreamed, service, adjustments),
    ...formatFields(request),
    ...outputFields(request, adjustments),
    ...thinkingOf(request.reasoning),
  };
  return Object.keys(config).length === 0 ? {} : { generationConfig: config };
}

function stopFields({ stop }: ChatRequest, adjustments: RequestAdjustments): JsonObject {
  const sequences = (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((sequence) => sequence !== '');
  if (sequences.length > MOST_STOPS) adjustments.changed('stop', 'above_maximum');
  return sequences.length === 0 ? {} : { stopSequences: sequences.slice(0, MOST_STOPS) };
}

function probabilityFields(
  { logprobs, top_logprobs: most }: ChatRequest,
  isStreamed: boolean,
  { streamsProbabilities }: GoogleService,
  adjustments: RequestAdjustments,
): JsonObject {
  if (logprobs !== true) return {};
  if (isStreamed && !streamsProbabilities) {
    adjustments.leftOut('logprobs', 'no_counterpart');
    return {};
  }
  return { responseLogprobs: true, ...(typeof most === 'number' && most > 0 && { logprobs: most }) };
}

const JSON_TYPE = 'application/json';

function formatFields({ response_format: format }: ChatRequest): JsonObject {
  if (format?.['type'] === 'json_object') return { responseMimeType: JSON_TYPE };
  if (format?.['type'] !== 'json_schema') return {};
  const schema = objectOf(objectOf(format['json_schema'])?.['schema']);
  return { responseMimeType: JSON_TYPE, ...(schema !== undefined && { responseJsonSchema: schema }) };
}

const MODALITIES: ReadonlyMap<unknown, string> = new Map([
  ['text', 'TEXT'],
  ['image', 'IMAGE'],
]);

/** Whether an answer has images, and how large they are. */
function outputFields(request: ChatRequest, adjustments: RequestAdjustments): JsonObject {
  const asked = listOf(request['modalities']);
  const known = asked.flatMap((modality) => MODALITIES.get(modality) ?? []);
  if (known.length < asked.length) adjustments.leftOut('modalities', 'no_counterpart');
  if (!known.includes('IMAGE')) return {};
  const { aspect_ratio: ratio, image_size: size } = objectOf(request['image_config']) ?? {};
  const image = {
    ...(nonEmptyText(ratio) !== undefined && { aspectRatio: ratio }),
    ...(nonEmptyText(size) !== undefined && { imageSize: size }),
  };
  return { responseModalities: known, ...(Object.keys(image).length > 0 && { imageConfig: image }) };
}

const TIERS: ReadonlyMap<unknown, string> = new Map([
  ['default', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
]);

/** The tier of service in the provider's words. @returns undefined where it decides */
export function tierOf({ service_tier: tier }: ChatRequest): string | undefined {
  return TIERS.get(tier);
}

function tierFields(request: ChatRequest, { tierPlace }: GoogleService, adjustments: RequestAdjustments): JsonObject {
  const tier = tierOf(request);
  if (request.service_tier != null && request.service_tier !== 'auto' && tier === undefined) {
    adjustments.leftOut('service_tier', 'no_counterpart');
  }
  return tier === undefined || tierPlace === 'header' ? {} : { serviceTier: tier };
}

/** Characters of the name and of the value of a label. */
const MOST_OF_LABEL = 63;

/** Labels, which are bounded to small letters, digits, `_` and `-` (https://cloud.google.com/resource-manager/docs/labels-overview). */
function labelFields({ metadata, user }: ChatRequest, { takesLabels }: GoogleService): JsonObject {
  const given = { ...metadata, ...(nonEmptyText(user) !== undefined && { user: user! }) };
  const labels = Object.entries(given).flatMap(([name, value]) => {
    const [key, text] = [labelOf(name), labelOf(value)];
    return /^[a-z]/.test(key) ? [[key, text] as const] : [];
  });
  return takesLabels && labels.length > 0 ? { labels: Object.fromEntries(labels) } : {};
}

function labelOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '_')
    .slice(0, MOST_OF_LABEL);
}

/** What is filtered, as a client of Google's own form of chats says it. */
function safetyFields(request: ChatRequest): JsonObject {
  const settings = listOf(request['safety_settings']).flatMap((setting) => {
    const { category, threshold } = objectOf(setting) ?? {};
    return typeof category === 'string' && typeof threshold === 'string' ? [{ category, threshold }] : [];
  });
  return settings.length === 0 ? {} : { safetySettings: settings };
}

/**
 * Writes a request in the form of `generateContent`, with nothing that is not documented: the provider refuses fields that it does not
 * know (docs/interface/providers.md#gemini).
 *
 * @param adjustments is told what is left out or changed
 * @throws ProviderError for a kind of part that the form has nothing for
 */
export function requestBody(
  request: ChatRequest,
  isStreamed: boolean,
  service: GoogleService,
  adjustments = new RequestAdjustments(),
): JsonObject {
  const messages = request.messages.flatMap((message) => withoutKeptBlocks(message, adjustments));
  return {
    ...conversationOf(messages, service, adjustments),
    ...toolFields(request, adjustments),
    ...safetyFields(request),
    ...generationConfig(request, isStreamed, service, adjustments),
    ...tierFields(request, service, adjustments),
    ...labelFields(request, service),
  };
}
