import { DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import { DESTINATION_SAMPLES } from '../../support/resources/destination-samples.js';
import { asks, ends, type Exchange, type Life, removes, TEXT, TIME } from './exchange.js';

/** What every creation of the provider sends. */
const ALWAYS = {
  enabled: false,
  privacy_mode: false,
  sampling_rate: 1,
  broadcast_generation_cost: true,
  broadcast_generation_identity: true,
  broadcast_generation_request_context: true,
};

const PATH = '/observability/destinations';

function created(type: string, config: object): Exchange {
  return asks(`creates one of the type ${type}`, `POST ${PATH}`, 201, {
    json: { name: 'of a plan', type, config, ...ALWAYS },
    has: {
      'data.id': TEXT,
      'data.type': type,
      'data.enabled': false,
      'data.api_key_hashes': null,
      'data.sampling_rate': 1,
      'data.workspace_id': '{defaultWorkspace}',
      'data.created_at': TIME,
      'data.updated_at': TIME,
    },
    saves: { id: 'data.id' },
  });
}

const RULES = {
  enabled: true,
  groups: [
    {
      logic: 'or',
      rules: [
        { field: 'model', operator: 'equals', value: 'openai/gpt-4o' },
        { field: 'total_cost', operator: 'gt', value: 0.5 },
        { field: 'session_id', operator: 'exists' },
      ],
    },
  ],
};

const CHANGED: Life = [
  asks('changes it', `PATCH ${PATH}/{id}`, 200, {
    json: {
      name: 'changed',
      config: { url: 'https://hooks.example.com/changed', method: 'PUT', headers: { 'X-A': 'b' } },
      ...ALWAYS,
      enabled: true,
      sampling_rate: 0.25,
      privacy_mode: true,
      broadcast_generation_cost: false,
      api_key_hashes: ['{keyHash}'],
      filter_rules: RULES,
    },
    has: {
      'data.name': 'changed',
      'data.config.method': 'PUT',
      'data.enabled': true,
      'data.sampling_rate': 0.25,
      'data.privacy_mode': true,
      'data.broadcast_generation_cost': false,
      'data.api_key_hashes': ['{keyHash}'],
      'data.filter_rules.groups.0.rules.1.value': 0.5,
    },
  }),
  // The resource does not read it back. A path may be a credential, so the data source gets a mask (docs/how-to/terraform.md).
  asks('reads it with a mask for the path', `GET ${PATH}/{id}`, 200, {
    has: {
      'data.name': 'changed',
      'data.filter_rules.enabled': true,
      'data.config.url': 'https://hooks.example.com/****',
    },
  }),
  ...ends(`${PATH}/{id}`),
];

/** One destination of each type; the last one is changed, too. */
export const LIVES_OF_DESTINATIONS = {
  observability_destination: [
    ...DESTINATION_TYPES.filter((type) => type !== 'webhook').flatMap((type) => [
      created(type, DESTINATION_SAMPLES[type].config),
      removes(`${PATH}/{id}`),
    ]),
    created('webhook', { url: 'https://hooks.example.com/first', method: 'POST' }),
    ...CHANGED,
  ],
} satisfies Readonly<Record<string, Life>>;
