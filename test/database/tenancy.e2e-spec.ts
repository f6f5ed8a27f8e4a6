import { EncryptionState } from '../../src/modules/encryption/encryption-state.js';
import { imageModelEntry, importCatalog, modelEntry } from '../support/resources/catalog-entries.js';
import { type OperationRow, pathWith, type RequestParts } from '../operations/operation-row.js';
import { OPERATION_IDS, OPERATIONS } from '../operations/operations.js';
import { newTenant, rowsOfOthers, type Tenant } from '../support/resources/tenant.js';
import { filledBefore } from '../support/application/filled-before.js';
import { sharedApplication } from '../support/application/shared-application.js';

describe('ids of another organization', () => {
  const app = sharedApplication();
  const ours = filledBefore(beforeAll, () => newTenant(app, 'ours'));
  const theirs = filledBefore(beforeAll, () => newTenant(app, 'theirs'));

  beforeAll(async () => {
    // The record of the deployment's encryption key belongs to no organization, and is created by the first check.
    await app.application.get(EncryptionState).assertFits();
    await importCatalog(app, {
      models: [modelEntry('acme/model')],
      image_models: [imageModelEntry('acme/painter', [{}])],
    });
  });

  /** Sends a request, with our management key unless it names another credential. @returns status and text */
  const send = async (
    row: Pick<OperationRow, 'method' | 'path'>,
    parts: RequestParts = {},
  ): Promise<[number, string]> => {
    const { key = ours.managementKey, json } = parts;
    // Both requests have one id, so that the answers can be compared byte by byte.
    const options = { key, json, headers: { 'x-request-id': 'the-same' } };
    const answer = await app.api.send(row.method, pathWith(row, parts), options);
    // The id of its own record, which some answers repeat, is another one every time, and so is the time that a query took.
    const text = answer.text.replace(answer.headers.get('x-generation-id') ?? 'no id', 'gen-the-same');
    return [answer.status, text.replace(/"query_time_ms":[\d.]+/, '"query_time_ms":0')];
  };

  it.each(OPERATION_IDS)(
    'in requests of %s are answered like ids of nothing, with the status of its row (200 to 404), and change nothing',
    async (id) => {
      const row = OPERATIONS[id]!;
      const cases = Object.entries(row.otherOrganization(ours, theirs));
      const before = await rowsOfOthers(app, ours.organizationId);
      const identifiers = identifiersOf(theirs);
      expect(cases).not.toEqual([]);

      for (const [name, { status, theirs: withTheirs, missing }] of cases) {
        const answer = await send(row, withTheirs);
        expect([name, ...answer]).toEqual([name, ...(await send(row, missing))]);
        expect([name, answer[0]]).toEqual([name, status]);
        expect(identifiers.filter((identifier) => answer[1].includes(identifier))).toEqual([]);
      }

      expect(await rowsOfOthers(app, ours.organizationId)).toEqual(before);
    },
  );

  it('are not used for codes with the same callback URL: 200 without a client, and 403 for the other one', async () => {
    const json = { callback_url: theirs.clientCallbackUrl };
    const [, text] = await send(OPERATIONS['createAuthKeysCode']!, { json });
    const exchange = { json: { code: (JSON.parse(text) as { data: { id: string } }).data.id } };
    const row = OPERATIONS['exchangeAuthCodeForAPIKey']!;

    expect((await send(row, { ...exchange, key: theirs.clientSecret }))[0]).toBe(403);
    expect((await send(row, exchange))[0]).toBe(200);
    expect(
      await app.rows('SELECT connect_client_id FROM authorization_codes WHERE callback_url = $1', [json.callback_url]),
    ).toEqual([{ connect_client_id: null }]);
  });

  it('are answered 200 in their own organization, which shows that the cases above prove something', async () => {
    const { managementKey } = theirs;
    const requests: [method: OperationRow['method'], path: string, key?: string, json?: Record<string, unknown>][] = [
      ['GET', `/guardrails?workspace_id=${theirs.otherWorkspaceId}`],
      ['GET', `/presets/${theirs.presetSlug}/versions`, theirs.apiKey],
      ['GET', `/presets/${theirs.otherPresetSlug}/versions?workspace_id=${theirs.otherWorkspaceId}`],
      ['GET', `/workspaces/${theirs.otherWorkspaceSlug}/members`],
      ['GET', `/observability/destinations/${theirs.destinationId}`],
      ['GET', `/byok/${theirs.providerKeyId}`],
      ['GET', '/scim/group-mappings'],
      ['DELETE', `/workspaces/${theirs.otherWorkspaceSlug}/budgets/monthly`],
      ['POST', '/auth/keys', theirs.apiKey, { code: theirs.code }],
      ['POST', '/auth/keys', managementKey, theirs.challengedCode],
      ['DELETE', `/keys/${theirs.clientKeyHash}`, theirs.clientSecret],
      ['DELETE', `/keys/${theirs.apiKeyHash}`],
      [
        'POST',
        '/scim/group-mappings',
        managementKey,
        { scim_group_id: theirs.scimGroupId, workspace_id: theirs.workspaceId },
      ],
    ];

    for (const [method, path, key = managementKey, json] of requests) {
      const [status, text] = await send({ method, path }, { key, ...(json && { json }) });
      expect([method, path, status, text.includes('"data":[]')]).toEqual([method, path, 200, false]);
    }
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
