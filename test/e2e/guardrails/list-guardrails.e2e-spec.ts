import { sharedApplication } from '../../support/application/shared-application.js';
import type { ListGuardrailsResponse } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import type { ErrorBody } from '../../support/network/api-client.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

describe('listGuardrails', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const create = async (name: string, workspaceId?: string): Promise<void> => {
    const answer = await app.api.post('/guardrails', {
      key: organization.managementKey,
      json: { name, workspace_id: workspaceId },
    });
    expect(answer.status).toBe(201);
  };

  const names = (body: ListGuardrailsResponse): string[] => body.data.map((guardrail) => guardrail.name);

  it('answers 200 with an empty page at first', async () => {
    const answer = await app.api.get('/guardrails', { key: organization.managementKey });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: [], total_count: 0 });
  });

  it('answers 200 with pages of the default workspace, oldest first, each with the total', async () => {
    for (const name of ['first', 'second', 'third']) await create(name);

    const first = await app.api.get<ListGuardrailsResponse>('/guardrails?limit=2', { key: organization.managementKey });
    const second = await app.api.get<ListGuardrailsResponse>('/guardrails?limit=2&offset=2', {
      key: organization.managementKey,
    });
    const beyond = await app.api.get<ListGuardrailsResponse>('/guardrails?offset=3', {
      key: organization.managementKey,
    });

    expect(names(first.body)).toEqual(['first', 'second']);
    expect(names(second.body)).toEqual(['third']);
    expect([first, second, beyond].map(({ body }) => body.total_count)).toEqual([3, 3, 3]);
    expect(beyond.body.data).toEqual([]);
  });

  it('answers 200 with the guardrails of the requested workspace', async () => {
    const workspaceId = await app.factory.workspace(organization);
    await create('elsewhere', workspaceId);

    const { body } = await app.api.get<ListGuardrailsResponse>(`/guardrails?workspace_id=${workspaceId}`, {
      key: organization.managementKey,
    });

    expect(names(body)).toEqual(['elsewhere']);
    expect(body.total_count).toBe(1);
  });

  it("answers 200 with the same empty page for another organization's workspace and for a missing one", async () => {
    const other = await app.factory.organization();
    await app.api.post('/guardrails', { key: other.managementKey, json: { name: 'theirs' } });

    const foreign = await app.api.get(`/guardrails?workspace_id=${other.workspaceId}`, {
      key: organization.managementKey,
    });
    const unknown = await app.api.get('/guardrails?workspace_id=019aa3f0-5b1e-7c40-9d0e-000000000000', {
      key: organization.managementKey,
    });

    expect(foreign.text).toBe(unknown.text);
    expect(foreign.body).toEqual({ data: [], total_count: 0 });
  });

  it('answers 200 with an empty page once the default workspace is deleted', async () => {
    const { managementKey, workspaceId } = await app.factory.organization();
    await app.rows('DELETE FROM workspaces WHERE id = $1', [workspaceId]);

    const answer = await app.api.get('/guardrails', { key: managementKey });

    expect(answer.body).toEqual({ data: [], total_count: 0 });
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=5&limit=6', 'limit'],
    ['offset=-1', 'offset'],
    ['offset=1e2', 'offset'],
    ['offset=0x10', 'offset'],
    ['workspace_id=default', 'workspace_id'],
    ['workspace=1', 'workspace'],
    ['limit=%ff', 'limit'],
  ])('answers 400 for ?%s', async (query, path) => {
    const { status, body } = await app.api.get<ErrorBody>(`/guardrails?${query}`, { key: organization.managementKey });

    expect(status).toBe(400);
    expect(body.error.message).toBe('Invalid request parameters');
    expect(body.error.metadata.issues!.map((issue) => issue.path)).toContain(path);
  });

  it('answers 200 for an offset beyond every exact integer', async () => {
    const { status, body } = await app.api.get<ListGuardrailsResponse>(`/guardrails?offset=${'9'.repeat(30)}`, {
      key: organization.managementKey,
    });

    expect(status).toBe(200);
    expect(body.data).toEqual([]);
  });
});
