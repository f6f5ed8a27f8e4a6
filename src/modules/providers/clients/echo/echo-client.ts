import { UNCOUNTED_MEMORY } from '../../../../http/input/inference-memory.js';
import { LongWork } from '../../../../concurrency/long-work.js';
import { type LoopTurns } from '../../../../concurrency/loop-turns.js';
import type {
  ChatChunk,
  ChatChunkChoice,
  ChatCompletion,
  ChatDelta,
  ChatRequest,
  DrawnImages,
  EmbeddingList,
  EmbeddingRequest,
  ImagePart,
  ImageRequest,
  RankedDocuments,
  RerankRequest,
  SpeechRequest,
  SpokenAudio,
  Transcription,
  TranscriptionRequest,
  Upstream,
} from '../../../codecs/index.js';
import type { Asker, ProviderClient } from '../provider-client.js';
import { echoEmbeddings } from './echo-embeddings.js';
import { echoImages } from './echo-images.js';
import { echoRanking } from './echo-rerank.js';
import { echoSpeech } from './echo-speech.js';
import { echoTranscription } from './echo-transcription.js';
import { echoOf, wordsOf } from './echo.js';

/**
 * The builtin provider: it answers with the last user message as it received it, so that what the gateway did to a request can
 * be seen without an account (docs/providers.md#echo).
 */
export class EchoClient implements ProviderClient {
  constructor(private readonly turns: LoopTurns) {}

  async complete(
    _upstream: Upstream,
    request: ChatRequest,
    { signal, memory = UNCOUNTED_MEMORY }: Asker,
  ): Promise<ChatCompletion> {
    signal.throwIfAborted();
    const { answer, toolCall, finish, usage } = echoOf(request);
    // The text, and as much again when it is written.
    const bytes = Buffer.byteLength(answer);
    memory.reserve(2 * bytes);
    await memory.hold(bytes);
    const message = toolCall === null ? { content: answer } : { content: null, tool_calls: [toolCall] };
    return {
      upstreamId: null,
      choices: [{ index: 0, message: { role: 'assistant', ...message }, ...finish }],
      usage,
      systemFingerprint: null,
      serviceTier: null,
    };
  }

  async *stream(
    _upstream: Upstream,
    request: ChatRequest,
    { signal, sent, memory = UNCOUNTED_MEMORY }: Asker,
  ): AsyncGenerator<ChatChunk, void, undefined> {
    sent?.();
    const { answer, toolCall, finish, usage } = echoOf(request);
    memory.reserve(Buffer.byteLength(answer));
    if (toolCall !== null) yield chunkOf({ role: 'assistant', tool_calls: [{ index: 0, ...toolCall }] });
    for (const word of wordsOf(answer)) {
      signal.throwIfAborted();
      yield chunkOf({ role: 'assistant', content: word });
      // As from a network, so that a long echo does not hold up others.
      await new Promise(setImmediate);
    }
    yield { choices: [{ index: 0, delta: {}, ...finish }], usage };
  }

  streamBody(_upstream: Upstream, request: ChatRequest): object {
    return request;
  }

  async embed(
    _upstream: Upstream,
    request: EmbeddingRequest,
    { organizationId, signal, memory = UNCOUNTED_MEMORY }: Asker,
  ): Promise<EmbeddingList> {
    signal.throwIfAborted();
    return echoEmbeddings(request, new LongWork(this.turns, organizationId, signal), memory);
  }

  async rerank(
    _upstream: Upstream,
    request: RerankRequest,
    { organizationId, signal }: Asker,
  ): Promise<RankedDocuments> {
    signal.throwIfAborted();
    return echoRanking(request, new LongWork(this.turns, organizationId, signal));
  }

  async speak(_upstream: Upstream, request: SpeechRequest, { signal, sent }: Asker): Promise<SpokenAudio> {
    signal.throwIfAborted();
    sent?.();
    return Promise.resolve(echoSpeech(request));
  }

  async transcribe(_upstream: Upstream, request: TranscriptionRequest, { signal }: Asker): Promise<Transcription> {
    signal.throwIfAborted();
    return Promise.resolve(echoTranscription(request));
  }

  async draw(
    _upstream: Upstream,
    request: ImageRequest,
    { organizationId, signal, sent }: Asker,
  ): Promise<DrawnImages> {
    signal.throwIfAborted();
    sent?.();
    return echoImages(request, new LongWork(this.turns, organizationId, signal));
  }

  async *drawInParts(
    upstream: Upstream,
    request: ImageRequest,
    asker: Asker,
  ): AsyncGenerator<ImagePart, void, undefined> {
    const { images, usage } = await this.draw(upstream, request, asker);
    for (let index = 0; index < (request.partial_images ?? 0); index++) {
      yield { kind: 'partial', index, data: images[0]! };
    }
    for (const [place, data] of images.entries()) {
      asker.signal.throwIfAborted();
      yield { kind: 'completed', data, usage: place === images.length - 1 ? usage : null };
    }
  }
}

function chunkOf(delta: ChatDelta): ChatChunk {
  const choice: ChatChunkChoice = { index: 0, delta, finish_reason: null, native_finish_reason: null };
  return { choices: [choice] };
}
