import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ProviderServer, type ReceivedRequest } from '../../../support/network/provider-server.js';

const MEBIBYTE = 1_048_576;

/** The length of an event that is nearly as large as one may be, in characters. */
const EVENT_LENGTH = 7_000_000;

/** The numbers of an embedding, so that 2,048 of them have some 20 MB. */
const DIMENSIONS = 800;

/** Words of a prompt that say how it is to be answered. */
export type HostileAnswer = 'events' | 'whole' | 'parts' | 'silent';

/** Starts a provider whose answers are as large as the prompt of a request says, in one word. Its embeddings are always large. */
export async function startHostileProvider(): Promise<ProviderServer> {
  const provider = await ProviderServer.start();
  const embedding = `[${'0.012345,'.repeat(DIMENSIONS - 1)}0.012345]`;
  provider.answerWith(async (response, request) => {
    // Nothing of it is looked at afterwards.
    provider.received.length = 0;
    if (request.path.endsWith('/embeddings')) await sendEmbeddings(response, request, embedding);
    else await sendChat(response, wordOf(request));
  });
  return provider;
}

/** The last word of the last message. */
function wordOf({ body }: ReceivedRequest): string {
  const { messages } = body as { readonly messages: readonly { readonly content: unknown }[] };
  return /(\w+)\W*$/.exec(JSON.stringify(messages.at(-1)!.content))?.[1] ?? '';
}

async function sendEmbeddings(response: ServerResponse, { body }: ReceivedRequest, embedding: string): Promise<void> {
  const { input } = body as { readonly input: readonly unknown[] };
  response.writeHead(200, { 'content-type': 'application/json' });
  await send(response, embeddings(input.length, embedding));
}

function* embeddings(count: number, embedding: string): Generator<string, void, undefined> {
  yield '{"object":"list","data":[';
  for (let index = 0; index < count; index += 1) {
    yield `${index === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":${embedding}}`;
  }
  yield `],"model":"m","usage":{"prompt_tokens":${count},"total_tokens":${count}}}`;
}

async function sendChat(response: ServerResponse, word: string): Promise<void> {
  if (word === 'silent') return;
  const type = word === 'events' ? 'text/event-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type });
  await send(response, word === 'events' ? events() : document(word));
}

function* events(): Generator<string, void, undefined> {
  for (let sent = 0; sent < 2; sent += 1) yield event({ content: 'x'.repeat(EVENT_LENGTH) });
  yield `${event({}, 'stop')}data: [DONE]\n\n`;
}

/** Starts a provider that says one word. */
export async function startBriefProvider(): Promise<ProviderServer> {
  const provider = await ProviderServer.start();
  provider.answerWith(async (response) => {
    provider.received.length = 0;
    response.writeHead(200, { 'content-type': 'application/json' });
    await send(response, document('brief'));
  });
  return provider;
}

function* document(word: string): Generator<string, void, undefined> {
  yield '{"id":"chatcmpl-hostile","created":1,"model":"m","choices":[{"index":0,"finish_reason":"stop",';
  if (word === 'parts') {
    yield '"extra":[';
    for (let sent = 0; sent < 5; sent += 1) yield '{},'.repeat(64 * 1_024);
    yield '{}],';
  }
  yield '"message":{"role":"assistant","content":"Yes.';
  if (word === 'whole') for (let sent = 0; sent < 20; sent += 1) yield 'x'.repeat(MEBIBYTE);
  yield '"}}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}';
}

function event(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return `data: ${JSON.stringify({ id: 'chatcmpl-hostile', created: 1, model: 'm', choices })}\n\n`;
}

/** Sends pieces as fast as the gateway reads, until it has left. */
async function send(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(pieces), response).catch(() => undefined);
}
