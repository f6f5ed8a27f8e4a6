import { strictEqual } from 'node:assert/strict';
import type { ChatDelta, FinishReason } from '../chat/chat-completion.js';
import type { AnswerOrigin, StreamEvent, AnswerUsage } from '../client-codec.js';
import type { ResponsesRequest } from './client-request.js';
import { chatRequestOfResponses } from './request-decoder.js';
import { responsesEncoder } from './stream-encoder.js';

/** The fields of an item or event. */
export type Fields = Record<string, unknown>;

interface Shown extends Fields {
  readonly status: string;
  readonly output: readonly Fields[];
}

interface Event extends Fields {
  readonly type: string;
  readonly sequence_number: number;
  readonly response?: Shown;
}

const USAGE: AnswerUsage = {
  prompt_tokens: 10,
  completion_tokens: 5,
  total_tokens: 15,
  prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
  completion_tokens_details: { reasoning_tokens: 2 },
  cost: 0.5,
  is_byok: false,
  cost_details: {
    upstream_inference_cost: null,
    upstream_inference_prompt_cost: 0.2,
    upstream_inference_completions_cost: 0.3,
  },
};

/** A piece of a call of a tool. */
export const called = (index: number, fields: object): ChatDelta => ({ tool_calls: [{ index, ...fields }] });

/** Who asked for an answer, and who gives it. */
export function originOf(request: ResponsesRequest): AnswerOrigin {
  return {
    id: 'gen-1-abc',
    created: 1,
    model: 'acme/writer',
    body: chatRequestOfResponses(request),
    routing: () => ({}),
  } as unknown as AnswerOrigin;
}

/** The events in which an answer is streamed. @param failure what it breaks off with */
export function streamed(
  deltas: readonly ChatDelta[],
  finish: FinishReason,
  request: object = {},
  failure?: Error,
): Event[] {
  const body = { input: 'Hello', ...request } as ResponsesRequest;
  const form = responsesEncoder(body).stream(originOf(body));
  const chunk = (delta: ChatDelta, reason: FinishReason | null): readonly StreamEvent[] =>
    form.chunk({ choices: [{ index: 0, delta, finish_reason: reason, native_finish_reason: null }] });
  const events = [
    ...deltas.flatMap((delta) => chunk(delta, null)),
    ...(failure === undefined ? [...chunk({}, finish), ...form.end(USAGE, null)] : form.failure(failure)),
  ];
  return events.map(({ event, data }) => {
    strictEqual(event, (data as Event).type);
    return JSON.parse(JSON.stringify(data)) as Event;
  });
}

/** The whole answer to a request. @param message of the provider */
export function whole(message: object, finish: FinishReason, request: object = {}): Shown {
  const body = { input: 'Hello', ...request } as ResponsesRequest;
  const said = { role: 'assistant' as const, content: null, ...message };
  const choices = [{ index: 0, message: said, finish_reason: finish, native_finish_reason: null }];
  const completion = { upstreamId: null, choices, usage: null, systemFingerprint: null, serviceTier: null };
  return responsesEncoder(body).whole(originOf(body), completion, USAGE) as Shown;
}
