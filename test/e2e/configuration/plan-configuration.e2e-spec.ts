import { composeSecret, hashSecret } from '../../../src/modules/keys/credentials/key-format.js';
import { newKey } from '../../support/resources/keys.js';
import { configurationInterface, fileOf } from './configuration-interface.js';

describe('planConfiguration', () => {
  const { app, organization, plan, apply, send } = configurationInterface();

  beforeAll(() => app.factory.starterCatalog());

  it('says which keys would lose which models', async () => {
    await newKey(app, organization.managementKey, { name: 'ci' });
    const { body } = await plan({ default_guardrails: [{ ignored_models: ['gatehouse/echo'] }] });
    expect(body.data.impact).toEqual({
      keys_checked: 1,
      keys_losing_models: 1,
      keys: [
        {
          hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
          name: 'ci',
          models: ['gatehouse/echo'],
          model_count: 1,
        },
      ],
    });
  });

  it('says nothing of models where nothing decides about them', async () => {
    expect(
      (await plan({ limits: [{ name: 'L', measure: 'usd', amount: 5, window: 'daily' }] })).body.data.impact,
    ).toBeNull();
  });

  it('warns of a limit that is lowered', async () => {
    const limit = { name: 'L', measure: 'usd', amount: 5, window: 'daily' };
    await apply({ limits: [limit] });
    const { body } = await plan({ limits: [{ ...limit, amount: 2 }] });
    expect(body.data.warnings).toEqual([
      'limit L: lowers what may be used from 5 to 2: what is above it now is refused',
    ]);
  });

  it('answers 400 for a field that only a new object may have otherwise', async () => {
    const limit = { name: 'L', measure: 'usd', amount: 5, window: 'daily' };
    await apply({ limits: [limit] });
    const { status, body } = await plan({ limits: [{ ...limit, window: 'monthly' }] });
    expect({ status, metadata: body.error.metadata }).toMatchObject({
      status: 400,
      metadata: { reason: 'field_fixed', issues: [{ path: 'files[0].documents[0].limits[0].window' }] },
    });
  });

  it.each([
    ['an unknown list', { gardrails: [] }, 'files[0].documents[0].gardrails', 'is not a known list'],
    [
      'an unknown field',
      { guardrails: [{ name: 'A', allow: 1 }] },
      'files[0].documents[0].guardrails[0].allow',
      'is not a known field',
    ],
    [
      'a field that every object has in JavaScript',
      { guardrails: [{ name: 'A', constructor: {} }] },
      'files[0].documents[0].guardrails[0].constructor',
      'is not a known field',
    ],
    [
      'an id in place of a name',
      { guardrails: [{ name: 'A', workspace_id: 'x' }] },
      'files[0].documents[0].guardrails[0].workspace_id',
      'is not a known field',
    ],
    [
      'no name',
      { guardrails: [{ description: 'x' }] },
      'files[0].documents[0].guardrails[0].name',
      'must be given: it says which object it is',
    ],
    [
      'a secret in the file',
      { inspectors: [{ name: 'A', url: 'https://a.example.com', api_key: 'sk-plain-text' }] },
      'files[0].documents[0].inspectors[0].api_key',
      'is a secret: say where it is from, {env: NAME} or {file: PATH}',
    ],
    [
      'a header in the file',
      { inspectors: [{ name: 'A', url: 'https://a.example.com', headers: { 'x-a': 'plain' } }] },
      'files[0].documents[0].inspectors[0].headers.x-a',
      'is a secret: say where it is from, {env: NAME} or {file: PATH}',
    ],
    [
      'a value of a wrong type',
      { keys: [{ name: 'A', limit: 'ten' }] },
      'files[0].documents[0].keys[0].limit',
      'must be number or null',
    ],
    [
      'a workspace that there is none of',
      { keys: [{ name: 'A', workspace: 'nowhere' }] },
      'files[0].documents[0].keys[0].workspace',
      'names no workspace',
    ],
    [
      'a reference to nothing',
      { guardrails: [{ name: 'A', inspectors: ['None'] }] },
      'files[0].documents[0].guardrails[0].inspectors[0]',
      'names none of inspectors',
    ],
    [
      'a pattern that cannot be compiled',
      { guardrails: [{ name: 'A', content_filters: [{ pattern: '(', action: 'block' }] }] },
      'files[0].documents[0].guardrails[0].content_filters[0].pattern',
      expect.any(String),
    ],
    [
      'the same name twice',
      { guardrails: [{ name: 'A' }, { name: 'A' }] },
      'files[0].documents[0].guardrails[1]',
      'has the name of files[0].documents[0].guardrails[0] in gatehouse.yaml',
    ],
  ])('answers 400 for %s, by its path', async (_, lists, path, message) => {
    const { status, body } = await plan(lists);
    expect({ status, issues: body.error.metadata.issues }).toEqual({ status: 400, issues: [{ path, message }] });
  });

  it('answers 400 for 5,001 objects, and for files of two owners', async () => {
    const many = Array.from({ length: 5_001 }, (_, index) => ({ name: `${index}` }));
    expect((await plan({ guardrails: many })).status).toBe(400);
    const files = [fileOf({}), fileOf({ owner: 'other' }, 'other.yaml')];
    const answer = await send<{ error: { metadata: object } }>('POST', '/configuration/plan', { files });
    expect({ status: answer.status, metadata: answer.body.error.metadata }).toMatchObject({
      status: 400,
      metadata: { issues: [{ path: 'files', message: 'have several owners: platform, other' }] },
    });
  });
});

