import { DeclaredRoutes } from '../../src/auth/declared-routes.js';
import { EncryptionState } from '../../src/modules/observability/encryption-state.js';
import { importCatalog, imageModelEntry, modelEntry } from '../support/catalog-entries.js';
import type { Call, Cases } from '../support/foreign-ids.js';
import { newTenant, rowsOfOthers, type Tenant } from '../support/tenants.js';
import { TestApplication } from '../support/test-application.js';
import { AUDIT_CASES } from './tenancy-cases/audit.js';
import { CATALOG_CASES } from './tenancy-cases/catalog.js';
import { GUARDRAILS_CASES } from './tenancy-cases/guardrails.js';
import { KEYS_CASES } from './tenancy-cases/keys.js';
import { OBSERVABILITY_CASES } from './tenancy-cases/observability.js';
import { ORGANIZATIONS_CASES } from './tenancy-cases/organizations.js';
import { PRESETS_CASES } from './tenancy-cases/presets.js';
import { SCIM_CASES } from './tenancy-cases/scim.js';
import { WORKSPACES_CASES } from './tenancy-cases/workspaces.js';

/** A case for every operation, by its operationId. */
const CASES: Cases = {
  ...AUDIT_CASES,
  ...CATALOG_CASES,
  ...GUARDRAILS_CASES,
  ...KEYS_CASES,
  ...OBSERVABILITY_CASES,
  ...ORGANIZATIONS_CASES,
  ...PRESETS_CASES,
  ...SCIM_CASES,
  ...WORKSPACES_CASES,
};

describe("another organization's ids", () => {
  let app: TestApplication;
  let ours: Tenant;
  let theirs: Tenant;

  beforeAll(async () => {
    app = await TestApplication.start();
    // The record of the deployment's encryption key belongs to no organization, and is made by the first who looks.
    await app.application.get(EncryptionState).assertFits();
    await importCatalog(app, {
      models: [modelEntry('acme/model')],
      image_models: [imageModelEntry('acme/painter', [{}])],
    });
    ours = await newTenant(app, 'ours');
    theirs = await newTenant(app, 'theirs');
  });

  afterAll(() => app.stop());

  const send = async ({
    method,
    path,
    json,
    key = ours.managementKey,
  }: Call): Promise<[status: number, text: string]> => {
    // The same request id, so that the answers can be compared byte by byte.
    const answer = await app.api.send(method, path, { key, json, headers: { 'x-request-id': 'the-same' } });
    return [answer.status, answer.text];
  };

  it('have a case for every operation that there is', () => {
    const operations = app.application
      .get(DeclaredRoutes)
      .all()
      .filter(({ isOperation }) => isOperation)
      .map(({ method }) => method);

    expect(operations.length).toBeGreaterThanOrEqual(13);
    expect(Object.keys(CASES).sort()).toEqual(operations.sort());
  });

  it.each(Object.keys(CASES))(
    'say no more to %s than ids of nothing, and let it change nothing',
    async (operationId) => {
      const attempts = Object.entries(CASES[operationId]!(ours, theirs));
      const before = await rowsOfOthers(app, ours.organizationId);
      const identifiers = identifiersOf(theirs);
      expect(attempts).not.toEqual([]);

      for (const [name, { status, foreign, missing }] of attempts) {
        const foreignAnswer = await send(foreign);
        expect([name, ...foreignAnswer]).toEqual([name, ...(await send(missing))]);
        expect([name, foreignAnswer[0]]).toEqual([name, status]);
        expect(identifiers.filter((identifier) => foreignAnswer[1].includes(identifier))).toEqual([]);
      }

      expect(await rowsOfOthers(app, ours.organizationId)).toEqual(before);
    },
  );

  it('do not draw a code to a client of theirs that has the same callback URL', async () => {
    const json = { callback_url: theirs.clientCallbackUrl };
    const [, text] = await send({ method: 'POST', path: '/auth/keys/code', json });
    const exchange = {
      method: 'POST',
      path: '/auth/keys',
      json: { code: (JSON.parse(text) as { data: { id: string } }).data.id },
    } as const;

    expect((await send({ ...exchange, key: theirs.clientSecret }))[0]).toBe(403);
    expect((await send(exchange))[0]).toBe(200);
    expect(
      await app.rows('SELECT connect_client_id FROM authorization_codes WHERE callback_url = $1', [json.callback_url]),
    ).toEqual([{ connect_client_id: null }]);
  });

  it('are worth something to their own organization, so that the cases above show something', async () => {
    const answers = [
      await send({
        method: 'GET',
        path: `/guardrails?workspace_id=${theirs.otherWorkspaceId}`,
        key: theirs.managementKey,
      }),
      await send({ method: 'GET', path: `/presets/${theirs.presetSlug}/versions`, key: theirs.apiKey }),
      await send({
        method: 'GET',
        path: `/presets/${theirs.otherPresetSlug}/versions?workspace_id=${theirs.otherWorkspaceId}`,
        key: theirs.managementKey,
      }),
      await send({
        method: 'GET',
        path: `/workspaces/${theirs.otherWorkspaceSlug}/members`,
        key: theirs.managementKey,
      }),
      await send({
        method: 'GET',
        path: `/observability/destinations/${theirs.destinationId}`,
        key: theirs.managementKey,
      }),
      await send({ method: 'GET', path: '/scim/group-mappings', key: theirs.managementKey }),
      await send({
        method: 'DELETE',
        path: `/workspaces/${theirs.otherWorkspaceSlug}/budgets/monthly`,
        key: theirs.managementKey,
      }),
      await send({ method: 'POST', path: '/auth/keys', json: { code: theirs.code }, key: theirs.apiKey }),
      await send({ method: 'POST', path: '/auth/keys', json: theirs.challengedCode, key: theirs.managementKey }),
      await send({ method: 'DELETE', path: `/keys/${theirs.clientKeyHash}`, key: theirs.clientSecret }),
      await send({ method: 'DELETE', path: `/keys/${theirs.apiKeyHash}`, key: theirs.managementKey }),
      await send({
        method: 'POST',
        path: '/scim/group-mappings',
        json: { scim_group_id: theirs.scimGroupId, workspace_id: theirs.workspaceId },
        key: theirs.managementKey,
      }),
    ];

    expect(answers.map(([status]) => status)).toEqual(answers.map(() => 200));
    expect(answers.slice(0, 6).filter(([, text]) => text.includes('"data":[]'))).toEqual([]);
  });
});

/** What would give the tenant away in an answer. */
function identifiersOf(tenant: Tenant): string[] {
  return [
    tenant.organizationId,
    tenant.userId,
    tenant.memberId,
    tenant.workspaceId,
    tenant.otherWorkspaceId,
    tenant.otherWorkspaceSlug,
    tenant.guardrailId,
    tenant.defaultGuardrailId,
    tenant.presetSlug,
    tenant.destinationId,
    tenant.clientId,
    tenant.apiKeyHash,
    tenant.managementKeyHash,
    tenant.clientKeyHash,
    tenant.scimGroupId,
    tenant.mappedScimGroupId,
    tenant.mappingId,
  ];
}
