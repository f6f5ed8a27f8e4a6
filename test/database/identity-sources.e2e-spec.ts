import { IdentitySources1798810000000 } from '../../src/persistence/migrations/1798810000000-identity-sources.js';
import { inOwnerTransaction } from '../support/database/privileged-connections.js';
import { migratedDatabase } from './migrated-database.js';

const ISSUER = 'https://idp.example.com';

describe('the migration to sources of identities', () => {
  const { app } = migratedDatabase();

  it('tells what the directory says, what was made with its member, and what was made by hand', async () => {
    const organization = await app.factory.organization();
    const { organizationId } = organization;
    const sources: Record<string, string> = {};
    await inOwnerTransaction(app, async (runner) => {
      const migration = new IdentitySources1798810000000();
      await migration.down(runner);
      await runner.query(
        `INSERT INTO sign_in_connections (organization_id, id, name, issuer, client_id, scopes, external_id_claim, creates_members, enabled, created_at)
         VALUES ($1, gen_random_uuid(), 'Entra', '${ISSUER}', 'client', '{openid}', 'oid', true, true, now())`,
        [organizationId],
      );
      /** Makes a member with an identity. @param externalId what the directory calls the member; null for none */
      const add = async (subject: string, externalId: string | null, madeBefore: string): Promise<void> => {
        const userId = await app.factory.member(organizationId);
        if (externalId !== null) {
          await runner.query(
            `INSERT INTO scim_users (organization_id, user_id, user_name, user_name_key, external_id, issuer, attributes, created_at, updated_at)
             VALUES ($1, $2, $3, $3, $3, '${ISSUER}', '{}', now(), now())`,
            [organizationId, userId, externalId],
          );
        }
        await runner.query(
          `INSERT INTO member_identities (organization_id, id, user_id, issuer, subject, created_at)
           SELECT $1, gen_random_uuid(), $2, '${ISSUER}', $3, m.created_at + $4::interval FROM organization_members m
           WHERE m.organization_id = $1 AND m.user_id = $2`,
          [organizationId, userId, subject, madeBefore],
        );
      };
      await add('equal', 'equal', '0');
      await add('by another claim', 'oid-1', '1 hour');
      await add('taken over', 'oid-2', '0');
      await add('with its member', null, '0');
      await add('later', null, '1 hour');
      await migration.up(runner);
      const rows = (await runner.query('SELECT subject, source FROM member_identities WHERE organization_id = $1', [
        organizationId,
      ])) as { subject: string; source: string }[];
      for (const { subject, source } of rows) sources[subject] = source;
    });

    expect(sources).toEqual({
      equal: 'directory',
      'by another claim': 'directory',
      'taken over': 'sign_in',
      'with its member': 'sign_in',
      later: 'hand',
    });
  });
});
