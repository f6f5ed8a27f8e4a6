import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ProviderServer, type ReceivedRequest } from '../../../support/network/provider-server.js';
import type { Random } from '../random.js';

const PROMPT_TOKENS = 5;

/** The fields of a request that decide on its answer. */
interface Asked {
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly stream?: boolean;
}

/**
 * Starts a provider whose answers use any number of tokens that the request allows, whole or as a stream.
 *
 * @param longestThoughtMs the most that an answer takes to begin, in milliseconds, so that many requests are under way at a time
 */
export async function startPricedProvider(random: Random, longestThoughtMs: number): Promise<ProviderServer> {
  const provider = await ProviderServer.start();
  provider.answerWith(async (response, request) => {
    // Nothing of it is looked at afterwards.
    provider.received.length = 0;
    await delay(random.below(longestThoughtMs));
    answer(response, request, random);
  });
  return provider;
}

function answer(response: ServerResponse, { body }: ReceivedRequest, random: Random): void {
  const { max_tokens: most, max_completion_tokens: mostToo, stream } = body as Asked;
  const completion = 1 + random.below(most ?? mostToo ?? 1);
  const usage = {
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: completion,
    total_tokens: PROMPT_TOKENS + completion,
  };
  const head = { id: 'chatcmpl-priced', created: 1, model: 'priced' };
  if (stream !== true) {
    const message = { role: 'assistant', content: 'Yes.' };
    const document = {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    return;
  }
  const chunks = [
    { choices: [{ index: 0, delta: { role: 'assistant', content: 'Yes.' }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  ].map((chunk) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${chunks.join('')}data: [DONE]\n\n`);
}
