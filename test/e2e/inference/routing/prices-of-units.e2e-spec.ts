import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { imageEndpoint, importCatalog, modelEntry } from '../../../support/resources/catalog-entries.js';
import { wavFile } from '../../../support/resources/recordings.js';
import { PIXEL } from '../images/image-gateway.js';
import { sharedGateway } from '../shared-gateway.js';
import { endpoint } from '../test-gateway.js';

const AUDIO = Buffer.from('ID3 the audio of a text');

/** The price of a unit at Alpha that is below, and one that is above, what the tokens of the request below cost at Beta. */
interface Operation {
  readonly path: string;
  readonly output: string;
  readonly unit: string;
  readonly low: string;
  readonly high: string;
  readonly perToken: object;
  readonly fields: object;
  /** The field of `max_price` that bounds it. */
  readonly bound: string;
  readonly answer: object | undefined;
}

const OPERATIONS: readonly Operation[] = [
  {
    // About 20 tokens.
    path: '/rerank',
    output: 'rerank',
    unit: 'request',
    low: '0.00001',
    high: '0.002',
    perToken: { prompt: '0.00001', completion: '0' },
    fields: { query: 'How do I return a parcel?', documents: ['Parcels can be returned within 30 days.'] },
    bound: 'request',
    answer: { results: [{ index: 0, relevance_score: 0.9 }] },
  },
  {
    // 125 tokens of audio.
    path: '/audio/speech',
    output: 'speech',
    unit: 'character',
    low: '0.00001',
    high: '0.00002',
    perToken: { prompt: '0', completion: '0', audio_output: '0.00001' },
    fields: { input: 'a'.repeat(100), voice: 'alloy' },
    bound: 'audio',
    answer: undefined,
  },
  {
    // 20 tokens of audio.
    path: '/audio/transcriptions',
    output: 'transcription',
    unit: 'second',
    low: '0.00005',
    high: '0.0002',
    perToken: { prompt: '0', completion: '0', audio: '0.00001' },
    fields: { input_audio: { data: wavFile(2).toString('base64'), format: 'wav' } },
    bound: 'audio',
    answer: { text: 'Parcels can be returned.' },
  },
];

/** Its prices are lines of an image model. */
const IMAGES: Operation = {
  path: '/images',
  output: 'image',
  unit: 'image',
  low: '',
  high: '',
  perToken: {},
  fields: { prompt: 'A bicycle' },
  bound: 'image',
  answer: { created: 1, data: [{ b64_json: PIXEL }] },
};

describe('The prices by which endpoints are compared', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(async () => {
    const offers = OPERATIONS.flatMap(({ output, unit, low, high, perToken }) =>
      Object.entries({ low, high }).map(([word, price]) => ({
        id: `acme/${output}-${word}`,
        architecture: { modality: `text->${output}`, input_modalities: ['text', 'audio'], output_modalities: [output] },
        endpoints: [
          endpoint('alpha', { pricing: { prompt: '0', completion: '0', [unit]: price } }),
          endpoint('beta', { pricing: perToken }),
        ],
      })),
    );
    await importCatalog(gateway.app, {
      models: offers.map(({ id, architecture }) => modelEntry(id, { architecture })),
      endpoints: offers.map(({ id, endpoints }) => ({ id, endpoints })),
      // 2,048 tokens of an image cost 0.08192.
      image_models: Object.entries({ low: 0.04, high: 0.2 }).map(([word, price]) => ({
        id: `acme/image-${word}`,
        name: 'Painter',
        description: 'It draws.',
        created: 1767312000,
        architecture: { input_modalities: ['text'], output_modalities: ['image'] },
        endpoints: [
          { ...imageEndpoint('alpha', {}), pricing: [{ billable: 'output_image', unit: 'image', cost_usd: price }] },
          { ...imageEndpoint('beta', {}), pricing: [{ billable: 'output_image', unit: 'token', cost_usd: 0.00004 }] },
        ],
      })),
    });
  });

  const ask = (
    { path, output, fields, answer }: Operation,
    word: string,
    provider: object,
  ): Promise<Answer<ErrorBody>> => {
    for (const asked of [gateway.alpha, gateway.beta]) {
      if (answer !== undefined) asked.answerJson(answer);
      else asked.answerWith((response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(AUDIO));
    }
    const json = { model: `acme/${output}-${word}`, ...fields, provider };
    return gateway.app.api.post<ErrorBody>(path, { key: key.plaintext, json });
  };
  /** How often each was asked by the last request. */
  const askedCounts = (): number[] => [gateway.alpha.received.length, gateway.beta.received.length];

  it.each([...OPERATIONS, IMAGES])(
    'are those of what $path uses, whatever the unit: a 200 of the cheaper one',
    async (operation) => {
      expect((await ask(operation, 'low', { sort: 'price' })).status).toBe(200);
      expect(askedCounts()).toEqual([1, 0]);
      expect((await ask(operation, 'high', { sort: 'price' })).status).toBe(200);
      expect(askedCounts()).toEqual([0, 1]);
    },
  );

  it.each([...OPERATIONS, IMAGES])(
    'are within max_price of $bound for $path: a 200, and else a 404',
    async (operation) => {
      const bound = { request: 0.001, audio: operation.unit === 'second' ? 0.0001 : 0.000015, image: 0.1 }[
        operation.bound
      ];
      const provider = { only: ['alpha'], max_price: { [operation.bound]: bound } };
      expect((await ask(operation, 'low', provider)).status).toBe(200);
      expect(await ask(operation, 'high', provider)).toMatchObject({
        status: 404,
        body: { error: { availability: { excluded_by: ['allowed_providers', 'max_price'] } } },
      });
      expect(askedCounts()).toEqual([0, 0]);
    },
  );

  it('follow the amounts: a 200 of another endpoint where the documents are longer', async () => {
    const [rerank] = OPERATIONS;
    const documents = ['word '.repeat(1_000)];
    expect((await ask({ ...rerank!, fields: { query: 'Parcels', documents } }, 'high', { sort: 'price' })).status).toBe(
      200,
    );
    expect(askedCounts()).toEqual([1, 0]);
  });
});
