import { UNCOUNTED_MEMORY } from '../../../../http/input/request-memory.js';
import { LongWork } from '../../../../concurrency/long-work.js';
import { type LoopTurns } from '../../../../concurrency/loop-turns.js';
import type { OperationName } from '../../../../telemetry/operations.js';
import type {
  ChatChunk,
  ChatChunkChoice,
  ChatCompletion,
  ChatDelta,
  ChatRequest,
} from '../../../codecs/chat/chat-completion.js';
import type { ImagePart, ImageRequest } from '../../../codecs/chat/images.js';
import type { PartOf, RequestOf, WholeOf } from '../../../codecs/provider-operations.js';
import type { SpokenAudio } from '../../../codecs/chat/speech.js';
import type { Upstream } from '../../../codecs/upstream-codec.js';
import type { AnswerKind, Asker, ProviderClient } from '../provider-client.js';
import { echoEmbeddings } from './echo-embeddings.js';
import { type EchoedImages, echoImages } from './echo-images.js';
import { echoRanking } from './echo-rerank.js';
import { echoSpeech } from './echo-speech.js';
import { BYTES_PER_TOKEN, echoOf, wordsOf } from './echo.js';
import { recordingLength } from '../../../codecs/audio/recording-length.js';
import type { Transcription, TranscriptionRequest } from '../../../codecs/chat/transcription.js';

type WholeAnswers = {
  readonly [Name in OperationName]?: (request: RequestOf<Name>, asker: Asker) => WholeOf<Name> | Promise<WholeOf<Name>>;
};

type Streams = {
  readonly [Name in OperationName]?: (request: RequestOf<Name>, asker: Asker) => AsyncIterable<PartOf<Name>, void>;
};

type ByteAnswers = { readonly [Name in OperationName]?: (request: RequestOf<Name>) => SpokenAudio };

/**
 * The builtin provider: it answers with the last user message as it received it, so that what the gateway did to a request can
 * be seen without an account (docs/providers.md#echo).
 */
export class EchoClient implements ProviderClient {
  private readonly answers: WholeAnswers = {
    chat: completionOf,
    embeddings: (request, asker) => echoEmbeddings(request, this.workFor(asker), asker.memory ?? UNCOUNTED_MEMORY),
    rerank: (request, asker) => echoRanking(request, this.workFor(asker)),
    transcription: echoTranscription,
    image: (request, asker) => this.draw(request, asker),
    moderation: moderationsOf,
  };

  private readonly streams: Streams = { chat: chunksOf, image: (request, asker) => this.drawInParts(request, asker) };

  private readonly byteAnswers: ByteAnswers = { speech: echoSpeech };

  constructor(private readonly turns: LoopTurns) {}

  has(operation: OperationName, kind?: AnswerKind): boolean {
    return kind !== 'stream' || this.streams[operation] !== undefined;
  }

  async whole<Name extends OperationName>(
    operation: Name,
    _upstream: Upstream,
    request: RequestOf<Name>,
    asker: Asker,
  ): Promise<WholeOf<Name>> {
    asker.signal.throwIfAborted();
    const answer: WholeAnswers[Name] = this.answers[operation];
    return answer!(request, asker);
  }

  stream<Name extends OperationName>(
    operation: Name,
    _upstream: Upstream,
    request: RequestOf<Name>,
    asker: Asker,
  ): AsyncIterable<PartOf<Name>, void> {
    const stream: Streams[Name] = this.streams[operation];
    return stream!(request, asker);
  }

  async bytes<Name extends OperationName>(
    operation: Name,
    _upstream: Upstream,
    request: RequestOf<Name>,
    { signal, sent }: Asker,
  ): Promise<SpokenAudio> {
    signal.throwIfAborted();
    sent?.();
    const answer: ByteAnswers[Name] = this.byteAnswers[operation];
    return Promise.resolve(answer!(request));
  }

  streamBody(_upstream: Upstream, request: ChatRequest): object {
    return request;
  }

  private draw(request: ImageRequest, asker: Asker): Promise<EchoedImages> {
    asker.sent?.();
    return echoImages(request, this.workFor(asker));
  }

  private async *drawInParts(request: ImageRequest, asker: Asker): AsyncGenerator<ImagePart, void, undefined> {
    asker.signal.throwIfAborted();
    const { images, usage } = await this.draw(request, asker);
    for (let index = 0; index < (request.partial_images ?? 0); index++) {
      yield { kind: 'partial', index, data: images[0]!.data };
    }
    for (const [place, { data }] of images.entries()) {
      asker.signal.throwIfAborted();
      yield { kind: 'completed', data, usage: place === images.length - 1 ? usage : null };
    }
  }

  private workFor({ organizationId, signal }: Asker): LongWork {
    return new LongWork(this.turns, organizationId, signal);
  }
}

/** The categories that the builtin provider knows: an input is in those whose names it has. */
const CATEGORIES = ['harassment', 'hate', 'self-harm', 'sexual', 'violence'];

function moderationsOf({ input }: RequestOf<'moderation'>): WholeOf<'moderation'> {
  const isList = Array.isArray(input) && typeof input[0] === 'string';
  const inputs = (isList ? input : [input]).map((one) => JSON.stringify(one).toLowerCase());
  const bytes = inputs.reduce((sum, one) => sum + Buffer.byteLength(one), 0);
  return {
    upstreamId: null,
    promptTokens: Math.ceil(bytes / BYTES_PER_TOKEN),
    results: inputs.map((one) => {
      const categories = Object.fromEntries(CATEGORIES.map((name) => [name, one.includes(name)]));
      const scores = CATEGORIES.map((name) => [name, Number(one.includes(name))] as const);
      return {
        flagged: CATEGORIES.some((name) => one.includes(name)),
        categories,
        category_scores: Object.fromEntries(scores),
        category_applied_input_types: Object.fromEntries(CATEGORIES.map((name) => [name, ['text']])),
      };
    }),
  };
}

async function completionOf(request: ChatRequest, { memory = UNCOUNTED_MEMORY }: Asker): Promise<ChatCompletion> {
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

async function* chunksOf(
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

function chunkOf(delta: ChatDelta): ChatChunk {
  const choice: ChatChunkChoice = { index: 0, delta, finish_reason: null, native_finish_reason: null };
  return { choices: [choice] };
}

/** The text that the builtin provider finds in each recording: how large and how long it is (docs/providers.md#echo). */
function echoTranscription({ file }: TranscriptionRequest): Transcription {
  const seconds = Math.round(recordingLength(file).likely * 1000) / 1000;
  const text = `A recording of ${file.size} bytes, about ${seconds} seconds long.`;
  const segment = { id: 0, seek: 0, start: 0, end: seconds, text };
  return {
    upstreamId: null,
    text,
    details: { task: 'transcribe', language: 'english', duration: seconds, segments: [segment], words: [] },
    seconds,
    usage: null,
  };
}
