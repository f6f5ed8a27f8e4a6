import { EventSourceParserStream } from 'eventsource-parser/stream';
import { answered, api, ApiError, errorOf } from './client';
import type { Schema } from './types';

/** A call of a tool in an answer. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** An answer, as far as it has come. */
export interface ChatAnswer {
  /** The id of its record; null where there is none. */
  readonly generationId: string | null;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  /** Why it ended; null until then. */
  readonly finishReason: string | null;
}

/** An answer of which nothing has come. */
export const NO_ANSWER: ChatAnswer = { generationId: null, text: '', reasoning: '', calls: [], finishReason: null };

/** A chat that is sent as one of the person's own keys. */
interface AskedChat {
  readonly keyHash: string;
  readonly request: Schema<'ChatCompletionRequest'>;
  readonly signal: AbortSignal;
  /** Is called with what has come by then, each time that something comes: also with the id of the record of what is refused. */
  readonly came: (answer: ChatAnswer) => void;
}

/**
 * Sends a chat in the session, as one of the person's keys, and reads its answer as it comes (docs/interface/sign-in.md).
 *
 * @throws ApiError for what is refused, and for an answer that breaks off
 * @throws DOMException where it was stopped
 */
export async function streamChat({ keyHash, request, signal, came }: AskedChat): Promise<void> {
  let answer = NO_ANSWER;
  const body = await answered(
    api
      .POST('/api/v1/chat/completions', {
        body: { ...request, stream: true },
        headers: { 'X-Key-Hash': keyHash },
        parseAs: 'stream',
        signal,
      })
      .then((sent) => {
        answer = { ...answer, generationId: sent.response.headers.get('X-Generation-Id') };
        came(answer);
        return sent;
      }),
  );
  const events = body!
    .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array<ArrayBuffer>, string>)
    .pipeThrough(new EventSourceParserStream());
  const reader = events.getReader();
  let isWhole = false;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { data } = next.value;
    if (data === '[DONE]') {
      isWhole = true;
      continue;
    }
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error !== undefined) throw errorOf(chunk.error.code, chunk);
    answer = withChunk(answer, chunk);
    came(answer);
  }
  if (!isWhole) throw new ApiError(0, 'The connection ended before the answer did.');
}

type Chunk = Partial<Schema<'ChatCompletionChunk'>> & { readonly error?: { readonly code: number } };

function withChunk(answer: ChatAnswer, { choices }: Chunk): ChatAnswer {
  const choice = choices?.[0];
  if (choice === undefined) return answer;
  const { content, reasoning, tool_calls: calls } = choice.delta;
  return {
    ...answer,
    text: answer.text + (content ?? ''),
    reasoning: answer.reasoning + (reasoning ?? ''),
    calls: (calls ?? []).reduce(withCall, answer.calls),
    finishReason: choice.finish_reason ?? answer.finishReason,
  };
}

function withCall(calls: readonly ToolCall[], part: Schema<'ChatStreamToolCall'>): readonly ToolCall[] {
  const before = calls[part.index] ?? { id: '', name: '', arguments: '' };
  const after = {
    id: part.id ?? before.id,
    name: before.name + (part.function?.name ?? ''),
    arguments: before.arguments + (part.function?.arguments ?? ''),
  };
  return Object.assign([...calls], { [part.index]: after });
}
