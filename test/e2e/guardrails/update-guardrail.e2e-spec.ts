import { setTimeout as sleep } from 'node:timers/promises';
import { defaultGuardrailIdOf } from '../../../src/persistence/identifiers.js';
import type { Guardrail } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TIMESTAMP, UNKNOWN_UUID } from '../../support/expectations/formats.js';
import { guardrailUpdate, EVERYTHING } from './guardrail-update.js';

const VENDORS = ['vendor_a', 'vendor_b', 'vendor_c', 'vendor_d', 'other'] as const;

/** {@link EVERYTHING} as answers show it. */
const EVERYTHING_SHOWN = {
  ...EVERYTHING,
  content_filter_builtins: [{ ...EVERYTHING.content_filter_builtins![0]!, label: '[PROMPT_INJECTION]' }],
};

const NULLABLE = Object.keys(EVERYTHING).filter(
  (field) => !['name', 'include_byok_in_budgets', 'enforcement', 'limit_usd', 'reset_interval'].includes(field),
);

describe('updateGuardrail', () => {
  const { app, organization, patch, get, changed, row, expectRefused, everything } = guardrailUpdate();

  describe('changes', () => {
    it.each(Object.keys(EVERYTHING).filter((field) => !['limit_usd', 'reset_interval'].includes(field)))(
      '%s alone (200) when the request has no other field',
      async (field) => {
        const before = await app.factory.guardrail(organization);
        // Answers say what a guardrail does only where it observes.
        const recorded: Partial<Guardrail> = { ...before, enforcement: 'enforce' };
        const value = EVERYTHING[field as keyof typeof EVERYTHING];

        const after = await changed(before.id, { [field]: value });

        const shown = EVERYTHING_SHOWN[field as keyof typeof EVERYTHING_SHOWN];
        expect(after).toEqual({ ...before, [field]: shown, updated_at: after.updated_at });
        expect(after.updated_at).toMatch(TIMESTAMP);
        expect((await auditEventsOf(app, before.id)).at(-1)).toEqual({
          action: 'guardrail.update',
          target_type: 'guardrail',
          target_id: before.id,
          actor_kind: 'management_key',
          actor_id: organization.userId,
          changes: { [field]: { before: recorded[field as keyof Guardrail] ?? null, after: shown } },
        });
      },
    );

    it('enforcement back to what answers do not show (200)', async () => {
      const { id } = await app.factory.guardrail(organization, { enforcement: 'observe' });

      expect(await changed(id, { enforcement: 'enforce' })).not.toHaveProperty('enforcement');
      expect(await row(id)).toMatchObject({ enforcement: 'enforce' });
    });

    it('every field (200) when the request has every field', async () => {
      const before = await app.factory.guardrail(organization);

      const after = await changed(before.id, EVERYTHING);

      expect(after).toEqual({ ...before, ...EVERYTHING_SHOWN, updated_at: after.updated_at });
      expect(await row(before.id)).toMatchObject({
        ...EVERYTHING,
        organization_id: organization.organizationId,
        workspace_id: organization.workspaceId,
        created_at: new Date(before.created_at),
        updated_at: new Date(after.updated_at!),
      });
    });

    it.each(NULLABLE)('%s to null (200)', async (field) => {
      const before = await everything();

      const after = await changed(before.id, { [field]: null });

      // Answers have what a guardrail says of tools only where it says something.
      const cleared = /_mcp_tools$|^mcp_/.test(field) ? undefined : null;
      expect(after).toEqual({ ...before, [field]: cleared, updated_at: after.updated_at });
    });

    it.each(['name', 'include_byok_in_budgets', 'enforcement'])('nothing (400) when %s is null', async (field) => {
      await expectRefused(await everything(), { [field]: null }, 'invalid_parameters', field);
    });

    it('lists by replacing them (200)', async () => {
      const { id } = await everything();

      const after = await changed(id, {
        allowed_models: ['openai/gpt-latest'],
        ignored_providers: ['azure'],
        content_filters: [],
        content_filter_builtins: [{ slug: 'email', action: 'block' }],
      });

      expect(after).toMatchObject({
        allowed_models: ['openai/gpt-5.5-20260423'],
        ignored_providers: ['azure'],
        content_filters: [],
        content_filter_builtins: [{ slug: 'email', action: 'block', label: '[EMAIL]' }],
        ignored_models: EVERYTHING.ignored_models,
      });
    });

    it('updated_at with every change (200)', async () => {
      const { id } = await app.factory.guardrail(organization);
      const first = await changed(id, { name: 'One' });
      await sleep(5);
      const second = await changed(id, { name: 'Two' });

      expect(Date.parse(second.updated_at!)).toBeGreaterThan(Date.parse(first.updated_at!));
      expect(second.created_at).toBe(first.created_at);
    });

    it('both fields (200) of two requests at the same time', async () => {
      const { id } = await app.factory.guardrail(organization);
      const release = await lockRows(app, 'SELECT 1 FROM guardrails WHERE id = $1 FOR UPDATE', [id]);
      const both = Promise.all([patch(id, { name: 'New' }), patch(id, { description: 'New as well' })]);
      await untilWaitingForLock(app, 2);
      await release();

      expect((await both).map(({ status }) => status)).toEqual([200, 200]);
      expect(await get(id)).toMatchObject({ name: 'New', description: 'New as well' });
    });
  });

  describe('changes nothing', () => {
    it.each([
      ['an empty request', (): object => ({})],
      [
        'what GET answered, without what is read-only',
        ({ id: _, workspace_id: _w, created_at: _c, updated_at: _u, ...fields }: Guardrail): object => fields,
      ],
    ])('for %s: answers 200, writes nothing and records nothing', async (_, request) => {
      const { id } = await everything();
      await changed(id, { name: 'Changed once' });
      const [guardrail, before, events] = [await get(id), await row(id), await auditEventsOf(app, id)];

      expect(await changed(id, request(guardrail))).toEqual(guardrail);
      expect(await row(id)).toEqual(before);
      expect(await auditEventsOf(app, id)).toEqual(events);
    });

    it('for a region that is repeated (200)', async () => {
      const guardrail = await app.factory.guardrail(organization, { allowed_data_regions: ['us'] });

      expect(await changed(guardrail.id, { allowed_data_regions: ['us', 'us'] })).toEqual(guardrail);
    });

    it('for another name of the same model (200)', async () => {
      const guardrail = await app.factory.guardrail(organization, { allowed_models: ['openai/gpt-latest'] });

      expect(await changed(guardrail.id, { allowed_models: ['OpenAI/GPT-5.5'] })).toEqual(guardrail);
    });

    it.each(['id', 'workspace_id', 'created_at', 'updated_at', 'organization_id', 'surprise'])(
      'for %s, which is answered 400',
      async (field) => {
        const guardrail = await everything();
        const value = guardrail[field as keyof Guardrail] ?? null;

        await expectRefused(guardrail, { name: 'Other', [field]: value }, 'invalid_parameters', field);
      },
    );
  });

  describe('changes enforce_zdr', () => {
    it.each([true, false, null])('to %s (200) and leaves the fields of the vendors unchanged', async (value) => {
      const before = await app.factory.guardrail(organization, {
        enforce_zdr_vendor_b: true,
        enforce_zdr_other: false,
      });

      const after = await changed(before.id, { enforce_zdr: value, name: 'Other' });

      const zdr = Object.fromEntries(
        VENDORS.map((vendor) => [`enforce_zdr_${vendor}`, before[`enforce_zdr_${vendor}`]]),
      );
      expect(after).toMatchObject({ ...zdr, enforce_zdr: value });
    });
  });

  it("answers 404 with the same body for another organization's guardrails and for missing ones, and changes nothing", async () => {
    const other = await app.factory.organization();
    const theirs = await app.factory.guardrail(other);
    const before = await row(theirs.id);
    const missing = await patch(UNKNOWN_UUID, { name: 'Intruder' });

    expectRefusal(missing, { status: 404, reason: 'guardrail_not_found', userId: organization.userId });
    for (const id of [theirs.id, defaultGuardrailIdOf(other.workspaceId), 'default']) {
      expect((await patch(id, { name: 'Intruder' })).text).toBe(missing.text);
    }
    expect(await row(theirs.id)).toEqual(before);
  });

  it('answers 200 in the public dialect when the deployment speaks it', async () => {
    const variables = { API_DIALECT: 'public', ZDR_VENDORS: 'anthropic,openai,google,x-ai' };
    const replica = await TestApplication.start({ variables, database: app.database });
    const { id } = await app.factory.guardrail(organization);

    const { body } = await replica.api.patch(`/guardrails/${id}`, {
      key: organization.managementKey,
      json: { enforce_zdr_xai: true },
    });

    expect(body).toMatchObject({ data: { enforce_zdr_xai: true, enforce_zdr_anthropic: null } });
    expect(await get(id)).toMatchObject({ enforce_zdr_vendor_d: true, enforce_zdr_vendor_a: null });
    await replica.stop();
  });
});
