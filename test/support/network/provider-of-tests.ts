import type { UpstreamClient } from '../../../src/modules/providers/upstream/upstream-client.js';
import { ProviderServer } from './provider-server.js';

/**
 * Starts a provider before the tests of a describe, and stops it behind them, when their client has ended its connections.
 *
 * @param use is given the provider
 */
export function provideFor(client: UpstreamClient, use: (provider: ProviderServer) => void): void {
  let provider: ProviderServer;

  beforeAll(async () => {
    provider = await ProviderServer.start();
    use(provider);
  });

  afterAll(async () => {
    await client.onApplicationShutdown();
    await provider.stop();
  });
}
