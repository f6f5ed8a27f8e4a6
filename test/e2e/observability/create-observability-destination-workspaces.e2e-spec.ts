import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { newDestination } from '../../support/resources/destinations.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { destinationCreation, WEBHOOK, PATH } from './destination-creation.js';

describe('createObservabilityDestination', () => {
  const { app, organization, post, expectRefused } = destinationCreation();

  describe('with workspaces and keys', () => {
    it('answers 400 and names every issue of the referenced objects at once', async () => {
      const config = { url: 'https://10.0.0.1/' };
      const body = { ...WEBHOOK, config, workspace_id: UNKNOWN_UUID, api_key_hashes: ['0'.repeat(64), 'x'] };

      await expectRefused(
        body,
        'invalid_parameters',
        ...['config.url', 'workspace_id', 'api_key_hashes[0]', 'api_key_hashes[1]'],
      );
    });

    it('answers 400 for a workspace and a key of another organization, without showing them', async () => {
      const other = await app.factory.organization();
      const { hash } = await app.factory.key(other);
      const text = async (fields: object): Promise<string> => {
        const options = { key: organization.managementKey, headers: { 'x-request-id': 'same' } };
        return (await app.api.post(PATH, { ...options, json: { ...WEBHOOK, ...fields } })).text;
      };

      expect(await text({ workspace_id: other.workspaceId })).toBe(await text({ workspace_id: UNKNOWN_UUID }));
      expect(await text({ api_key_hashes: [hash] })).toBe(await text({ api_key_hashes: ['0'.repeat(64)] }));
      await expectRefused({ ...WEBHOOK, workspace_id: other.workspaceId }, 'workspace_not_found', 'workspace_id');
      await expectRefused({ ...WEBHOOK, api_key_hashes: [hash] }, 'key_not_found', 'api_key_hashes[0]');
    });

    it('answers 400 without a workspace once the default workspace is deleted', async () => {
      await app.rows('DELETE FROM workspaces WHERE id = $1', [organization.workspaceId]);

      await expectRefused(WEBHOOK, 'default_workspace_deleted', 'workspace_id');
      const workspaceId = await app.factory.workspace(organization);
      expect((await newDestination(app, organization, 'webhook', { workspace_id: workspaceId })).workspace_id).toBe(
        workspaceId,
      );
    });
  });

  describe('with a maximum of five of a type in a workspace', () => {
    const TOO_MANY: Refusal = { status: 409, reason: 'too_many_destinations' };

    it('answers 409 to the sixth, and 201 to other types and in other workspaces', async () => {
      const workspaceId = await app.factory.workspace(organization);
      for (let count = 0; count < 5; count += 1) await newDestination(app, organization, 'webhook');

      const answer = await post(WEBHOOK);

      expectRefusal(answer, { ...TOO_MANY, userId: organization.userId });
      expectToFitContract('createObservabilityDestination', 409, answer.body);
      await newDestination(app, organization, 'langfuse');
      await newDestination(app, organization, 'webhook', { workspace_id: workspaceId });
      await newDestination(app, await app.factory.organization(), 'webhook');
    });

    it('answers 201 again once one of the five is deleted, and 409 before', async () => {
      const { id } = await newDestination(app, organization, 'webhook');
      for (let count = 0; count < 4; count += 1) await newDestination(app, organization, 'webhook');
      expect((await post(WEBHOOK)).status).toBe(409);

      await app.api.delete(`${PATH}/${id}`, { key: organization.managementKey });

      await newDestination(app, organization, 'webhook');
    });

    it('answers 201 to five of eight requests at the same time, and 409 to three', async () => {
      // Holds them up where a destination is put into the workspace: a request that counts before must not have its row yet.
      const workspace = [organization.workspaceId];
      const release = await lockRows(app, 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE', workspace);
      const asked = Array.from({ length: 8 }, () => post(WEBHOOK));
      await untilWaitingForLock(app, asked.length);
      await release();

      const answers = await Promise.all(asked);

      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(5).fill(201),
        ...Array<number>(3).fill(409),
      ]);
      const mine = [organization.organizationId];
      const rows = await app.rows('SELECT id FROM observability_destinations WHERE organization_id = $1', mine);
      expect(rows).toHaveLength(5);
      const events = `SELECT id FROM audit_events WHERE organization_id = $1 AND action LIKE 'observability%'`;
      expect(await app.rows(events, mine)).toHaveLength(5);
    });
  });
});
