import type { ChatChunk, ChatCompletion } from '../../providers/chat-completion.js';
import type { TranslatedToolNames } from '../capabilities/tool-names.js';

/** An answer whose calls have the client's names of its tools. */
export function withOwnNames(answer: ChatCompletion, names: TranslatedToolNames): ChatCompletion {
  if (names.areUnchanged) return answer;
  const choices = answer.choices.map((choice) => {
    const { tool_calls: calls } = choice.message;
    return calls === undefined
      ? choice
      : { ...choice, message: { ...choice.message, tool_calls: named(calls, names) } };
  });
  return { ...answer, choices };
}

/** A stream whose calls have the client's names of its tools. */
export class NamedStream implements AsyncIterableIterator<ChatChunk, void> {
  private readonly chunks: AsyncIterator<ChatChunk, void>;

  constructor(
    chunks: AsyncIterable<ChatChunk, void>,
    private readonly names: TranslatedToolNames,
  ) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<ChatChunk, void>> {
    const next = await this.chunks.next();
    return next.done === true ? next : { done: false, value: this.withOwnNames(next.value) };
  }

  /** Ends the request to the provider. */
  async return(): Promise<IteratorResult<ChatChunk, void>> {
    await this.chunks.return?.();
    return { done: true, value: undefined };
  }

  private withOwnNames(chunk: ChatChunk): ChatChunk {
    if (chunk.choices.every(({ delta }) => delta.tool_calls === undefined)) return chunk;
    const choices = chunk.choices.map((choice) => {
      const { tool_calls: calls } = choice.delta;
      return calls === undefined
        ? choice
        : { ...choice, delta: { ...choice.delta, tool_calls: named(calls, this.names) } };
    });
    return { ...chunk, choices };
  }
}

function named<Call extends { readonly function?: { readonly name?: string } }>(
  calls: readonly Call[],
  names: TranslatedToolNames,
): readonly Call[] {
  return calls.map((call) => {
    const sent = call.function?.name;
    return sent === undefined ? call : { ...call, function: { ...call.function, name: names.ownOf(sent) } };
  });
}
