import { DESTINATION_TYPES } from '../../../src/modules/observability/destination-settings.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { DESTINATION_SAMPLES, SECRET_MARK } from '../../support/resources/destination-samples.js';
import { TestApplication } from '../../support/application/test-application.js';
import { encryptAsEarlierReleases } from '../../support/resources/earlier-config-encryption.js';
import { destinationReading, HEADERS, MASKED_HEADERS } from './destination-reading.js';

describe('getObservabilityDestination', () => {
  const { app, organization, get, make } = destinationReading();

  describe('with encrypted settings', () => {
    const replicaWith = (encryptionKeys: string): Promise<TestApplication> =>
      TestApplication.start({ database: app.database, variables: { ENCRYPTION_KEY: encryptionKeys } });

    /** Shown with masks in the contract's form, logged by its id, without any part of its configuration. */
    const expectUnreadable = async (id: string, through = app): Promise<void> => {
      const answer = await get(id, through);
      expect(answer.status).toBe(200);
      expectToFitContract('getObservabilityDestination', 200, answer.body);
      for (const shown of Object.values(answer.body.data.config)) expect(shown).toMatch(/^(\*{4}|unreadable)$/);
      expect(answer.text).not.toContain(SECRET_MARK);
      const lines = through.logLines.filter((line) => line.includes('cannot be read') && line.includes(id));
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.join('')).not.toContain(SECRET_MARK);
      const list = await through.api.get('/observability/destinations?limit=100', { key: organization.managementKey });
      expect(list.status).toBe(200);
      expectToFitContract('listObservabilityDestinations', 200, list.body);
      expect(list.text).not.toContain(SECRET_MARK);
    };

    it('answers 200 with several keys: the first encrypts, each decrypts its own', async () => {
      const old = await make();
      const rotated = await replicaWith(`${'22'.repeat(32)},${'11'.repeat(32)}`);
      const config = { url: 'https://hooks.example.com', headers: HEADERS };
      const recent = await rotated.factory.destination(organization, 'webhook', config);

      expect((await get(old, rotated)).text).toBe((await get(old)).text);
      expect((await get(recent, rotated)).body.data.config).toEqual({ ...config, headers: MASKED_HEADERS });
      await expectUnreadable(recent);

      await rotated.stop();
    });

    it('answers 200 with masks when no key decrypts them', async () => {
      const id = await make();
      const replica = await replicaWith('33'.repeat(32));

      await expectUnreadable(id, replica);

      await replica.stop();
    });

    it('answers 200 with masks when they were moved to another row', async () => {
      const [one, other] = [await make(), await make()];
      await app.rows(
        `UPDATE observability_destinations SET encrypted_config = (SELECT encrypted_config FROM observability_destinations WHERE id = $1) WHERE id = $2`,
        [one, other],
      );

      expect((await get(one)).body.data.config).toMatchObject(DESTINATION_SAMPLES.langfuse.masked);
      await expectUnreadable(other);
    });

    it('answers 200 with masks when a byte was changed', async () => {
      const id = await make();
      await app.rows(
        `UPDATE observability_destinations SET encrypted_config = set_byte(encrypted_config, 20, get_byte(encrypted_config, 20) # 1) WHERE id = $1`,
        [id],
      );

      await expectUnreadable(id);
    });

    it.each(DESTINATION_TYPES)(
      'answers 200 with masks for the type %s when the row now has another type',
      async (type) => {
        const id = await make(type);
        for (const other of DESTINATION_TYPES.filter((name) => name !== type)) {
          await app.rows('UPDATE observability_destinations SET type = $2 WHERE id = $1', [id, other]);
          const answer = await get(id);
          expect(answer.status).toBe(200);
          for (const shown of Object.values(answer.body.data.config)) expect(shown).toMatch(/^(\*{4}|unreadable)$/);
          expectToFitContract('getObservabilityDestination', 200, answer.body);
        }
      },
    );

    it('answers 200 with masks for another organization or workspace that the row was moved to', async () => {
      const victim = await app.factory.organization();
      const workspaceId = await app.factory.workspace(organization);
      const move = (id: string, into: string): Promise<unknown> =>
        app.rows(
          `UPDATE observability_destinations SET organization_id = $2, workspace_id = $3, type = 'webhook' WHERE id = $1`,
          [id, organization.organizationId, into],
        );

      const [stolen, moved] = [await make('langfuse', victim), await make('webhook')];
      await move(stolen, organization.workspaceId);
      await move(moved, workspaceId);

      await expectUnreadable(stolen);
      await expectUnreadable(moved);
    });

    it('answers 200 with masks for the format of earlier releases in a database that never had it', async () => {
      const id = await make();
      const config = { ...DESTINATION_SAMPLES.langfuse.config };
      await app.rows('UPDATE observability_destinations SET encrypted_config = $2 WHERE id = $1', [
        id,
        encryptAsEarlierReleases(Buffer.from('11'.repeat(32), 'hex'), id, config),
      ]);

      await expectUnreadable(id);
    });
  });
});
