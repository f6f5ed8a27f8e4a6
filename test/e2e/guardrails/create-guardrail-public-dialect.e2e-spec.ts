import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { guardrailCreation, ALL_UNSET } from './guardrail-creation.js';

describe('createGuardrail', () => {
  const { app, organization, create, row, expectNothingStored, expectRefused } = guardrailCreation();

  describe('with API_DIALECT=public', () => {
    const PUBLIC = ['anthropic', 'openai', 'google', 'xai'];

    it('answers 201 and names the ZDR fields after the vendors, in requests and answers', async () => {
      const { api } = await app.replica({ API_DIALECT: 'public' });
      const json = { name: 'Test', enforce_zdr: true, enforce_zdr_openai: false, enforce_zdr_xai: null };

      const { status, body } = await api.post<{ data: Record<string, unknown> }>('/guardrails', {
        key: organization.managementKey,
        json,
      });

      expect(status).toBe(201);
      const { id, name, workspace_id, created_at, ...fields } = body.data;
      const { enforce_zdr_vendor_a, enforce_zdr_vendor_b, enforce_zdr_vendor_c, enforce_zdr_vendor_d, ...common } =
        ALL_UNSET;
      expect([enforce_zdr_vendor_a, enforce_zdr_vendor_b, enforce_zdr_vendor_c, enforce_zdr_vendor_d]).not.toContain(
        true,
      );
      expect(fields).toEqual({
        ...common,
        enforce_zdr: true,
        enforce_zdr_anthropic: true,
        enforce_zdr_openai: false,
        enforce_zdr_google: true,
        enforce_zdr_xai: null,
        enforce_zdr_other: true,
      });
      expect([name, workspace_id, created_at]).toEqual(['Test', organization.workspaceId, expect.any(String)]);
      expect(await row(String(id))).toMatchObject({
        enforce_zdr_vendor_a: true,
        enforce_zdr_vendor_b: false,
        enforce_zdr_vendor_c: true,
        enforce_zdr_vendor_d: null,
        enforce_zdr_other: true,
      });
    });

    it('answers 200 in one dialect with what was created (201) in the other', async () => {
      const { api } = await app.replica({ API_DIALECT: 'public' });
      const workspaceId = await app.factory.workspace(organization);
      await create({ workspace_id: workspaceId, enforce_zdr_vendor_c: true });

      const { body } = await api.get<{ data: Record<string, unknown>[] }>(`/guardrails?workspace_id=${workspaceId}`, {
        key: organization.managementKey,
      });

      const fields = Object.keys(body.data[0]!).filter((field) => field.startsWith('enforce_zdr_'));
      expect(fields.sort()).toEqual([...PUBLIC, 'other'].map((vendor) => `enforce_zdr_${vendor}`).sort());
      expect(body.data[0]!['enforce_zdr_google']).toBe(true);
    });

    it("answers 400 for the default dialect's names, and names issues as the caller wrote them", async () => {
      const { api } = await app.replica({ API_DIALECT: 'public' });
      const json = {
        name: 'Test',
        enforce_zdr_vendor_a: true,
        enforce_zdr_vendor_d: true,
        enforce_zdr_anthropic: 'true',
        enforce_zdr_mistralai: true,
      };

      await expectNothingStored(() => api.post('/guardrails', { key: organization.managementKey, json }), {
        status: 400,
        reason: 'invalid_parameters',
        isPublic: true,
        paths: ['enforce_zdr_vendor_a', 'enforce_zdr_vendor_d', 'enforce_zdr_anthropic', 'enforce_zdr_mistralai'],
      });
    });

    it('answers 400 for its names in the default dialect', async () => {
      const names = PUBLIC.map((vendor) => `enforce_zdr_${vendor}`);

      await expectRefused(Object.fromEntries(names.map((name) => [name, true])), 'invalid_parameters', ...names);
    });

    it('answers 201 for the vendors of ZDR_VENDORS, and 400 for others', async () => {
      const { api } = await app.replica({ API_DIALECT: 'public', ZDR_VENDORS: 'mistralai,meta-llama,x-ai,openai' });
      const json = { name: 'Test', enforce_zdr_metallama: true, enforce_zdr_xai: false };

      const { body } = await api.post<{ data: Record<string, unknown> }>('/guardrails', {
        key: organization.managementKey,
        json,
      });
      const refused = await api.post('/guardrails', {
        key: organization.managementKey,
        json: { name: 'Test', enforce_zdr_anthropic: true },
      });

      expect(body.data).toMatchObject({
        enforce_zdr_mistralai: null,
        enforce_zdr_metallama: true,
        enforce_zdr_xai: false,
        enforce_zdr_openai: null,
      });
      expect(body.data).not.toHaveProperty('enforce_zdr_anthropic');
      expect(await row(String(body.data['id']))).toMatchObject({
        enforce_zdr_vendor_a: null,
        enforce_zdr_vendor_b: true,
        enforce_zdr_vendor_c: false,
        enforce_zdr_vendor_d: null,
      });
      expectRefusal(refused, {
        status: 400,
        reason: 'invalid_parameters',
        isPublic: true,
        paths: ['enforce_zdr_anthropic'],
        userId: organization.userId,
      });
    });
  });
});
