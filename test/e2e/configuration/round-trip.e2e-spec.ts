import { configurationInterface } from './configuration-interface.js';
import { roundTrips } from './round-trips.js';

describe('exportConfiguration', () => {
  const files = configurationInterface();
  beforeAll(() => files.app.factory.starterCatalog());

  it('exports what changes nothing when it is applied again', () => roundTrips(files, 15));

  it('answers 200 without a provider key that has no name, because no file could call it', async () => {
    const { send, plan } = files;
    const made = { provider: 'openai', key: 'sk-own-0123456789' };
    expect((await send('POST', '/byok', made)).status).toBe(201);
    expect((await send('POST', '/byok', { ...made, name: 'Ours' })).status).toBe(201);
    const { status, body } = await send<{ data: { document: { provider_keys: object[] } } }>(
      'GET',
      '/configuration/export',
    );
    expect([status, body.data.document.provider_keys]).toMatchObject([200, [{ name: 'Ours' }]]);
    expect(body.data.document.provider_keys).toHaveLength(1);
    expect((await plan({ ...body.data.document, owner: 'platform' }, { adopt: true })).status).toBe(200);
  });
});
