import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { pathWith, type RequestParts } from '../../operations/operation-row.js';
import { PRIVATE_MODELS } from '../../operations/private-models.js';
import { sampleOrganization } from '../../operations/sample-organization.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { ContractValidator } from '../../support/contract/contract-answers.js';
import { readPrivateModelsContract } from '../../support/contract/private-models-contract.js';
import type { Answer } from '../../support/network/api-client.js';
import { newTenant } from '../../support/resources/tenant.js';
import { newPrivateEndpoint } from '../../support/resources/private-models.js';

describe('private models in the public contract', () => {
  const app = sharedApplication();
  const ours = filledBefore(beforeAll, () => sampleOrganization(app));
  const one = filledBefore(beforeAll, () => newTenant(app, 'one'));
  const other = filledBefore(beforeAll, () => newTenant(app, 'other'));

  const contract = readPrivateModelsContract();
  const validator = new ContractValidator(contract);

  const described = Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => ({
      operationId,
      method: method.toUpperCase(),
      path,
      success: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
    })),
  );

  const send = (operationId: string, parts: RequestParts, organization: NewOrganization = ours): Promise<Answer> => {
    const row = PRIVATE_MODELS[operationId]!;
    const { json, key = organization.managementKey } = parts;
    return app.api.send(row.method, pathWith(row, parts), { key, ...(json && { json }) });
  };

  it('are the same operations, under the same names', () => {
    const served = Object.entries(PRIVATE_MODELS).map(([operationId, { method, path, success }]) => ({
      operationId,
      method,
      path,
      success,
    }));
    const byName = (one: { operationId: string }, other: { operationId: string }): number =>
      one.operationId < other.operationId ? -1 : 1;
    expect(served.toSorted(byName)).toEqual(described.toSorted(byName));
  });

  it.each(described.map(({ operationId, success }) => [operationId, success] as const))(
    '%s answers %i, and what it refuses with 400, 401, 404 or 409, in the form of the contract',
    async (operationId, success) => {
      const row = PRIVATE_MODELS[operationId]!;
      const parts = await row.request(ours);
      const answer = await send(operationId, parts);
      expect([answer.status, validator.issuesOf(operationId, success, answer.body)]).toEqual([success, []]);

      const ofAnother = Object.values(row.otherOrganization(one, other)).map(({ theirs }) => theirs);
      const refusals = [
        await send(operationId, { ...parts, key: 'sk-of-nobody' }),
        ...(await Promise.all(ofAnother.map((named) => send(operationId, named, one)))),
      ].filter(({ status }) => status !== success);
      for (const { status, body } of refusals) {
        expect([400, 401, 404, 409]).toContain(status);
        expect(validator.issuesOf(operationId, status, body)).toEqual([]);
      }
    },
  );

  it('are there in their form with and without prices, and with the checks that failed: 201, 200 and 409', async () => {
    const { privateProviderSlug: slug, workspaceId: workspace_id } = ours;
    const { id } = await newPrivateEndpoint(app, ours, slug, { pricing: undefined });
    const shown = await send('getPrivateEndpoint', { path: { id } });
    expect([shown.status, validator.issuesOf('getPrivateEndpoint', 200, shown.body)]).toEqual([200, []]);

    const failed = await send('validatePrivateEndpoint', { path: { id }, json: { workspace_id } });
    expect([failed.status, failed.body]).toMatchObject([200, { data: { passed: false } }]);
    expect(validator.issuesOf('validatePrivateEndpoint', 200, failed.body)).toEqual([]);

    const refused = await send('activatePrivateEndpoint', { path: { id } });
    expect([refused.status, validator.issuesOf('activatePrivateEndpoint', 409, refused.body)]).toEqual([409, []]);
  });
});
