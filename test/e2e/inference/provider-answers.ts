import type { ProviderServer } from '../../support/network/provider-server.js';

/** A whole answer of a provider. @param fields over and above what there must be */
export function completion(text: string, fields: object = {}): object {
  return {
    id: 'chatcmpl-upstream',
    object: 'chat.completion',
    created: 1,
    model: 'upstream-model',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    ...fields,
  };
}

/** Embeddings of a provider. @param vectors one for each input */
export function embeddings(vectors: readonly (readonly number[] | string)[], fields: object = {}): object {
  return {
    object: 'list',
    model: 'upstream-model',
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 10, total_tokens: 10 },
    ...fields,
  };
}

/** An event of a provider's stream. */
export function chunk(delta: object, finishReason: string | null = null, fields: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: 'chatcmpl-upstream', model: 'upstream-model', choices, ...fields })}\n\n`;
}

/** The events with which a provider ends a stream. */
export const STREAM_END = [
  chunk({}, 'stop'),
  `data: ${JSON.stringify({ id: 'chatcmpl-upstream', model: 'upstream-model', choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\n`,
  'data: [DONE]\n\n',
].join('');

/** A whole stream of a provider. */
export const STREAM = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'All ' }),
  chunk({ content: 'is well.' }),
  STREAM_END,
].join('');

/** The head of a provider's stream. */
export const STREAM_HEAD = { 'content-type': 'text/event-stream' };

/** Answers a request for a whole completion or a stream with a few words, as it asks. */
export const answerAsAsked: Parameters<ProviderServer['answerWith']>[0] = (response, { body }) => {
  if ((body as { stream?: boolean }).stream === true) response.writeHead(200, STREAM_HEAD).end(STREAM);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion('All is well.')));
};
