import { ConnectionsService } from '../../../../src/modules/providers/connections/connections.service.js';
import { imageEndpoint, importCatalog } from '../../../support/resources/catalog-entries.js';
import { ProviderServer } from '../../../support/network/provider-server.js';
import { sharedGateway } from '../shared-gateway.js';
import type { TestGateway } from '../test-gateway.js';

/** A PNG of one pixel. */
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** The head of a PNG of this size, which is all of it that is looked at. */
export function pngOf(width: number, height: number): string {
  const bytes = Buffer.from(PIXEL, 'base64');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('base64');
}

const PAINTS = { input_modalities: ['text', 'image'], output_modalities: ['image'] };

/** What the models of these tests charge. */
const TIERED = [
  { billable: 'output_image', unit: 'image', cost_usd: 0.02, variant: '1K' },
  { billable: 'output_image', unit: 'image', cost_usd: 0.08, variant: '4K' },
  { billable: 'input_reference', unit: 'image', cost_usd: 0.005 },
];
const BY_MEGAPIXEL = [
  { billable: 'output_image', unit: 'megapixel', cost_usd: 0.03, variant: 'first_megapixel' },
  { billable: 'output_image', unit: 'megapixel', cost_usd: 0.01, variant: 'additional_megapixel' },
];
const BY_TOKEN = [
  { billable: 'output_image', unit: 'token', cost_usd: 0.00004 },
  { billable: 'input_image', unit: 'token', cost_usd: 0.00001 },
  { billable: 'input_text', unit: 'token', cost_usd: 0.000005 },
];

/**
 * A gateway whose catalog has image models: `acme/painter` (Alpha and Beta), `acme/pixels` (by megapixel), `acme/tokens` (by token, with
 * streams), `acme/unpriced`, `acme/google` (the dialect of Gemini) and `gatehouse/echo-image`.
 */
export function imageGateway(): { readonly gateway: TestGateway; readonly google: () => ProviderServer } {
  const gateway = sharedGateway({ variables: { ALLOW_PRIVATE_IMAGE_ADDRESSES: 'true' } });
  let google: ProviderServer;
  beforeAll(async () => {
    google = await ProviderServer.start();
    const offer = (provider: string, pricing: readonly object[], fields: object = {}): object => ({
      ...imageEndpoint(provider, {}),
      pricing,
      ...fields,
    });
    const models = {
      'acme/gpt-image-1': [offer('alpha', TIERED)],
      'acme/painter': [
        offer('alpha', TIERED, {
          supported_parameters: {
            resolution: { type: 'enum', values: ['1K', '4K'] },
            quality: { type: 'enum', values: ['low', 'high'] },
            n: { type: 'range', min: 1, max: 4 },
            input_references: { type: 'range', min: 0, max: 4 },
          },
        }),
        offer('beta', TIERED),
      ],
      'acme/pixels': [offer('alpha', BY_MEGAPIXEL)],
      'acme/tokens': [offer('alpha', BY_TOKEN, { supports_streaming: true })],
      'acme/unpriced': [offer('alpha', [])],
      'acme/google': [offer('google', TIERED)],
      'gatehouse/echo-image': [
        offer('gatehouse', [{ billable: 'output_image', unit: 'image', cost_usd: 0 }], { supports_streaming: true }),
      ],
    };
    await importCatalog(gateway.app, {
      providers: [{ slug: 'google', name: 'Google' }],
      image_models: Object.entries(models).map(([id, endpoints]) => ({
        id,
        name: id,
        description: 'It draws.',
        created: 1767312000,
        architecture: PAINTS,
        endpoints,
      })),
    });
    await gateway.app.application.get(ConnectionsService).connect({
      provider: 'google',
      protocol: 'gemini',
      baseUrl: google.baseUrl,
      apiKey: 'google-key-0123456789',
      models: {},
      timeouts: {},
    });
  });
  afterAll(() => google.stop());
  return { gateway, google: () => google };
}
