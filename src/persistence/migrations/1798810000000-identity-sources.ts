import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Says of each identity of a member where it comes from (docs/interface/sign-in.md#where-a-link-comes-from). What a directory's `externalId`
 * says, or may have said by another claim, is the directory's; what was made with its member in one transaction was made by the sign-in; all
 * others were made by hand. A replica of the release before does not say it: a directory ends what such a one adds.
 */
export class IdentitySources1798810000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE member_identities ADD COLUMN source text NOT NULL DEFAULT 'sign_in',
      ADD CONSTRAINT ck_member_identities_source CHECK (source IN ('directory', 'hand', 'sign_in'))`);
    await runner.query(`UPDATE member_identities i SET source = CASE
        WHEN EXISTS (SELECT FROM scim_users s WHERE s.organization_id = i.organization_id AND s.user_id = i.user_id
          AND s.issuer = i.issuer AND s.external_id = i.subject) THEN 'directory'
        WHEN EXISTS (SELECT FROM organization_members m WHERE m.organization_id = i.organization_id AND m.user_id = i.user_id
          AND m.created_at = i.created_at) THEN 'sign_in'
        WHEN EXISTS (SELECT FROM scim_users s
          JOIN sign_in_connections c ON c.organization_id = s.organization_id AND c.issuer = s.issuer
          WHERE s.organization_id = i.organization_id AND s.user_id = i.user_id AND s.issuer = i.issuer
            AND s.external_id IS NOT NULL AND c.external_id_claim IS NOT NULL) THEN 'directory'
        ELSE 'hand' END`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE member_identities DROP COLUMN source');
  }
}
