import type { ServerResponse } from 'node:http';
import type { Pool as PostgresPool } from 'pg';
import { type Dispatcher, Pool } from 'undici';
import { Batcher } from '../../src/concurrency/batcher.js';
import { rowsInsert } from '../../src/persistence/insert-statement.js';
import { GenerationEntity } from '../../src/modules/generations/entities/generation.entity.js';
import { INSERT_GENERATIONS } from '../../src/modules/generations/generations.repository.js';
import { timeOfGeneration } from '../../src/modules/generations/generation-time.js';
import { newGenerationId } from '../../src/modules/inference/pipeline/request/generation-id.js';
import {
  CALLER_CONTEXT,
  LIMITED_CALLER_CONTEXT,
} from '../../src/modules/inference/pipeline/context/request-context.repository.js';
import type { Statement } from '../../src/persistence/statement.js';
import { admit } from './admission.js';
import type { LimitRequest } from './operations.js';
import { rows } from './rows.js';
import type { ChatBody } from './worst-case.js';

const ROWS = rowsInsert(GenerationEntity, '$2', { organizationId: '$1' });

/** As many as the service writes with one statement. */
const MAXIMUM_BATCH_SIZE = 200;

/** US dollars for a token, as the starter catalog has them for the model that is asked for. */
const PRICES = { prompt: 0.000_005, completion: 0.000_03 };

/** A whole answer of a provider, as far as the limit looks into it. */
interface UpstreamAnswer {
  readonly id: string;
  readonly system_fingerprint?: string;
  readonly choices: readonly { readonly finish_reason: string }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

let upstream: Pool | undefined;

let records: Batcher<GenerationEntity, void> | undefined;

type CallerRow = typeof CALLER_CONTEXT extends Statement<infer Row> ? Row : never;

/** The keys that had limits when they were read last, by their hashes in hexadecimal. */
const limitedKeys = new Set<string>();

/** Like the service, the limit reads limits only of keys that had some. @param hash of the key */
export function callerStatement(hash: Buffer): typeof CALLER_CONTEXT {
  return limitedKeys.has(hash.toString('hex')) ? LIMITED_CALLER_CONTEXT : CALLER_CONTEXT;
}

/**
 * A whole chat completion, of a key whose context was read with its credential: the reservation where a limit applies to it, the provider of UPSTREAM_URL, and the
 * record with its charge, which releases the reservation.
 */
export async function chat({ pool, owner, organizationId, credentialId, userId, body }: LimitRequest): Promise<object> {
  const start = performance.now();
  const { keyHash, workspaceId, isLimited } = owner as CallerRow;
  const id = newGenerationId(Date.now());
  const createdAt = timeOfGeneration(id)!;
  if (isLimited) {
    limitedKeys.add(keyHash);
    const spending = { organizationId, generationId: id, keyId: credentialId, userId, workspaceId, createdAt };
    await admit(pool, { ...spending, body: body as unknown as ChatBody });
  }
  const answer = await ask(body);
  const cost = answer.usage.prompt_tokens * PRICES.prompt + answer.usage.completion_tokens * PRICES.completion;
  const elapsed = performance.now() - start;
  await record(pool, {
    organizationId,
    id,
    createdAt,
    keyId: credentialId,
    userId,
    workspaceId,
    status: 200,
    model: body['model']!,
    provider: 'openai',
    isByok: false,
    costUsd: String(cost),
    promptTokens: answer.usage.prompt_tokens,
    completionTokens: answer.usage.completion_tokens,
    content: null,
    details: {
      requestId: id,
      requestedModel: body['model']!,
      apiType: 'completions',
      streamed: false,
      cancelled: false,
      upstreamId: answer.id,
      latencyMs: elapsed,
      generationMs: elapsed,
      finishReason: answer.choices[0]!.finish_reason,
      nativeFinishReason: answer.choices[0]!.finish_reason,
      dataRegion: 'global',
      attempts: [],
      filters: [],
    },
  });
  return {
    id,
    object: 'chat.completion',
    created: Math.floor(createdAt.getTime() / 1000),
    model: body['model'],
    provider: 'OpenAI',
    system_fingerprint: answer.system_fingerprint ?? null,
    choices: answer.choices,
    usage: { ...answer.usage, cost },
  };
}

/** A stream of the provider, whose bytes are handed on as they come and not looked into. It is not recorded. */
export async function handOnStream(body: object, response: ServerResponse): Promise<void> {
  const { body: bytes } = await send(body);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for await (const piece of bytes) response.write(piece);
  response.end();
}

async function ask(body: object): Promise<UpstreamAnswer> {
  return (await (await send(body)).body.json()) as UpstreamAnswer;
}

function send(body: object): Promise<Dispatcher.ResponseData> {
  const url = new URL(process.env['UPSTREAM_URL']!);
  upstream ??= new Pool(url.origin, { connections: 128 });
  return upstream.request({
    method: 'POST',
    path: `${url.pathname}/chat/completions`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Records that wait are written together, as in the service. */
async function record(pool: PostgresPool, generation: GenerationEntity): Promise<void> {
  records ??= new Batcher(async (organizationId, generations) => {
    await rows(pool, INSERT_GENERATIONS, [organizationId, ROWS.values(generations), generations.map(({ id }) => id)]);
    return generations.map(() => ({ status: 'fulfilled', value: undefined }));
  }, MAXIMUM_BATCH_SIZE);
  await records.run(generation.organizationId, generation);
}
