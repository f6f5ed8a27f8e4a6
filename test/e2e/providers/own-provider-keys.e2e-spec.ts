import { EncryptedOwnKeys } from '../../../src/modules/providers/own-keys/encrypted-own-keys.js';
import { ProviderConnections } from '../../../src/modules/providers/connections/provider-connections.js';
import {
  type KeyUse,
  type OwnKey,
  OwnProviderKeys,
  type RestrictableKey,
} from '../../../src/modules/providers/own-keys/own-provider-keys.js';
import { type TestApplication } from '../../support/application/test-application.js';
import { newProviderKey, PROVIDER_SECRET } from '../../support/resources/provider-keys.js';
import { sharedApplication, sharedReplica } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

const MODEL = 'openai/gpt-5.4-20260305';

/** The own keys that a replica uses for a caller. */
async function usable({ application }: TestApplication, caller: KeyUse): Promise<readonly OwnKey[]> {
  const reachable = await application.get(ProviderConnections).reachable();
  return (await application.get(OwnProviderKeys).ofCaller(caller, reachable)).keys;
}

/** Whether a caller has an own key for a model, and may use the credentials of the deployment, as a request finds it. */
async function usedWays({ application }: TestApplication, caller: RestrictableKey): Promise<[boolean, boolean]> {
  const reachable = await application.get(ProviderConnections).reachable();
  const use = { ...caller, workspaceId: caller.workspaceId!, model: MODEL };
  const { keys, withoutShared } = await application.get(OwnProviderKeys).ofCaller(use, reachable);
  return [keys.length > 0, !withoutShared.has('openai')];
}

/** The ways to a provider, as the list of available models says it. */
async function listedWays({ application }: TestApplication, caller: RestrictableKey): Promise<[boolean, boolean]> {
  const reachable = await application.get(ProviderConnections).reachable();
  const check = await application.get(OwnProviderKeys).checkOf(caller, reachable);
  const { declaredZdr, isSharedAllowed } = check('openai', MODEL, false);
  return [declaredZdr.length > 0, isSharedAllowed];
}

