import { ConnectionsService } from '../../../src/modules/providers/connections/connections.service.js';
import type { MadeConnection } from '../../../src/modules/providers/connections/made-connection.js';
import { InvalidConnection } from '../../../src/modules/providers/connections/connection-request.js';
import type { ProviderConnection } from '../../../src/modules/providers/connections/provider-connection.js';
import { ProviderConnections } from '../../../src/modules/providers/connections/provider-connections.js';
import { ConnectionKeys } from '../../../src/modules/providers/connections/connection-keys.js';
import { storedText } from '../../support/database/stored-text.js';
import { sharedApplication, sharedReplica } from '../../support/application/shared-application.js';

const REQUEST = { provider: 'openai', apiKey: 'sk-stored-LOOK-FOR-ME', timeouts: {}, models: {} };

describe('ProviderConnections', () => {
  const app = sharedApplication();
  const replica = sharedReplica(app, {
    ECHO_PROVIDER: 'off',
    PROVIDER_GROQ_API_KEY: 'gsk-of-the-environment',
    PROVIDER_GROQ_BODY_FIELDS: 'one, two_2',
    PROVIDER_DEEPSEEK_BASE_URL: 'http://127.0.0.1:8000/v1/',
    PROVIDER_OPENAI_PROTOCOL: 'anthropic',
    PROVIDER_NOBODY_API_KEY: 'sk-of-nobody',
    PROVIDER_AZURE_API_KEY: 'sk-without-address',
  });

  beforeAll(() => app.factory.starterCatalog());

  afterEach(() => app.rows('DELETE FROM provider_connections'));

  const connections = (through = app): Promise<ReadonlyMap<string, ProviderConnection>> =>
    through.application.get(ProviderConnections).all();

  const connect = (fields: object = {}): Promise<MadeConnection> =>
    app.application.get(ConnectionsService).connect({ ...REQUEST, ...fields });

  it('has the builtin provider alone where nothing was connected', async () => {
    const all = await connections();

    expect([...all.keys()]).toEqual(['gatehouse']);
    expect(all.get('gatehouse')).toMatchObject({ protocol: 'echo', apiKey: null });
  });

  it('has what was stored, with the well-known address and the limits of time that were not given', async () => {
    await connect({ models: { 'openai/gpt-5.4': 'gpt-upstream' }, timeouts: { gap: 1_000 } });

    const connection = (await connections()).get('openai')!;

    expect(connection).toMatchObject({
      protocol: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      apiKey: REQUEST.apiKey,
      timeouts: { connect: 5_000, gap: 1_000 },
    });
    expect([...connection.models]).toEqual([[expect.stringMatching(/^openai\/gpt-5\.4-\d{8}$/), 'gpt-upstream']]);
  });

  it('has what the operator says of the server, of its command and of its environment', async () => {
    await connect({ capabilities: { developer_role: true, extra_body_fields: ['deferred'] } });

    expect((await connections()).get('openai')!.capabilities).toEqual({
      developer_role: true,
      extra_body_fields: ['deferred'],
    });
    expect((await connections(replica)).get('groq')!.capabilities).toEqual({ extra_body_fields: ['one', 'two_2'] });
  });

  it.each([
    [{ developer_role: 'yes' }, /developer_role must be boolean/],
    [{ surprise: 1 }, /surprise/],
    [{ reasoning_efforts: ['hard'] }, /reasoning_efforts/],
  ])('refuses capabilities that are none: %j', async (capabilities, message) => {
    await expect(connect({ capabilities })).rejects.toThrow(message);
    expect((await connections()).has('openai')).toBe(false);
  });

  it('sees every change through another replica at once, and reads rows only after a change', async () => {
    await connect({ apiKey: 'sk-first' });
    expect((await connections(replica)).get('openai')?.apiKey).toBe('sk-first');
    const readable = jest.spyOn(replica.application.get(ConnectionKeys), 'readable');
    await connections(replica);
    expect(readable).not.toHaveBeenCalled();

    await connect({ apiKey: 'sk-second' });
    expect((await connections(replica)).get('openai')?.apiKey).toBe('sk-second');
    expect(readable).toHaveBeenCalledTimes(1);
    readable.mockRestore();

    expect(await app.application.get(ConnectionsService).disconnect('openai')).toBe(true);
    expect(await app.application.get(ConnectionsService).disconnect('openai')).toBe(false);
    expect((await connections()).has('openai')).toBe(false);
    expect((await connections(replica)).get('openai')?.apiKey).toBe(null);
  });

  it('has what the environment says in place of what is stored, each variable by itself', async () => {
    await connect();
    await connect({ provider: 'groq', apiKey: 'gsk-stored' });

    const all = await connections(replica);

    expect(all.get('openai')).toMatchObject({ protocol: 'anthropic', apiKey: REQUEST.apiKey });
    expect(all.get('groq')).toMatchObject({
      apiKey: 'gsk-of-the-environment',
      baseUrl: 'https://api.groq.com/openai/v1',
    });
    expect(all.get('deepseek')).toMatchObject({ baseUrl: 'http://127.0.0.1:8000/v1', apiKey: null });
    expect(all.has('gatehouse')).toBe(false);
    expect(all.has('azure')).toBe(false);
  });

  it('warns of variables for an unknown provider and for one without an address, and of no others', async () => {
    await replica.application.get(ConnectionsService).warnOfUselessVariables();
    const log = replica.logLines.join('');

    expect(log).toContain('the catalog has no provider nobody, which variables PROVIDER_* name');
    expect(log).toContain('provider azure has no address');
    expect(log).not.toMatch(/sk-of-nobody|no provider (groq|deepseek|openai)/);
  });

  it('reaches well-known providers without a credential of the deployment', async () => {
    await connect();
    const reachable = await app.application.get(ProviderConnections).reachable();

    expect(reachable.get('mistral')).toMatchObject({ baseUrl: 'https://api.mistral.ai/v1', apiKey: null });
    expect(reachable.get('openai')?.apiKey).toBe(REQUEST.apiKey);
    expect((await connections()).has('mistral')).toBe(false);
  });

  it('stores and logs credentials nowhere but encrypted', async () => {
    await connect();
    await connections();

    for (const text of [...(await storedText(app)).values(), app.logLines.join(''), replica.logLines.join('')]) {
      expect(text).not.toContain('LOOK-FOR-ME');
      expect(text).not.toContain(Buffer.from('LOOK-FOR-ME').toString('hex'));
    }
  });

  it.each([
    ['address', "base_url = 'https://attacker.example'"],
    ['protocol', "protocol = 'anthropic'"],
    ['provider', "provider = 'xai'"],
  ])('does not use a credential whose %s was changed in the database, and logs it', async (_, change) => {
    await connect();

    await app.rows(`UPDATE provider_connections SET ${change}`);

    expect([...(await connections()).keys()]).toEqual(['gatehouse']);
    expect(app.logLines.join('')).toMatch(/the credential of provider (openai|xai) cannot be read/);
    const [, shown] = await app.application.get(ConnectionsService).list();
    expect(shown).toMatchObject({ isUsable: false, apiKey: null, sources: ['database'] });
  });

  it.each([
    [{ provider: 'nobody' }, 'The catalog has no provider nobody. For a server of your own, give its address'],
    [
      { provider: 'No_body', baseUrl: 'http://127.0.0.1:1/v1' },
      'The id of a provider is made of small letters, digits',
    ],
    [{ provider: 'cloudflare' }, 'The address of cloudflare is not known: give --base-url URL.'],
    [
      { provider: 'azure' },
      'The address of azure is that of your account: give --base-url https://RESOURCE.openai.azure.com/openai/v1',
    ],
    [{ provider: 'amazon-bedrock' }, 'give --base-url https://bedrock-runtime.REGION.amazonaws.com/openai/v1'],
    [{ provider: 'google-vertex' }, '/projects/PROJECT/locations/LOCATION/endpoints/openapi'],
    [{ provider: 'gatehouse' }, 'gatehouse is the builtin provider: ECHO_PROVIDER=off removes it.'],
    [{ apiKey: null }, 'openai wants an API key: give --api-key-env or --api-key-stdin.'],
    [{ apiKey: 'two words' }, 'The API key must be printable ASCII characters without spaces, at most 4096.'],
    [{ baseUrl: 'https://user:pass@example.com' }, 'The base URL must be an http or https URL'],
    [{ baseUrl: 'https://example.com/?a=b' }, 'The base URL must be an http or https URL'],
    [{ baseUrl: 'ftp://example.com' }, 'The base URL must be an http or https URL'],
    [{ baseUrl: 'http://127.0.0.1/v1/chat/completions' }, 'The base URL must end where /chat/completions begins'],
    [{ baseUrl: 'http://127.0.0.1/v1/messages/' }, 'The base URL must end where /messages begins'],
    [
      { models: { 'openai/none': 'x' } },
      'The catalog has no model openai/none. To add it: gatehouse model add openai/none --provider openai',
    ],
    [{ models: { 'openai/gpt-5.4': '' } }, "The provider's name of a model must have 1 to 512 characters."],
    [{ timeouts: { gap: 0 } }, 'The timeout gap must be a whole number from 1 to 3600000 milliseconds.'],
  ])('refuses %j and stores nothing', async (fields, message) => {
    await expect(connect(fields)).rejects.toThrow(InvalidConnection);
    await expect(connect(fields)).rejects.toThrow(message);
    expect(await app.rows('SELECT provider FROM provider_connections')).toEqual([]);
  });
});
