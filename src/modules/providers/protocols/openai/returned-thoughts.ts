import type { ChatMessage } from '../../chat-completion.js';
import { type JsonObject, nonEmptyText } from '../../json-values.js';
import type { RequestAdjustments } from '../../request-adjustments.js';
import { ANTHROPIC_FORMAT } from '../reasoning-format.js';
import { withSignatures } from './thought-signatures.js';

// What providers of this form take back of what their models have thought (docs/interface/providers.md#reasoning).

/** Providers that want back the text of what their models thought, as `reasoning_content`. */
const WANT_TEXT: ReadonlySet<string> = new Set([
  'alibaba',
  'deepseek',
  'minimax',
  'moonshotai',
  'siliconflow',
  'xiaomi',
  'z-ai',
]);

/** Those of them that refuse a turn with calls of tools that lacks it. */
const DEMAND_TEXT: ReadonlySet<string> = new Set(['deepseek', 'moonshotai', 'xiaomi']);

/** The providers of Gemini's models, which want back what signs their thoughts, in fields of their own. */
const WANT_SIGNATURES: ReadonlySet<string> = new Set(['google', 'google-ai-studio', 'google-vertex']);

/** Providers that refuse messages with fields that they do not know. */
const REFUSE_UNKNOWN: ReadonlySet<string> = new Set([
  'ai21',
  'azure',
  'cerebras',
  'cohere',
  ...WANT_SIGNATURES,
  'groq',
  'mistral',
  'openai',
  'perplexity',
]);

/** What stands for thoughts that a provider demands, and that another model had or a client has not kept: an empty text is refused. */
const NO_THOUGHTS = ' ';

/** How the thoughts of a request are handed back. */
export interface ReturnedThoughts {
  /** The provider of the catalog. */
  readonly provider: string;
  /** Whether the request asks the model not to think, so that no provider demands earlier thoughts. */
  readonly areOff: boolean;
  readonly adjustments?: RequestAdjustments | undefined;
}

/**
 * The messages of a request with what models thought in earlier turns as their provider wants it back: nothing of other
 * providers that it would refuse, and a placeholder for what it demands.
 */
export function withReturnedThoughts(messages: readonly ChatMessage[], how: ReturnedThoughts): readonly ChatMessage[] {
  const demanding = DEMAND_TEXT.has(how.provider) && !how.areOff ? turnsWithCalls(messages) : undefined;
  return messages
    .filter((message) => !isThoughtAlone(message))
    .map((message) => {
      const returned = withThoughts(message, how);
      if (demanding?.has(message) !== true || nonEmptyText(returned['reasoning_content']) !== undefined)
        return returned;
      how.adjustments?.changed('messages.*.reasoning_content', 'demanded_by_provider');
      return { ...returned, reasoning_content: NO_THOUGHTS };
    });
}

/** Whether a message has nothing but thoughts, as an answer that broke off leaves it: providers refuse it, and none needs it. */
function isThoughtAlone({
  role,
  content,
  refusal,
  tool_calls: calls,
  reasoning,
  reasoning_details: details,
}: ChatMessage): boolean {
  if (role !== 'assistant' || (nonEmptyText(reasoning) === undefined && (details ?? []).length === 0)) return false;
  return (content ?? '').length === 0 && nonEmptyText(refusal) === undefined && (calls ?? []).length === 0;
}

function withThoughts(message: ChatMessage, how: ReturnedThoughts): ChatMessage {
  const { reasoning, reasoning_details: details, ...others } = message;
  const { provider } = how;
  const text = typeof reasoning === 'string' && WANT_TEXT.has(provider) ? { reasoning_content: reasoning } : {};
  const known = REFUSE_UNKNOWN.has(provider) ? withoutThoughts(others, how) : others;
  if (WANT_SIGNATURES.has(provider)) return withSignatures(known, details ?? []);
  const own = REFUSE_UNKNOWN.has(provider) ? [] : detailsOfThisForm(details ?? []);
  if (own.length < (details ?? []).length) how.adjustments?.leftOut('messages.*.reasoning_details', LEFT_OUT);
  return { ...known, ...text, ...(own.length > 0 && { reasoning_details: own }) };
}

/** Details that a provider of this form gave, untouched and in order. Those of the Messages form have gone with their text. */
function detailsOfThisForm(details: readonly JsonObject[]): readonly JsonObject[] {
  return details.filter(({ format }) => format !== ANTHROPIC_FORMAT);
}

/** Why thoughts are not sent. */
const LEFT_OUT = 'thoughts_of_other_provider';

/** Without the fields of thoughts that a strict provider does not know. Only Google knows what signs the thoughts behind calls. */
function withoutThoughts(message: ChatMessage, { provider, adjustments }: ReturnedThoughts): ChatMessage {
  const { reasoning_content: text, ...others } = message;
  if (text !== undefined) adjustments?.leftOut('messages.*.reasoning_content', LEFT_OUT);
  if (WANT_SIGNATURES.has(provider)) return others;
  const { extra_content: signature, tool_calls: calls, ...rest } = others;
  if (signature !== undefined) adjustments?.leftOut('messages.*.extra_content', LEFT_OUT);
  if (calls === undefined || calls === null) return { ...rest, ...(calls === null && { tool_calls: calls }) };
  const unsigned = calls.map((call) => {
    if (call['extra_content'] === undefined) return call;
    adjustments?.leftOut('messages.*.tool_calls.*.extra_content', LEFT_OUT);
    const { extra_content: _signature, ...ofCall } = call;
    return ofCall;
  });
  return { ...rest, tool_calls: unsigned };
}

/** The assistant's messages of turns in which tools were called: from a message of the user to the next. */
function turnsWithCalls(messages: readonly ChatMessage[]): ReadonlySet<ChatMessage> {
  const found = new Set<ChatMessage>();
  let turn: ChatMessage[] = [];
  const endTurn = (): void => {
    if (turn.some(({ tool_calls: calls }) => (calls ?? []).length > 0)) for (const one of turn) found.add(one);
    turn = [];
  };
  for (const message of messages) {
    if (message.role === 'assistant') turn.push(message);
    else if (message.role === 'user') endTurn();
  }
  endTurn();
  return found;
}
