import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes authorization codes by Connect client and by member, so that deleting either does not scan all codes. */
export class CodeReferences1795269600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE INDEX ix_authorization_codes_connect_client
      ON authorization_codes (organization_id, connect_client_id) WHERE connect_client_id IS NOT NULL`);
    await runner.query('CREATE INDEX ix_authorization_codes_member ON authorization_codes (organization_id, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_authorization_codes_member');
    await runner.query('DROP INDEX ix_authorization_codes_connect_client');
  }
}