describe('OwnProviderKeys', () => {
  const app = sharedApplication();
  const replica = sharedReplica(app);
  const organization = organizationPerTest(app);

  beforeAll(() => app.factory.starterCatalog());

  /** The keys of providers that another replica than the one that created them would use. */
  const used = async (use: object = {}, through = replica): Promise<string[]> => {
    const { organizationId, workspaceId } = organization;
    const caller = { organizationId, workspaceId, keyHash: null, userId: null, model: MODEL, ...use };
    const keys = await usable(through, caller);
    return keys.map(({ connection }) => connection.apiKey!);
  };

  const make = (key: string, fields: object = {}): Promise<{ id: string }> =>
    newProviderKey(app, organization, { key, ...fields });

  it('gives a key with the well-known address of its provider, which is not connected', async () => {
    const { id } = await make(PROVIDER_SECRET, { name: 'Mine' });
    const { organizationId, workspaceId } = organization;

    const caller = { organizationId, workspaceId, keyHash: null, userId: null, model: MODEL };
    const [key, ...others] = await usable(replica, caller);

    expect(others).toEqual([]);
    expect(key).toMatchObject({ id, name: 'Mine', provider: 'openai', isFallback: false, sortOrder: 0 });
    expect(key!.connection).toMatchObject({
      provider: 'openai',
      protocol: 'openai',
      baseUrl: 'https://api.openai.com/v1',
      apiKey: PROVIDER_SECRET,
    });
  });

  it('gives keys in the order of their creation, and fallbacks last', async () => {
    await make('first-fallback', { is_fallback: true });
    await make('first');
    await make('second');
    await make('of-another-provider', { provider: 'anthropic' });

    expect(await used()).toEqual(['of-another-provider', 'first', 'second', 'first-fallback']);
  });

  it('gives no key of another workspace or organization, and none of a provider without an address', async () => {
    await make('sk-mine');
    await make('sk-of-another-workspace', { workspace_id: await app.factory.workspace(organization) });
    await make('sk-without-address', { provider: 'azure' });
    const other = await app.factory.organization();
    await newProviderKey(app, other, { key: 'sk-of-another-organization' });

    expect(await used()).toEqual(['sk-mine']);
    expect(await used({ organizationId: other.organizationId })).toEqual([]);
  });

  it('gives restricted keys only to the models, API keys and users that they are for', async () => {
    const { hash } = await app.factory.key(organization);
    await make('sk-model', { allowed_models: ['openai/gpt-5.4'] });
    await make('sk-key', { allowed_api_key_hashes: [hash] });
    await make('sk-user', { allowed_user_ids: [organization.userId] });
    await make('sk-nothing', { allowed_models: [] });
    const [row] = await app.rows<{ allowed_models: string[] }>(
      'SELECT allowed_models FROM provider_keys WHERE organization_id = $1 AND cardinality(allowed_models) = 1',
      [organization.organizationId],
    );
    const model = row!.allowed_models[0]!;
    const none = { model: 'openai/none' };

    expect(await used(none)).toEqual([]);
    expect(await used({ model })).toEqual(['sk-model']);
    expect(await used({ model: `${model}:free` })).toEqual(['sk-model']);
    expect(await used({ ...none, keyHash: hash })).toEqual(['sk-key']);
    expect(await used({ ...none, keyHash: '0'.repeat(64) })).toEqual([]);
    expect(await used({ ...none, userId: organization.userId })).toEqual(['sk-user']);
    expect(await used({ model, keyHash: hash, userId: organization.userId })).toEqual([
      'sk-model',
      'sk-key',
      'sk-user',
    ]);
  });

  it('lists what requests use: by workspace, models, API keys, users, whether a key is enabled, and its rules', async () => {
    const { organizationId, workspaceId } = organization;
    const { hash } = await app.factory.key(organization);
    const other = await app.factory.workspace(organization);
    const { organizationId: otherOrganization } = await app.factory.organization();
    const KEYS: Readonly<Record<string, object>> = {
      'for all': {},
      'for the model': { allowed_models: ['openai/gpt-5.4'] },
      'for another model': { allowed_models: ['openai/gpt-5.1'] },
      'for an API key': { allowed_api_key_hashes: [hash] },
      'for a user': { allowed_user_ids: [organization.userId] },
      'for an API key of a user': { allowed_api_key_hashes: [hash], allowed_user_ids: [organization.userId] },
      'for nobody': { allowed_user_ids: [] },
      'of another workspace': { workspace_id: other },
      disabled: { disabled: true },
      'required for a user': { is_required: true, allowed_user_ids: [organization.userId] },
      'required for another model': { is_required: true, allowed_models: ['openai/gpt-5.1'] },
      'alone, for another model': { is_byok_only: true, allowed_models: ['openai/gpt-5.1'] },
      'alone, but disabled': { is_byok_only: true, disabled: true },
    };
    const CALLERS: readonly RestrictableKey[] = [
      { organizationId, workspaceId, keyHash: hash, userId: organization.userId },
      { organizationId, workspaceId, keyHash: hash, userId: 'user_other' },
      { organizationId, workspaceId, keyHash: '0'.repeat(64), userId: organization.userId },
      { organizationId, workspaceId, keyHash: '0'.repeat(64), userId: 'user_other' },
      { organizationId, workspaceId: other, keyHash: hash, userId: organization.userId },
      { organizationId: otherOrganization, workspaceId, keyHash: hash, userId: organization.userId },
    ];
    const [listed, asked]: [unknown[], unknown[]] = [[], []];
    for (const [name, fields] of Object.entries(KEYS)) {
      const { id } = await make('sk-only-key-0123456789', fields);
      for (const [caller, use] of CALLERS.entries()) {
        listed.push([name, caller, ...(await listedWays(replica, use))]);
        asked.push([name, caller, ...(await usedWays(replica, use))]);
      }
      await app.api.delete(`/byok/${id}`, { key: organization.managementKey });
    }

    expect(listed).toEqual(asked);
    expect(asked.filter((row) => (row as unknown[])[2])).toHaveLength(16);
    expect(asked.filter((row) => !(row as unknown[])[3])).toHaveLength(6);
  });

  it('sees every change that another replica has answered at once', async () => {
    const { id } = await make('sk-first-0123456789');
    const { managementKey: key } = organization;
    const path = `/byok/${id}`;
    expect(await used()).toEqual(['sk-first-0123456789']);

    await app.api.patch(path, { key, json: { key: 'sk-second-0123456789' } });
    expect(await used()).toEqual(['sk-second-0123456789']);
    await app.api.patch(path, { key, json: { disabled: true } });
    expect(await used()).toEqual([]);
    await app.api.patch(path, { key, json: { disabled: false } });
    expect(await used()).toEqual(['sk-second-0123456789']);
    await app.api.delete(path, { key });
    expect(await used()).toEqual([]);
  });

  it('decrypts a key once as long as it is the same', async () => {
    await make('sk-decrypted-once');
    const decrypted = jest.spyOn(replica.application.get(EncryptedOwnKeys), 'decrypted');

    for (let count = 0; count < 3; count += 1) expect(await used()).toEqual(['sk-decrypted-once']);

    expect(decrypted).toHaveBeenCalledTimes(1);
    decrypted.mockRestore();
  });

  it('does not give a key that was moved to another row, and says so in the log', async () => {
    const [one, other] = [await make('sk-one'), await make('sk-other')];
    const encryptedKeyOf = '(SELECT encrypted_key FROM provider_keys WHERE id = $2)';
    await app.rows(`UPDATE provider_keys SET encrypted_key = ${encryptedKeyOf} WHERE id = $1`, [one.id, other.id]);

    expect(await used()).toEqual(['sk-other']);
    expect(replica.logLines.join('')).toContain(`provider key ${one.id} cannot be read`);
  });

  it('does not give a key that was moved to another provider, workspace or organization', async () => {
    const { id } = await make('sk-moved');
    const workspaceId = await app.factory.workspace(organization);
    const other = await app.factory.organization();
    const move = (column: string, value: string): Promise<unknown> =>
      app.rows(`UPDATE provider_keys SET ${column} = $2 WHERE id = $1`, [id, value]);
    expect(await used()).toEqual(['sk-moved']);

    await move('provider', 'groq');
    expect(await used()).toEqual([]);
    await move('provider', 'openai');
    await move('workspace_id', workspaceId);
    expect(await used({ workspaceId })).toEqual([]);
    await app.rows('UPDATE provider_keys SET organization_id = $2, workspace_id = $3 WHERE id = $1', [
      id,
      other.organizationId,
      other.workspaceId,
    ]);
    expect(await used({ organizationId: other.organizationId, workspaceId: other.workspaceId })).toEqual([]);
  });
});
