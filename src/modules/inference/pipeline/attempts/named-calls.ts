import type { ChatChunk, ChatCompletion, ChatMessage } from '../../../codecs/chat/chat-completion.js';
import type { JsonObject } from '../../../codecs/chat/json-values.js';
import { newToolCallId } from '../../../codecs/chat/tool-call-ids.js';
import type { TranslatedToolNames } from '../../../codecs/capabilities/tool-names.js';

/** What a message of an answer, or a piece of one, has of calls. */
interface Calling {
  readonly tool_calls?: readonly NamedCall[];
  readonly reasoning_details?: readonly JsonObject[];
}

interface NamedCall {
  readonly id?: string;
  readonly function?: { readonly name?: string };
}

/**
 * Writes the calls of an answer as its client knows them: with its own names of its tools, and with ids that its conversation does not have
 * yet. Some servers number the calls of each answer anew, and clients tell calls by their ids alone.
 */
export class AnsweredCalls {
  /** The ids of the answer, and those that stand for them. */
  private readonly ids = new Map<string, string>();
  private readonly taken: ReadonlySet<string>;

  /**
   * @param names of the tools of the request
   * @param messages of the request, as the client has sent them
   */
  constructor(
    private readonly names: TranslatedToolNames,
    messages: readonly Pick<ChatMessage, 'tool_calls'>[],
  ) {
    this.taken = new Set(messages.flatMap(({ tool_calls: calls }) => (calls ?? []).map(({ id }) => id)));
  }

  /** Whether every answer stays as it is. */
  get areUnchanged(): boolean {
    return this.names.areUnchanged && this.taken.size === 0;
  }

  /** A message, or a piece of one. */
  of<Message extends Calling>(message: Message): Message {
    const { tool_calls: calls, reasoning_details: details } = message;
    const named = calls?.map((call) => this.ofCall(call));
    return {
      ...message,
      ...(named !== undefined && { tool_calls: named }),
      ...(details !== undefined &&
        this.ids.size > 0 && { reasoning_details: details.map((one) => this.ofDetail(one)) }),
    };
  }

  private ofCall(call: NamedCall): NamedCall {
    const { id, function: called } = call;
    return {
      ...call,
      ...(id !== undefined && { id: this.ownId(id) }),
      ...(called?.name !== undefined && { function: { ...called, name: this.names.ownOf(called.name) } }),
    };
  }

  /** What signs the thoughts behind a call names that by its id. */
  private ofDetail(detail: JsonObject): JsonObject {
    const { id } = detail;
    const own = typeof id === 'string' ? this.ids.get(id) : undefined;
    return own === undefined ? detail : { ...detail, id: own };
  }

  private ownId(id: string): string {
    if (!this.taken.has(id)) return id;
    const own = this.ids.get(id) ?? newToolCallId();
    this.ids.set(id, own);
    return own;
  }
}

/** An answer whose calls are written as its client knows them. */
export function withOwnCalls(answer: ChatCompletion, calls: AnsweredCalls): ChatCompletion {
  if (calls.areUnchanged) return answer;
  return { ...answer, choices: answer.choices.map((choice) => ({ ...choice, message: calls.of(choice.message) })) };
}

/** A stream whose calls are written as its client knows them. */
export class NamedStream implements AsyncIterableIterator<ChatChunk, void> {
  private readonly chunks: AsyncIterator<ChatChunk, void>;

  constructor(
    chunks: AsyncIterable<ChatChunk, void>,
    private readonly calls: AnsweredCalls,
  ) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ChatChunk, void>> {
    const next = await this.chunks.next();
    return next.done === true ? next : { done: false, value: this.withOwnCalls(next.value) };
  }

  /** Ends the request to the provider. */
  async return(): Promise<IteratorResult<ChatChunk, void>> {
    await this.chunks.return?.();
    return { done: true, value: undefined };
  }

  private withOwnCalls(chunk: ChatChunk): ChatChunk {
    if (chunk.choices.every(({ delta }) => delta.tool_calls === undefined && delta.reasoning_details === undefined))
      return chunk;
    return { ...chunk, choices: chunk.choices.map((choice) => ({ ...choice, delta: this.calls.of(choice.delta) })) };
  }
}