describe('applyConfiguration, at the same time', () => {
  const { app, organization, apply, send } = configurationInterface();

  it('answers 200 to two owners', async () => {
    const both = await Promise.all([
      apply({ owner: 'one', guardrails: [{ name: 'One' }], keys: [{ name: 'one' }] }),
      apply({ owner: 'two', guardrails: [{ name: 'Two' }], keys: [{ name: 'two' }] }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await send<{ data: object[] }>('GET', '/configuration/objects')).body.data).toHaveLength(4);
  });

  it('answers 409 while another request applies the files of the owner, and does nothing', async () => {
    const name = `configuration/${organization.organizationId}/platform`;
    await app.rows('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name]);
    const { status, body } = await apply({ guardrails: [{ name: 'One' }] });
    await app.rows('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [name]);
    expect({ status, reason: body.error.metadata.reason }).toEqual({
      status: 409,
      reason: 'configuration_being_applied',
    });
    expect((await send<{ data: object[] }>('GET', '/guardrails')).body.data).toEqual([]);
  });
});

describe('a key whose secret comes from outside', () => {
  const { organization, apply, send } = configurationInterface();

  const lists = { keys: [{ name: 'ci', secret_from: { env: 'CI_KEY' } }] };

  it('answers 200 and has that secret, but never again once it was deleted', async () => {
    const secret = composeSecret('api_key', organization.organizationId, Buffer.alloc(32, 7));
    const options = { secrets: { 'env:CI_KEY': secret } };
    expect((await apply(lists, options)).body.data).toMatchObject({ new_keys: [], changes: [{ action: 'create' }] });
    const [key] = (await send<{ data: { hash: string }[] }>('GET', '/keys')).body.data;
    expect(key!.hash).toBe(hashSecret(secret).toString('hex'));
    expect((await send('DELETE', `/keys/${key!.hash}`)).status).toBe(200);
    const again = await apply(lists, options);
    expect({ status: again.status, metadata: again.body.error.metadata }).toMatchObject({
      status: 400,
      metadata: { reason: 'key_secret_used', issues: [{ path: 'files[0].documents[0].keys[0].secret_from' }] },
    });
  });

  it('answers 400 for a secret of another organization, and for any other text', async () => {
    const theirs = composeSecret('api_key', `org_${'0'.repeat(32)}`, Buffer.alloc(32, 7));
    for (const secret of [theirs, 'sk-1234', 'a'.repeat(100)]) {
      const { status, body } = await apply(lists, { secrets: { 'env:CI_KEY': secret } });
      expect({ status, reason: body.error.metadata.reason }).toEqual({ status: 400, reason: 'invalid_key_secret' });
    }
  });
});
