import { GenerationsService } from '../../../src/modules/generations/generations.service.js';
import { chargedGeneration, keepRecordsOf } from '../inference/spend/charged-generation.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { issuesExceptMissing, expectEnvelope, issuePaths } from '../../support/expectations/error-envelope.js';
import { interfaceOf, type Operation, pathOf } from '../../support/openapi/described-operations.js';
import { acceptsType } from '../../support/openapi/example-bodies.js';
import { completeOrganization } from '../../operations/complete-organization.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';

describe('query parameters', () => {
  const app = sharedApplication();
  const organization = filledBefore(beforeAll, () => completeOrganization(app));
  const api = filledBefore(beforeAll, () => interfaceOf(app.application));

  /** A path of the operation at which it answers 200, but for what it requires in its query. */
  const goodPath = ({ operationId }: Operation): string => organization.requests[operationId]!.path.split('?')[0]!;

  const get = <Body = ErrorBody>(operation: Operation, query: string): Promise<Answer<Body>> =>
    app.api.get<Body>(`${goodPath(operation)}?${query}`, {
      key: organization.requests[operation.operationId]!.key,
    });

  /** The operations that only read and take a parameter of this name in their query. */
  const operationsWith = (name: string): Operation[] =>
    api.operations.filter(
      ({ method, parameters }) =>
        method === 'GET' && parameters.some((parameter) => parameter.in === 'query' && parameter.name === name),
    );

  it('are used by every list for pagination', () => {
    expect(operationsWith('limit').map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['listGuardrails', 'listPresetVersions', 'listScimGroupMappings', 'listWorkspaceMembers']),
    );
    const continued = [...operationsWith('offset'), ...operationsWith('cursor')];
    expect(new Set(continued)).toEqual(new Set(operationsWith('limit')));
    expect(continued).toHaveLength(operationsWith('limit').length);
  });

  it.each([
    ['limit=0', 'must be >= 1'],
    ['limit=-1', 'must be >= 1'],
    ['limit=-0', 'must be >= 1'],
    ['limit=', 'must be integer'],
    ['limit', 'must be integer'],
    ['limit=1e1', 'must be integer'],
    ['limit=5.0', 'must be integer'],
    ['limit=+5', 'must be integer'],
    ['limit=%2B5', 'must be integer'],
    ['limit=%205', 'must be integer'],
    ['limit=5%20', 'must be integer'],
    ['limit=0x5', 'must be integer'],
    ['limit=1_0', 'must be integer'],
    ['limit=NaN', 'must be integer'],
    ['limit=Infinity', 'must be integer'],
    ['limit=true', 'must be integer'],
    ['limit=null', 'must be integer'],
    ['limit=undefined', 'must be integer'],
    ['limit=[5]', 'must be integer'],
    ['limit=%D9%A5', 'must be integer'],
    ['limit=5;offset=1', 'must be integer'],
    ['limit=5&limit=6', 'must be given only once'],
    ['limit=5&limit=5', 'must be given only once'],
    ['limit=5&%6cimit=6', 'must be given only once'],
  ])('are answered 400 by every list with limit as ?%s', async (query, message) => {
    for (const operation of operationsWith('limit')) {
      const envelope = expectEnvelope(await get(operation, query), 400);
      expect(envelope.error.metadata).toEqual({
        reason: 'invalid_parameters',
        issues: [{ path: 'limit', message }],
      });
    }
  });

  it.each([1, 10 ** 400])('are answered 400 by every list when limit exceeds the maximum by %d', async (more) => {
    for (const operation of operationsWith('limit')) {
      const { maximum } = operation.parameters.find(({ name }) => name === 'limit')!.schema;
      const limit = more === Infinity ? '9'.repeat(400) : maximum! + more;
      const envelope = expectEnvelope(await get(operation, `limit=${limit}`), 400);
      expect(envelope.error.metadata.issues).toEqual([{ path: 'limit', message: `must be <= ${maximum}` }]);
    }
  });

  it.each([
    ['offset=-1', 'must be >= 0'],
    ['offset=1e2', 'must be integer'],
    ['offset=', 'must be integer'],
    ['offset=1.5', 'must be integer'],
    ['offset=0&offset=0', 'must be given only once'],
    [`offset=-${'9'.repeat(400)}`, 'must be >= 0'],
  ])('are answered 400 by every list with offset as ?%s', async (query, message) => {
    for (const operation of operationsWith('offset')) {
      const envelope = expectEnvelope(await get(operation, query), 400);
      expect(envelope.error.metadata.issues).toEqual([{ path: 'offset', message }]);
    }
  });

  it.each([
    'limit=100',
    'limit=1&offset=0',
    'offset=-0',
    'limit=007',
    `offset=${Number.MAX_SAFE_INTEGER}`,
    `offset=${'9'.repeat(400)}`,
    '',
    '&&',
    'l%69mit=1',
  ])('are answered 200 by every list with ?%s', async (query) => {
    const operations = operationsWith(query.includes('offset') ? 'offset' : 'limit');
    for (const operation of operations) expect((await get(operation, query)).status).toBe(200);
  });

  it.each([
    'surprise=1',
    'LIMIT=1',
    'limit%5B%5D=1',
    'limit[]=1',
    'offset.x=1',
    '__proto__=1',
    'constructor=1',
    'toString',
    '=1',
  ])('are answered 400 with an unknown name: ?%s', async (query) => {
    const name = decodeURIComponent(query.split('=')[0]!);
    for (const operation of api.operations.filter(({ method }) => method === 'GET')) {
      const envelope = expectEnvelope(await get(operation, query), 400);
      expect(issuesExceptMissing(envelope)).toEqual([{ path: name, message: 'is not a known field' }]);
    }
  });

  it('are answered 400 by deletions, which take none, and nothing is deleted', async () => {
    const key = await app.factory.key(organization);
    const deletions = api.operations.filter(({ method }) => method === 'DELETE');
    expect(deletions.length).toBeGreaterThan(1);
    for (const operation of deletions) {
      const path = pathOf(operation, { hash: key.hash, id: organization.workspaceId }, 'force=true');
      const answer = await app.api.delete<ErrorBody>(path, { key: organization.requests[operation.operationId]!.key });
      expect(issuesExceptMissing(expectEnvelope(answer, 400)).map((issue) => issue.path)).toEqual(['force']);
    }
    expect(await app.rows('SELECT name FROM api_keys WHERE id = $1', [key.id])).toHaveLength(1);
  });

  it('are answered 400 with every issue at once', async () => {
    const [operation] = operationsWith('workspace_id');

    const answer = await get(operation!, 'limit=0&offset=1&workspace_id=y&surprise=1&offset=x');

    expect(issuePaths(expectEnvelope(answer, 400)).sort()).toEqual([
      'limit',
      'offset',
      'offset',
      'surprise',
      'workspace_id',
    ]);
  });

  it.each([
    'default',
    '019aa3f05b1e7c409d0e000000000000',
    '{019aa3f0-5b1e-7c40-9d0e-000000000000}',
    'urn:uuid:019aa3f0-5b1e-7c40-9d0e-000000000000',
    '019aa3f0-5b1e-7c40-9d0e-00000000000g',
    '019aa3f0-5b1e-7c40-9d0e-000000000000%0A',
    '',
  ])('are answered 400 with %p as uuid', async (value) => {
    for (const operation of operationsWith('workspace_id')) {
      const envelope = expectEnvelope(await get(operation, `workspace_id=${value}`), 400);
      expect(envelope.error.metadata.issues).toEqual([{ path: 'workspace_id', message: 'must be a valid uuid' }]);
    }
  });

  it('are answered 200 with the same body for a uuid in capitals', async () => {
    await app.api.post('/guardrails', { key: organization.managementKey, json: { name: 'seen' } });
    const issued = await app.factory.key(organization);
    // The activity is that of completed days.
    const yesterday = new Date(Math.floor(Date.now() / 1000) * 1000 - 24 * 60 * 60 * 1000);
    await keepRecordsOf(app, yesterday.toISOString().slice(0, 7));
    const generations = app.application.get(GenerationsService);
    await generations.record(chargedGeneration(organization, issued, { createdAt: yesterday }));
    for (const operation of operationsWith('workspace_id')) {
      const lower = await get<{ data: unknown[] }>(operation, `workspace_id=${organization.workspaceId}`);
      const upper = await get(operation, `workspace_id=${organization.workspaceId.toUpperCase()}`);

      expect(lower.body.data).not.toEqual([]);
      expect(upper.text).toBe(lower.text);
    }
  });

  it('and paths and bodies are answered 200 or 201 for a uuid in capitals, and 409 as the same uuid', async () => {
    const { managementKey: key, workspaceId } = organization;
    const groupId = await app.factory.scimGroup(organization);

    const members = await app.api.get(`/workspaces/${workspaceId.toUpperCase()}/members`, { key });
    const destination = await app.api.get(`/observability/destinations/${organization.destinationId.toUpperCase()}`, {
      key,
    });
    const json = { scim_group_id: groupId.toUpperCase(), workspace_id: workspaceId.toUpperCase() };
    const mapping = await app.api.post<{ data: object }>('/scim/group-mappings', { key, json });
    const guardrail = await app.api.post<{ data: object }>('/guardrails', {
      key,
      json: { name: 'capitals', workspace_id: workspaceId.toUpperCase() },
    });

    expect([members, destination, mapping, guardrail].map(({ status }) => status)).toEqual([200, 200, 200, 201]);
    expect(mapping.body.data).toMatchObject({ scim_group_id: groupId, workspace_id: workspaceId });
    expect(guardrail.body.data).toMatchObject({ workspace_id: workspaceId });
    const again = await app.api.post('/scim/group-mappings', { key, json });
    expectEnvelope(again, 409);
  });

  it('are numbers for no other names than after, limit, offset, context, limit_used, status and those of ranges', () => {
    const numeric = api.operations.flatMap(({ parameters }) =>
      parameters.filter(({ schema }) => acceptsType(schema, 'integer') || acceptsType(schema, 'number')),
    );
    const others = numeric.map(({ name }) => name).filter((name) => !/^(?:min|max)_[a-z_]+$/.test(name));
    expect(new Set(others)).toEqual(new Set(['after', 'limit', 'limit_used', 'offset', 'context', 'status']));
  });
});
