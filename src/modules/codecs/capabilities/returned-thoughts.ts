import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ChatMessage } from '../chat/chat-completion.js';
import { type JsonObject, nonEmptyText } from '../chat/json-values.js';
import { ANTHROPIC_FORMAT, withSignatures } from '../chat/thought-signatures.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';

/** What stands for thoughts that a provider demands, and that another model had or a client has not kept: an empty text is refused. */
const NO_THOUGHTS = ' ';

/** How the thoughts of a request are handed back. */
interface ReturnedThoughts {
  /** The form in which the provider takes them; undefined where nothing is known. */
  readonly form: ModelCapabilities['returned_thoughts'];
  /** Whether the request asks the model not to think, so that no provider demands earlier thoughts. */
  readonly areOff: boolean;
  readonly adjustments: RequestAdjustments;
}

/**
 * The messages of a chat with what models thought in earlier turns as their provider wants it back: nothing of other
 * providers that it would refuse, and a placeholder for what it demands (docs/interface/providers.md#reasoning).
 */
export function withReturnedThoughts(messages: readonly ChatMessage[], how: ReturnedThoughts): readonly ChatMessage[] {
  const demanding = how.form === 'demanded_text' && !how.areOff ? turnsWithCalls(messages) : undefined;
  return messages
    .filter((message) => !isThoughtAlone(message))
    .map((message) => {
      const returned = withThoughts(message, how);
      if (demanding?.has(message) !== true || nonEmptyText(returned['reasoning_content']) !== undefined)
        return returned;
      how.adjustments.changed('messages.*.reasoning_content', 'demanded_by_provider');
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
  const { form } = how;
  if (form === 'signatures') return withSignatures(withoutThoughts(others, how), details ?? []);
  const { reasoning_content: content, ...unsaid } = others;
  // Many clients have one name for the text of thoughts, whatever name their server reads.
  const renamed = form === 'reasoning' ? nonEmptyText(content) : undefined;
  const said = reasoning ?? renamed ?? (content === undefined ? textOf(details ?? []) : undefined);
  const text = said === undefined ? {} : withText(said, form);
  const known = form === 'none' ? withoutThoughts(others, how) : renamed === undefined ? others : unsaid;
  const own = form === 'none' ? [] : detailsOfThisForm(details ?? []);
  if (own.length < (details ?? []).length) how.adjustments.leftOut('messages.*.reasoning_details', LEFT_OUT);
  return { ...known, ...text, ...(own.length > 0 && { reasoning_details: own }) };
}

/** The text of thoughts in the field in which the provider reads it, if it does. */
function withText(said: string, form: ReturnedThoughts['form']): JsonObject {
  if (form === 'text' || form === 'demanded_text') return { reasoning_content: said };
  return form === 'reasoning' ? { reasoning: said } : {};
}

/** What details say that can be read: some clients hand back nothing else. */
function textOf(details: readonly JsonObject[]): string | undefined {
  return nonEmptyText(details.map(({ text, summary }) => nonEmptyText(text) ?? nonEmptyText(summary) ?? '').join(''));
}

/** Details that a provider of this form gave, untouched and in order. Those of the Messages form have gone with their text. */
function detailsOfThisForm(details: readonly JsonObject[]): readonly JsonObject[] {
  return details.filter(({ format }) => format !== ANTHROPIC_FORMAT);
}

/** Why thoughts are not sent. */
const LEFT_OUT = 'thoughts_of_other_provider';

/** Without the fields of thoughts that a strict provider does not know. Only Google knows what signs the thoughts behind calls. */
function withoutThoughts(message: ChatMessage, { form, adjustments }: ReturnedThoughts): ChatMessage {
  const { reasoning_content: text, ...others } = message;
  if (text !== undefined) adjustments.leftOut('messages.*.reasoning_content', LEFT_OUT);
  if (form === 'signatures') return others;
  const { extra_content: signature, tool_calls: calls, ...rest } = others;
  if (signature !== undefined) adjustments.leftOut('messages.*.extra_content', LEFT_OUT);
  if (calls === undefined || calls === null) return { ...rest, ...(calls === null && { tool_calls: calls }) };
  const unsigned = calls.map((call) => {
    if (call['extra_content'] === undefined) return call;
    adjustments.leftOut('messages.*.tool_calls.*.extra_content', LEFT_OUT);
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
