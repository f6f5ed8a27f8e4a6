import 'reflect-metadata';
import {
  CHAT_ENCODER,
  codecAt,
  completionsEncoder,
  KNOWN_MODEL,
  MESSAGES_ENCODER,
  parsed,
  ProviderError,
  providerErrorOf,
  responsesEncoder,
} from '../../dist/src/modules/codecs/index.js';
import { BoundedImages } from '../../dist/src/modules/inference/pipeline/answer/bounded-images.js';
import { DeliveredAnswer } from '../../dist/src/modules/inference/pipeline/answer/delivered-answer.js';
import { keptOutputOf } from '../../dist/src/modules/inference/pipeline/answer/kept-output.js';
import {
  chunkWithoutReasoning,
  withoutReasoning,
} from '../../dist/src/modules/inference/pipeline/answer/shown-reasoning.js';
import { StreamTally } from '../../dist/src/modules/inference/pipeline/answer/stream-tally.js';
import { AnsweredCalls, withOwnCalls } from '../../dist/src/modules/inference/pipeline/attempts/named-calls.js';
import { AnswerRecording } from '../../dist/src/modules/inference/pipeline/cache/answer-recording.js';

const UPSTREAM = { provider: 'acme', baseUrl: 'https://acme.example', apiKey: 'key-0123456789abcdef', timeouts: {} };

const REQUEST = { model: 'up', messages: [{ role: 'user', content: 'Ask' }], include: ['reasoning.encrypted_content'] };

const ORIGIN = {
  id: 'gen-1-abc',
  created: 1,
  model: 'acme/writer',
  provider: 'Acme',
  body: REQUEST,
  routing: () => ({}),
};

const USAGE = {
  prompt_tokens: 1,
  completion_tokens: 1,
  total_tokens: 2,
  cost: 0,
  is_byok: false,
  cost_details: {
    upstream_inference_cost: null,
    upstream_inference_prompt_cost: 0,
    upstream_inference_completions_cost: 0,
  },
};

/** What clients of each form get. */
const ENCODERS = {
  chat: () => CHAT_ENCODER,
  messages: () => MESSAGES_ENCODER,
  responses: () => responsesEncoder({ input: 'Ask', include: REQUEST.include }),
  completions: () => completionsEncoder({ prompt: 'Ask' }),
};

/** The names of tools are the client's own, and so are the ids, but for one of an earlier answer. */
function ownCalls() {
  const earlier = { role: 'assistant', tool_calls: [{ id: 'call_0' }] };
  return new AnsweredCalls({ areUnchanged: false, ownOf: (name) => name }, [earlier]);
}

/** Reads a whole answer, and writes it for a client: all that is done with its entries. */
export function whole(dialect, form, document) {
  const answer = withOwnCalls(codecAt(dialect).operations.chat.decode([document], REQUEST, UPSTREAM, []), ownCalls());
  const delivered = new DeliveredAnswer(undefined);
  for (const { message } of answer.choices) delivered.add(message);
  const recording = new AnswerRecording(Infinity);
  recording.completion(answer);
  keptOutputOf(withoutReasoning(answer.choices));
  const written = ENCODERS[form]().whole(ORIGIN, answer, USAGE);
  return { read: String(recording.text).length, written: JSON.stringify(written).length };
}

/** Does the same with the text of an answer. @returns undefined for one that is not parsed */
export function wholeOfText(dialect, form, text) {
  const document = parsed(text);
  return document === undefined ? undefined : whole(dialect, form, document);
}

/** Reads the events of a stream, and writes them for a client, with all that is asked between two of them. */
export function streamed(dialect, form, events) {
  const decoder = codecAt(dialect).operations.chat.streamDecoder(REQUEST, UPSTREAM);
  const encoder = ENCODERS[form]().stream(ORIGIN);
  const tally = new StreamTally(undefined, true, new BoundedImages(Infinity));
  const recording = new AnswerRecording(Infinity);
  const calls = ownCalls();
  const asked = { parts: 0, kept: 0 };
  let written = 0;
  const write = (sent) => {
    for (const { data } of sent) written += typeof data === 'string' ? data.length : JSON.stringify(data).length;
  };
  try {
    for (const [event, document] of events) {
      const given = { event, data: typeof document === 'string' ? document : JSON.stringify(document) };
      const chunk = decoder.read(given);
      // As the reader of a body and the answer ask, whatever the event is.
      if (decoder.isLast(given) || decoder.hasFinished()) asked.parts += 1;
      asked.kept = Math.max(asked.kept, decoder.keptBytes ?? 0);
      if (chunk === undefined) continue;
      if (decoder.hasAnswerPart(chunk)) asked.parts += 1;
      const own = { ...chunk, choices: chunk.choices.map((choice) => ({ ...choice, delta: calls.of(choice.delta) })) };
      tally.add(own);
      recording.chunk(own);
      chunkWithoutReasoning(own);
      tally.deliver(own.choices);
      write(encoder.chunk(own));
      asked.kept = Math.max(asked.kept, (encoder.keptBytes ?? 0) + tally.keptBytes);
    }
    decoder.ended();
    write(encoder.end(USAGE, null));
  } catch (error) {
    // Another error is a fault of the service.
    if (!(error instanceof ProviderError)) throw error;
    write(encoder.failure(error));
  }
  return { read: String(recording.text).length, kept: asked.kept, written, output: tally.outcome.output };
}

/** Reads the error that a document is. */
export function failure(document) {
  return providerErrorOf(document, UPSTREAM, { status: 400 })?.message.length;
}

/** Reads the vectors for as many inputs. */
export function embeddings(dialect, form, document, inputs, known) {
  const request = { model: 'up', input: Array.from({ length: inputs }, () => 'Ask'), [KNOWN_MODEL]: known };
  return codecAt(dialect, form).operations.embeddings.decode([document], request, UPSTREAM, [{}]).data.length;
}

/** Reads the ranking of as many documents. */
export function rerank(document, documents) {
  const request = { model: 'up', query: 'Ask', documents: Array.from({ length: documents }, () => 'Text') };
  return codecAt('openai').operations.rerank.decode([document], request, UPSTREAM, []).results.length;
}

/** Reads images. */
export function images(dialect, document) {
  return codecAt(dialect).operations.image.decode([document], {}, UPSTREAM, []).images.length;
}

/** Reads what was written down of a recording. */
export function transcription(document) {
  return Object.keys(codecAt('openai').operations.transcription.decode([document], {}, UPSTREAM, []).details).length;
}
