import type { ExchangeAuthCodeResponse } from '../../../src/modules/oauth/codes/authorization-code.dto.js';
import { auditEventsOf, type RecordedEvent } from '../../support/expectations/audit-events.js';
import { newChallengedCode, newCode, sha256 } from '../../support/resources/authorization-codes.js';
import { TestApplication } from '../../support/application/test-application.js';
import { authCodeExchange, INVALID_CODE, mismatch } from './auth-code-exchange.js';

describe('exchangeAuthCodeForAPIKey', () => {
  const { app, organization, exchanged, keyRow, codeRow, expectRefused } = authCodeExchange();

  describe('the audit trail', () => {
    const events = async (made: string): Promise<RecordedEvent[]> => auditEventsOf(app, sha256(made));

    it('records who created the key from which code (200)', async () => {
      const workspaceId = await app.factory.workspace(organization);
      const request = await newChallengedCode(app, organization.managementKey, {
        key_label: 'Named by the code',
        limit: 3,
        usage_limit_type: 'daily',
        workspace_id: workspaceId,
      });
      const client = await app.factory.client(organization);
      const { key: made } = await exchanged(request, client.plaintext);
      const { id: codeId } = await codeRow(request.code);
      const row = await keyRow(made);

      const [creation] = await auditEventsOf(app, codeId as string);
      expect(creation).toMatchObject({ action: 'authorization_code.create', target_type: 'authorization_code' });
      expect(await events(made)).toEqual([
        {
          action: 'key.create',
          target_type: 'key',
          target_id: sha256(made),
          actor_kind: 'client_secret',
          actor_id: client.id,
          changes: {
            name: { after: 'Named by the code' },
            label: { after: row['label'] },
            disabled: { after: false },
            creator_user_id: { after: organization.userId },
            workspace_id: { after: workspaceId },
            connect_client_id: { after: client.id },
            limit: { after: 3 },
            limit_reset: { after: 'daily' },
            include_byok_in_limit: { after: false },
            authorization_code_id: { after: codeId },
          },
        },
      ]);
    });

    it('records an anonymous actor in the organization of the code where the operation needs no credential (200)', async () => {
      const variables = { ANONYMOUS_OPERATIONS: 'exchangeAuthCodeForAPIKey' };
      const open = await TestApplication.start({ database: app.database, variables });
      const request = await newChallengedCode(app, organization.managementKey);
      const { body } = await open.api.post<ExchangeAuthCodeResponse>('/auth/keys', { json: request });
      await open.stop();

      expect(await events(body.key)).toMatchObject([{ action: 'key.create', actor_kind: 'anonymous', actor_id: null }]);
      const rows = await app.rows('SELECT organization_id FROM audit_events WHERE target_id = $1', [sha256(body.key)]);
      expect(rows).toEqual([{ organization_id: organization.organizationId }]);
    });

    it('records once that a replay (403) disabled the key', async () => {
      const code = await newCode(app, organization.managementKey);
      const { key: made } = await exchanged({ code });
      const caller = await app.factory.key(organization);

      for (let replay = 0; replay < 3; replay += 1) {
        const refusal = { credential: caller.plaintext, userId: organization.userId };
        await expectRefused({ code }, INVALID_CODE, refusal);
      }

      expect((await events(made)).slice(1)).toEqual([
        {
          action: 'key.disable',
          target_type: 'key',
          target_id: sha256(made),
          actor_kind: 'api_key',
          actor_id: organization.userId,
          changes: { disabled: { before: false, after: true } },
        },
      ]);
    });

    it('records nothing for an exchange that is answered 400', async () => {
      const request = await newChallengedCode(app, organization.managementKey);
      const before = await app.rows('SELECT id FROM audit_events');

      await expectRefused({ code: request.code }, mismatch('code_verifier'));

      expect(await app.rows('SELECT id FROM audit_events')).toEqual(before);
    });
  });
});
