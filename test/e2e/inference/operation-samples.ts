import { wavFile } from '../../support/resources/recordings.js';
import { PIXEL } from './images/image-gateway.js';
import { completion, embeddings } from './provider-answers.js';

interface Architecture {
  readonly modality: string;
  readonly input_modalities: readonly string[];
  readonly output_modalities: readonly string[];
}

/** What tests that ask every operation of inference know of one, beside its row in `test/operations`. */
interface OperationSample {
  /** A model, whose endpoints Alpha and Beta have. */
  readonly model: string;
  /** Of the model; absent where the gateway of tests has it anyway. */
  readonly architecture?: Architecture;
  /** A request with a text, besides the model. */
  readonly request: (text: string) => object;
  /** Where the text stands. */
  readonly place: string;
  /** What a provider answers; absent for one that answers with bytes. */
  readonly answer?: object;
  /** The model of the builtin provider with a price: each has its own unit, so that no two requests cost the same by chance. */
  readonly builtin?: { readonly id: string; readonly architecture: Architecture; readonly pricing: object };
}

/** What a model takes and gives. */
export function architectureOf(input: string, output: string): Architecture {
  return { modality: `${input}->${output}`, input_modalities: [input], output_modalities: [output] };
}

const RECORDING = { data: wavFile(1).toString('base64'), format: 'wav' };

/** An image of one pixel as an address. */
export const PICTURE = `data:image/png;base64,${PIXEL}`;

const FREE = { prompt: '0', completion: '0' };

const IMAGE: OperationSample = {
  model: 'acme/painter',
  request: (prompt) => ({ prompt }),
  place: 'prompt',
  answer: { created: 1, data: [{ b64_json: PIXEL }] },
};

const VECTORS = architectureOf('text', 'embeddings');
const RANKING = architectureOf('text', 'rerank');
const SPEECH = architectureOf('text', 'speech');
const TRANSCRIPTION = architectureOf('audio', 'transcription');
const MODERATION = architectureOf('text', 'moderation');

/** The operations whose requests guardrails are evaluated for, by their paths. */
export const OPERATION_SAMPLES: Readonly<Record<string, OperationSample>> = {
  'chat/completions': {
    model: 'acme/writer',
    request: (content) => ({ messages: [{ role: 'user', content }] }),
    place: 'messages[0].content',
    answer: completion('All is well.'),
    builtin: {
      id: 'gatehouse/echo',
      architecture: architectureOf('text', 'text'),
      pricing: { prompt: '0.000000011', completion: '0.000000123' },
    },
  },
  embeddings: {
    model: 'acme/embedder',
    request: (text) => ({ input: ['A text', text] }),
    place: 'input[1]',
    answer: embeddings([[1], [2]]),
    builtin: { id: 'gatehouse/echo-embedding', architecture: VECTORS, pricing: { ...FREE, prompt: '0.00000017' } },
  },
  rerank: {
    model: 'acme/ranker',
    architecture: RANKING,
    request: (query) => ({ query, documents: ['A text'] }),
    place: 'query',
    answer: { id: 'r', results: [{ index: 0, relevance_score: 0.5 }] },
    builtin: { id: 'gatehouse/echo-rerank', architecture: RANKING, pricing: { ...FREE, request: '0.00201' } },
  },
  'audio/speech': {
    model: 'acme/speaker',
    architecture: SPEECH,
    request: (input) => ({ input, voice: 'alloy' }),
    place: 'input',
    builtin: { id: 'gatehouse/echo-speech', architecture: SPEECH, pricing: { ...FREE, character: '0.000019' } },
  },
  'audio/transcriptions': {
    model: 'acme/scribe',
    architecture: TRANSCRIPTION,
    request: (prompt) => ({ input_audio: RECORDING, prompt }),
    place: 'prompt',
    answer: { text: 'A text', usage: { type: 'duration', seconds: 1 } },
    builtin: {
      id: 'gatehouse/echo-transcription',
      architecture: TRANSCRIPTION,
      pricing: { ...FREE, second: '0.0013' },
    },
  },
  moderations: {
    model: 'acme/judge',
    architecture: MODERATION,
    request: (text) => ({ input: ['A text', text] }),
    place: 'input[1]',
    answer: { id: 'm', results: [{ categories: { hate: false } }, { categories: { hate: false } }] },
    builtin: { id: 'gatehouse/echo-moderation', architecture: MODERATION, pricing: FREE },
  },
  images: IMAGE,
  'images/generations': IMAGE,
  'images/edits': {
    ...IMAGE,
    request: (prompt) => ({ prompt, images: [{ image_url: PICTURE }] }),
  },
};
