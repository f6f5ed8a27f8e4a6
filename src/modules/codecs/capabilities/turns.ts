import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import { type ChatMessage, isInstructing } from '../chat/chat-completion.js';
import { nonEmptyText } from '../chat/json-values.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';
import { idOfSpoken } from '../chat/spoken-answers.js';

/** What the assistant says between the result of a tool and the user, where a provider wants it to have said something. */
const TAKEN_NOTE = 'OK.';

/** What the user says behind a message of the assistant, where a provider does not continue that by itself. */
const CONTINUE = 'Continue your last message where it ends, without repeating any of it.';

/** A message of the assistant, and the results of the calls in it. */
interface Turn {
  readonly message: ChatMessage;
  readonly results: ChatMessage[];
  /** The ids of the calls with a result. */
  readonly answered: Set<string>;
}

/** The result of a call that has none. */
const INTERRUPTED = 'interrupted';

/**
 * Puts every result of a tool directly behind the message with its call, because every form of providers wants it there. Clients of the
 * Responses form may have messages between them: what a user says while tools run, or notes about results. A call without a result, which
 * every form refuses, gets one that says so: its client was interrupted.
 *
 * @param adjustments is told if a message changes its place, or a result is added
 * @param demandsResults whether the provider refuses a call without one
 */
export function withResultsBehindCalls(
  messages: readonly ChatMessage[],
  adjustments: RequestAdjustments,
  demandsResults = true,
): readonly ChatMessage[] {
  const turns: Turn[] = [];
  // Ids may repeat from turn to turn, so that a result belongs to the last call before it that has none.
  const open = new Map<string, Turn>();
  for (const message of messages) {
    const turn: Turn = { message, results: [], answered: new Set() };
    const id = message.role === 'tool' ? (message.tool_call_id ?? '') : undefined;
    const called = id === undefined ? undefined : open.get(id);
    if (called === undefined) turns.push(turn);
    else {
      called.results.push(message);
      called.answered.add(id!);
    }
    if (id !== undefined) open.delete(id);
    for (const call of message.tool_calls ?? []) open.set(call.id, turn);
  }
  const added = demandsResults ? addMissingResults(turns, adjustments) : NONE;
  const ordered = turns.flatMap(({ message, results }) => [message, ...results]);
  if (ordered.every((message, index) => message === messages[index])) return messages;
  const given = ordered.filter((message) => !added.has(message));
  if (given.some((message, index) => message !== messages[index]))
    adjustments.changed('messages', 'results_behind_calls');
  return ordered;
}

const NONE: ReadonlySet<ChatMessage> = new Set();

/** @returns the results that are added */
function addMissingResults(turns: readonly Turn[], adjustments: RequestAdjustments): ReadonlySet<ChatMessage> {
  const added = new Set<ChatMessage>();
  for (const { message, results, answered } of turns) {
    for (const { id } of message.tool_calls ?? []) {
      if (answered.has(id)) continue;
      answered.add(id);
      const result: ChatMessage = { role: 'tool', tool_call_id: id, content: INTERRUPTED };
      results.push(result);
      added.add(result);
      adjustments.changed('messages', 'result_missing');
    }
  }
  return added;
}

/** Messages in turns that a provider of the usual form of chats takes: see `empty_answers`, `user_after_result` and `assistant_ending`. */
export function withPossibleTurns(
  messages: readonly ChatMessage[],
  capabilities: ModelCapabilities,
  adjustments: RequestAdjustments,
): readonly ChatMessage[] {
  const said = capabilities.empty_answers === false ? messages.filter((message) => !isEmpty(message)) : messages;
  if (said.length < messages.length) adjustments.leftOut('messages', 'empty_message');
  const spoken = capabilities.user_after_result === false ? withWordsBetween(said, adjustments) : said;
  const taken = capabilities.alternating_roles === true ? inTurns(spoken, adjustments) : spoken;
  return withPossibleEnding(taken, capabilities, adjustments);
}

