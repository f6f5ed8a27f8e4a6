import type { ManagedPrivateEndpoint } from '../../../src/modules/private-models/dto/private-endpoint.dto.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import { organizationPerTest, sharedOrganization } from '../../support/application/shared-organization.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { newKeyForOwnProvider, newPrivateProvider, PRIVATE_PRICING } from '../../support/resources/private-models.js';
import { until } from '../../support/time/until.js';
import { answerAsAsked } from '../inference/provider-answers.js';
import { sharedGateway } from '../inference/shared-gateway.js';
import { WritesBeside } from './writes-beside.js';

const MODEL = 'acme/unconnected';

type CheckFailed = ErrorBody & { readonly error: { readonly metadata: { readonly endpoint: ManagedPrivateEndpoint } } };

describe('createPrivateEndpoint with activate and an Idempotency-Key', () => {
  const gateway = sharedGateway({ variables: { DATABASE_POOL_SIZE: '2' } });
  const organization = organizationPerTest(gateway);
  const others = sharedOrganization(gateway);
  let server: ProviderServer;
  let slug: string;

  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  beforeEach(async () => {
    server.answerWith(answerAsAsked);
    ({ slug } = await newPrivateProvider(gateway.app, organization, { base_url: server.baseUrl }));
    await newKeyForOwnProvider(gateway.app, organization, slug, 'sk-any-text');
  });
  afterAll(() => server.stop());

  const create = <Body = CheckFailed>(key: string, fields: object = {}): Promise<Answer<Body>> =>
    gateway.app.api.post<Body>('/private-endpoints', {
      key: organization.managementKey,
      headers: { 'idempotency-key': key },
      json: {
        model_permaslug: MODEL,
        provider_slug: slug,
        upstream_model_id: 'llama-70b',
        pricing: PRIVATE_PRICING,
        activate: { workspace_id: organization.workspaceId },
        ...fields,
      },
    });

  const endpoints = (): Promise<{ id: string; status: string }[]> =>
    gateway.app.rows('SELECT id, status FROM private_endpoints WHERE organization_id = $1', [
      organization.organizationId,
    ]);

  const actions = async (): Promise<string[]> => {
    const sql = `SELECT action FROM audit_events WHERE organization_id = $1 AND action LIKE 'private_endpoint.%' ORDER BY created_at, id`;
    return (await gateway.app.rows<{ action: string }>(sql, [organization.organizationId])).map(({ action }) => action);
  };

  it('answers 409 with the draft that it has made, which is there, and the same 409 when it is repeated', async () => {
    server.answerWith((response) => void response.writeHead(401).end());
    const key = newUuid();
    const first = await create(key);
    server.answerWith(answerAsAsked);
    const second = await create(key);

    expect([first.status, first.body.error.metadata.reason]).toEqual([409, 'private_endpoint_check_failed']);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const { endpoint } = first.body.error.metadata;
    const found = await gateway.app.api.get(`/private-endpoints/${endpoint.id}`, { key: organization.managementKey });
    expect([found.status, found.body]).toMatchObject([200, { data: endpoint }]);
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([409, 'true']);
    expect(second.body.error).toEqual(first.body.error);
    expect(Object.keys(second.body)).toEqual(Object.keys(first.body));
    expect([await endpoints(), await actions()]).toEqual([
      [{ id: endpoint.id, status: 'draft' }],
      ['private_endpoint.create'],
    ]);
  });

  it('answers 422 for its key with another body, also when the first was a 409', async () => {
    server.answerWith((response) => void response.writeHead(401).end());
    const key = newUuid();

    expect((await create(key)).status).toBe(409);
    expect((await create(key, { upstream_model_id: 'llama-8b' })).status).toBe(422);
    expect(await endpoints()).toHaveLength(1);
  });

  it.each([
    ['400 for one without prices', { pricing: undefined }, 400, 'is required with activate'],
    ['400 for a provider that is not there', { provider_slug: 'no-such-provider' }, 400, 'private_provider_not_found'],
  ])('answers %s, of which nothing is kept, and 201 for its key without that', async (_, fields, status, reason) => {
    const key = newUuid();
    const refused = await create<ErrorBody>(key, fields);

    expect([refused.status, JSON.stringify(refused.body)]).toEqual([status, expect.stringContaining(reason)]);
    expect([await endpoints(), await actions()]).toEqual([[], []]);
    expect((await create(key)).status).toBe(201);
  });

  it('answers 409 without a draft when the provider has got another address since the validation', async () => {
    let moved: Promise<unknown> | undefined;
    server.answerWith(async (response, request) => {
      moved ??= gateway.app.api.patch(`/private-providers/${slug}`, {
        key: organization.managementKey,
        json: { base_url: `${server.baseUrl}/other` },
      });
      await moved;
      return answerAsAsked(response, request);
    });
    const refused = await create(newUuid());

    expect([refused.status, refused.body.error.metadata.reason]).toEqual([409, 'validation_stale']);
    expect([await endpoints(), await actions()]).toEqual([[], []]);
  });

  it('holds no connection while a provider is waited for: others answer 201 beside as many as there are connections', async () => {
    let goOn: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => (goOn = resolve));
    server.answerWith(async (response, request) => {
      await wait;
      return answerAsAsked(response, request);
    });
    server.received.length = 0;
    const made = [create(newUuid()), create(newUuid())];
    await until(() => Promise.resolve(server.received.length === 2));

    const beside = WritesBeside.begin(gateway.app, others);
    expect(new Set(await beside.end())).toEqual(new Set([201]));
    expect(
      await gateway.app.rows(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`,
      ),
    ).toEqual([]);
    goOn();

    expect((await Promise.all(made)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await actions()).toEqual(
      ['create', 'validate', 'activate', 'create', 'validate', 'activate'].map((name) => `private_endpoint.${name}`),
    );
  });
});
