import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { guardrailUpdate, EVERYTHING } from './guardrail-update.js';

describe('updateGuardrail', () => {
  const { app, organization, patch, get, changed, row } = guardrailUpdate();

  describe('for the default guardrail of a workspace', () => {
    const newWorkspace = async (): Promise<{ workspaceId: string; id: string }> => {
      const workspaceId = await app.factory.workspace(organization);
      return { workspaceId, id: defaultGuardrailIdOf(workspaceId) };
    };

    const listed = async (workspaceId: string): Promise<unknown> =>
      (await app.api.get(`/guardrails?workspace_id=${workspaceId}`, { key: organization.managementKey })).body;

    it('answers 200 to the first change, which stores it, and lists it from then on', async () => {
      const { workspaceId, id } = await newWorkspace();
      const before = await get(id);
      expect(await listed(workspaceId)).toEqual({ data: [], total_count: 0 });

      const after = await changed(id.toUpperCase(), { ignored_models: ['openai/gpt-latest'] });

      expect(after).toEqual({
        ...before,
        ignored_models: ['openai/gpt-5.5-20260423'],
        updated_at: after.updated_at,
      });
      expect(await row(id)).toMatchObject({ workspace_id: workspaceId, ignored_models: after.ignored_models });
      expect(await listed(workspaceId)).toEqual({ data: [after], total_count: 1 });
      expect(await auditEventsOf(app, id)).toMatchObject([
        {
          action: 'guardrail.update',
          changes: { ignored_models: { before: null, after: ['openai/gpt-5.5-20260423'] } },
        },
      ]);
    });

    it('answers 200 to further changes like for any guardrail', async () => {
      const { id } = await newWorkspace();
      await changed(id, { description: 'First' });

      expect(await changed(id, { name: 'Second' })).toMatchObject({ description: 'First', name: 'Second' });
    });

    it.each([{}, { description: null }])(
      'answers 200 and stores nothing for %j, which changes nothing',
      async (json) => {
        const { id } = await newWorkspace();
        const before = await get(id);

        expect(await changed(id, json)).toEqual(before);
        expect(await row(id)).toBeUndefined();
      },
    );

    it('answers 400 and stores nothing for a faulty change', async () => {
      const { id } = await newWorkspace();

      expect((await patch(id, { limit_usd: 5 })).status).toBe(400);
      expect(await row(id)).toBeUndefined();
    });

    it('answers 200 to two first changes at the same time, and stores one row with both', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { workspaceId, id } = await newWorkspace();
        const changes = [{ name: 'New' }, { description: 'New as well' }, { enforce_zdr_other: true }];

        const answers = await Promise.all(changes.map((json) => patch(id, json)));

        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(await get(id)).toMatchObject(Object.assign({}, ...changes) as object);
        expect(await listed(workspaceId)).toMatchObject({ total_count: 1 });
        expect(await auditEventsOf(app, id)).toHaveLength(3);
      }
    });

    it('answers 200 to each of 16 first changes at the same time, and applies them all', async () => {
      const { content_filters: _, content_filter_builtins: _b, limit_usd, reset_interval, ...fields } = EVERYTHING;
      const changes = [
        ...Object.entries(fields).map(([name, value]) => ({ [name]: value })),
        { limit_usd, reset_interval },
      ];
      const resolved = { allowed_models: expect.any(Array) as unknown, ignored_models: expect.any(Array) as unknown };
      for (let round = 0; round < 5; round += 1) {
        const { id } = await newWorkspace();

        const answers = await Promise.all(changes.slice(0, 16).map((json) => patch(id, json)));

        expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
        expect(await get(id)).toMatchObject({ ...Object.assign({}, ...changes.slice(0, 16)), ...resolved });
        expect(await auditEventsOf(app, id)).toHaveLength(16);
      }
    });

    it('answers 404 once its workspace is deleted', async () => {
      const { workspaceId, id } = await newWorkspace();
      await changed(id, { name: 'Stored' });
      await app.rows('DELETE FROM workspaces WHERE id = $1', [workspaceId]);

      expect(await row(id)).toBeUndefined();
      expectRefusal(await patch(id, { name: 'Gone' }), {
        status: 404,
        reason: 'guardrail_not_found',
        userId: organization.userId,
      });
    });
  });
});