/** What the user says before a conversation that the assistant begins. */
const BEGINNING: ChatMessage = { role: 'user', content: 'Begin.' };

/** With the user first, and messages of the user or the assistant that follow each other as one. */
function inTurns(messages: readonly ChatMessage[], adjustments: RequestAdjustments): readonly ChatMessage[] {
  const turns: ChatMessage[][] = [];
  let role: ChatMessage['role'] | undefined;
  for (const message of messages) {
    const isBegun = role !== undefined && !isInstructing(role);
    if (message.role === 'assistant' && !isBegun) turns.push([BEGINNING], [message]);
    else if (role === message.role && (role === 'user' || role === 'assistant')) turns.at(-1)!.push(message);
    else turns.push([message]);
    ({ role } = message);
  }
  const taken = turns.map((turn) => (turn.length === 1 ? turn[0]! : joined(turn)));
  if (taken.every((message, index) => message === messages[index])) return messages;
  adjustments.changed('messages', 'roles_in_turn');
  return taken;
}

/** Messages of one role as one, with the fields of the last that has each. */
function joined(messages: readonly ChatMessage[]): ChatMessage {
  const calls = messages.flatMap(({ tool_calls: called }) => called ?? []);
  const contents = messages.flatMap(({ content }) => (content != null && content.length > 0 ? [content] : []));
  const texts: string[] = [];
  for (const said of contents) {
    if (typeof said !== 'string') break;
    texts.push(said);
  }
  const text = texts.join('\n\n');
  const others = contents.slice(texts.length);
  const content =
    others.length === 0
      ? text
      : [...(texts.length === 0 ? [] : [text]), ...others].flatMap((said) =>
          typeof said === 'string' ? [{ type: 'text', text: said }] : said,
        );
  const all: Partial<ChatMessage> = {};
  for (const message of messages) Object.assign(all, message);
  return { ...(all as ChatMessage), content, ...(calls.length > 0 && { tool_calls: calls }) };
}

/** Messages that end as a provider takes them: some do not continue what the assistant has said. */
export function withPossibleEnding(
  messages: readonly ChatMessage[],
  { assistant_ending: ending }: ModelCapabilities,
  adjustments: RequestAdjustments,
): readonly ChatMessage[] {
  const last = messages.at(-1);
  const isOpen = last?.role === 'assistant' && (last.tool_calls ?? []).length === 0 && !isEmpty(last);
  if (!isOpen || ending === undefined || ending === 'taken') return messages;
  adjustments.changed('messages', 'ends_with_assistant');
  return ending === 'prefix'
    ? [...messages.slice(0, -1), { ...last, prefix: true }]
    : [...messages, { role: 'user', content: CONTINUE }];
}

/** Whether the assistant has neither said nor called anything. */
function isEmpty(message: ChatMessage): boolean {
  const { role, content, refusal, tool_calls: calls } = message;
  if (role !== 'assistant' || (calls ?? []).length > 0 || nonEmptyText(refusal) !== undefined) return false;
  if (idOfSpoken(message) !== undefined) return false;
  if (content === null || content === undefined || typeof content === 'string') return (content ?? '').trim() === '';
  return content.every(({ type, text }) => type === 'text' && (text ?? '').trim() === '');
}

/** With words of the assistant wherever a user, or an instruction, would follow the result of a tool. */
function withWordsBetween(messages: readonly ChatMessage[], adjustments: RequestAdjustments): readonly ChatMessage[] {
  return messages.flatMap((message, index): readonly ChatMessage[] => {
    const isBehindResult = messages[index - 1]?.role === 'tool';
    if (!isBehindResult || (message.role !== 'user' && !isInstructing(message.role))) return [message];
    adjustments.changed('messages', 'user_after_result');
    return [{ role: 'assistant', content: TAKEN_NOTE }, message];
  });
}
