import { credentialNameOf } from '../connections/connection-presets.js';
import { type ConnectionTest, problemOfTest } from '../connections/connection-test.js';
import type { ShownConnection } from '../connections/shown-connection.js';
import { timeoutFieldsOf } from '../connections/provider-connection.js';
import type { MadeConnection } from '../connections/made-connection.js';
import type { ConnectedProvider, ProviderConnection, ProviderConnectionTest } from './operator-connections.dto.js';

/** A connection as the interface shows it. */
export function toProviderConnection(shown: ShownConnection): ProviderConnection {
  const { provider, protocol, baseUrl, preset, credential, apiKey, sources, isUsable, models, timeouts, capabilities } =
    shown;
  return {
    provider,
    protocol,
    base_url: baseUrl,
    preset,
    credential: credential === undefined ? null : credentialNameOf(credential),
    api_key: apiKey,
    sources,
    usable: isUsable,
    models: [...models].map(([model, name]) => ({ model, upstream_model_id: name })),
    timeouts: timeoutFieldsOf(timeouts),
    capabilities,
  };
}

/** What making a connection has done, as the interface shows it. */
export function toMadeConnection({
  isNewProvider,
  servedModels,
  unnamedModels,
  addedEndpoints,
}: MadeConnection): Omit<ConnectedProvider, keyof ProviderConnection | 'test'> {
  return {
    provider_added: isNewProvider,
    served_models: [...servedModels],
    endpoints_added: addedEndpoints.map(({ model }) => model),
    added_prices: addedEndpoints.map(({ model, pricing: { prompt, completion } }) => ({ model, prompt, completion })),
    unnamed_models: [...unnamedModels],
  };
}

/** What came of a test of a provider that is connected. */
type TestOfConnected = Exclude<ConnectionTest, { readonly outcome: 'not_connected' }>;

/** What came of a test as the interface shows it. */
export function toProviderConnectionTest(provider: string, test: TestOfConnected): ProviderConnectionTest {
  const problem = problemOfTest(provider, test) ?? null;
  const isAnswer = test.outcome === 'answered';
  return {
    outcome: test.outcome,
    accepted: problem === null,
    url: 'url' in test ? test.url : null,
    status: isAnswer ? test.status : null,
    duration_ms: isAnswer ? test.durationMs : null,
    problem,
  };
}
