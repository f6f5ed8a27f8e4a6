import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { recordUsed } from './used-generations.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedGateway } from '../inference/shared-gateway.js';

describe('getCredits', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);

  const credits = async (): Promise<unknown> => {
    const { status, body } = await gateway.app.api.get<{ data: unknown }>('/credits', {
      key: organization.managementKey,
    });
    expect(status).toBe(200);
    expectToFitContract('getCredits', 200, body);
    return body.data;
  };

  it('answers 200 with zeros for an organization that has neither budgets nor spent anything', async () => {
    expect(await credits()).toEqual({ total_credits: 0, total_usage: 0 });
  });

  it('answers 200 with the sum of the lifetime budgets of all workspaces, and of no others', async () => {
    const { factory } = gateway.app;
    const { organizationId, workspaceId } = organization;
    await factory.budget(organizationId, workspaceId, 'lifetime', 100.5);
    await factory.budget(organizationId, workspaceId, 'monthly', 10);
    await factory.budget(organizationId, await factory.workspace(organization), 'lifetime', 0.25);
    await factory.budget(organizationId, await factory.workspace(organization), 'daily', 7);
    const other = await factory.organization();
    await factory.budget(other.organizationId, other.workspaceId, 'lifetime', 1000);

    expect(await credits()).toEqual({ total_credits: 100.75, total_usage: 0 });
  });

  it.each([
    [[Number.MAX_VALUE], Number.MAX_VALUE],
    [[1e308, 1e308], Number.MAX_VALUE],
    [[123456789.12345679, 1e-9], 123456789.12345679],
  ])('answers 200 to lifetime budgets of %j with %d', async (limits, total) => {
    const { factory } = gateway.app;
    for (const limit of limits) {
      await factory.budget(organization.organizationId, await factory.workspace(organization), 'lifetime', limit);
    }

    expect(await credits()).toEqual({ total_credits: total, total_usage: 0 });
  });

  it('answers 200 with what was ever spent, also by deleted keys, and without own provider keys', async () => {
    const key = await gateway.app.factory.key(organization);
    const answer = await gateway.ask(key);
    expect(answer.status).toBe(200);
    expect(await credits()).toEqual({ total_credits: 0, total_usage: answer.body.usage.cost });

    await recordUsed(gateway.app, organization, key, [{ costUsd: '5', isByok: true }, { costUsd: '2' }]);
    const path = `/keys/${key.hash}`;
    expect((await gateway.app.api.delete(path, { key: organization.managementKey })).status).toBe(200);
    expect(await credits()).toEqual({ total_credits: 0, total_usage: answer.body.usage.cost + 2 });
  });
});
