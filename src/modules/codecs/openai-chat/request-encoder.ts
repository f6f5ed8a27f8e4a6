import type {
  ChatMessage,
  ContentPart,
  FunctionTool,
  Reasoning,
  ReasoningEffort,
  ChatRequest,
} from '../chat/chat-completion.js';
import { nonEmptyText, objectOf } from '../chat/json-values.js';
import { withoutKeptBlocks } from '../chat/kept-blocks.js';
import { messagesFieldsOf } from '../chat/messages-fields.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';
import { nearestEffort } from '../chat/effort-shares.js';

/** The text for the result of a tool that has no text of its own. */
const RESULT_FOLLOWS = 'The result is in the next message.';

/**
 * Writes results of tools as this form has them: as texts. Images and files of results go into the message of the user that
 * follows them, behind a line that says which call they belong to: all results have to stand behind the calls without another
 * message between them (docs/interface/providers.md#openai).
 */
export function withTextResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(hasMedia)) return messages;
  const written: ChatMessage[] = [];
  let media: ContentPart[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const { content, parts } = split(message);
      written.push({ ...message, content });
      media.push(...parts);
      continue;
    }
    const isUser = message.role === 'user';
    if (media.length > 0 && !isUser) written.push({ role: 'user', content: media });
    written.push(media.length > 0 && isUser ? { ...message, content: [...media, ...partsOf(message)] } : message);
    media = [];
  }
  return media.length === 0 ? written : [...written, { role: 'user', content: media }];
}

function hasMedia({ role, content }: ChatMessage): boolean {
  return role === 'tool' && Array.isArray(content) && content.some(isMedia);
}

function isMedia({ type }: ContentPart): boolean {
  return type !== 'text';
}

/** The texts of a result, and its other parts. */
function split(message: ChatMessage): Pick<ChatMessage, 'content'> & { readonly parts: readonly ContentPart[] } {
  if (!hasMedia(message)) return { content: message.content ?? '', parts: [] };
  const content = partsOf(message);
  const texts = content.filter((part) => !isMedia(part));
  return {
    content: texts.length === 0 ? RESULT_FOLLOWS : texts,
    parts: [{ type: 'text', text: `Result of the tool call ${message.tool_call_id}:` }, ...content.filter(isMedia)],
  };
}

function partsOf({ content }: ChatMessage): readonly ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return content ?? [];
}

/**
 * The tools that are offered from the beginning, and those that a search has found since: tools whose loading is deferred are for that
 * search alone. Where all are deferred, all are offered.
 */
export function withoutDeferredTools(
  tools: readonly FunctionTool[],
  messages: readonly ChatMessage[],
  adjustments?: RequestAdjustments,
): readonly FunctionTool[] {
  const isDeferred = (tool: FunctionTool): boolean => messagesFieldsOf(tool)['defer_loading'] === true;
  if (!tools.some(isDeferred) || tools.every(isDeferred)) return tools;
  const found = new Set(messages.flatMap(foundToolsIn));
  const offered = tools.filter((tool) => !isDeferred(tool) || found.has(tool.function?.name));
  if (offered.length < tools.length) adjustments?.leftOut('tools', 'tool_not_found_yet');
  return offered;
}

function foundToolsIn({ content }: ChatMessage): readonly (string | undefined)[] {
  if (!Array.isArray(content)) return [];
  return (content as readonly ContentPart[])
    .map(messagesFieldsOf)
    .flatMap(({ type, tool_name: name }) => (type === 'tool_reference' ? [nonEmptyText(name)] : []));
}

/**
 * The effort to ask a provider for that counts no tokens of reasoning.
 *
 * @param reasoning what the caller asks for
 * @param longest the most tokens that the answer may have; undefined if the request says nothing
 * @returns undefined if the provider is to decide
 */
function reasoningEffortOf(
  { effort, max_tokens: budget, enabled }: Reasoning,
  longest: number | undefined,
): ReasoningEffort | undefined {
  if (enabled === false) return 'none';
  if (effort != null) return effort;
  if (budget != null) return longest === undefined ? 'medium' : nearestEffort(budget / longest);
  return enabled === true ? 'medium' : undefined;
}

/**
 * Writes a request for a provider that speaks the gateway's own form: as it is, but for the reasoning, for results of tools
 * that are no texts. A stream is asked for its usage, which charges are made from, unless `stream_options` is false: some providers
 * always send it, and refuse to be asked. What only some providers know was left out before (docs/interface/capabilities.md).
 *
 * @param adjustments is told what is not sent as it came
 */
export function requestBody(request: ChatRequest, stream: boolean, adjustments?: RequestAdjustments): object {
  const { reasoning, stream: _stream, stream_options, messages, ...others } = request;
  const longest = request.max_completion_tokens ?? request.max_tokens ?? undefined;
  const effort = reasoning == null ? undefined : reasoningEffortOf(reasoning, longest);
  const usage =
    stream_options === false ? {} : { stream_options: { ...objectOf(stream_options), include_usage: true } };
  // Assigned to the copy, because literals do not begin with a spread (bench/README.md#start-up-memory-size).
  return Object.assign(others, {
    messages: withTextResults(messages.flatMap((message) => withoutKeptBlocks(message, adjustments))),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(stream ? { stream, ...usage } : {}),
  });
}
