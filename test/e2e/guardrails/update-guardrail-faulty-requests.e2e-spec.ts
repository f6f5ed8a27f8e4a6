import { LARGE_BODY, someMalformedBodies } from '../../support/requests/malformed-bodies.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { guardrailUpdate } from './guardrail-update.js';

describe('updateGuardrail', () => {
  const { app, organization, changed, row, expectRefused, everything } = guardrailUpdate();

  describe('checks limit_usd and reset_interval together after the change:', () => {
    it('answers 200 to a change of one of them while both are set', async () => {
      const { id } = await everything();

      expect(await changed(id, { limit_usd: 99 })).toMatchObject({ limit_usd: 99, reset_interval: 'weekly' });
      expect(await changed(id, { reset_interval: 'daily' })).toMatchObject({ limit_usd: 99, reset_interval: 'daily' });
      expect(await changed(id, { limit_usd: 0 })).toMatchObject({ limit_usd: 0, reset_interval: 'daily' });
    });

    it('answers 200 when both are set or cleared together', async () => {
      const { id } = await app.factory.guardrail(organization);
      const both = { limit_usd: 5, reset_interval: 'monthly' };

      expect(await changed(id, both)).toMatchObject(both);
      expect(await changed(id, { limit_usd: null, reset_interval: null })).toMatchObject({
        limit_usd: null,
        reset_interval: null,
      });
    });

    it.each([
      [{ limit_usd: null }, 'limit_usd'],
      [{ reset_interval: null }, 'reset_interval'],
    ])('answers 400 when one of them alone is cleared: %j', async (json, path) => {
      await expectRefused(await everything(), json, 'limit_without_interval', path);
    });

    it.each([
      [{ limit_usd: 5 }, 'reset_interval'],
      [{ reset_interval: 'daily' }, 'limit_usd'],
      [{ limit_usd: 5, reset_interval: null }, 'reset_interval'],
    ])('answers 400 when one of them alone is set: %j', async (json, path) => {
      await expectRefused(await app.factory.guardrail(organization), json, 'limit_without_interval', path);
    });
  });

  describe('for faulty requests', () => {
    it.each<[object, string, string]>([
      [{ name: '' }, 'invalid_parameters', 'name'],
      [{ name: 'x'.repeat(201) }, 'invalid_parameters', 'name'],
      [{ description: 'x'.repeat(1001) }, 'invalid_parameters', 'description'],
      [{ limit_usd: -1 }, 'invalid_parameters', 'limit_usd'],
      [{ reset_interval: 'yearly' }, 'invalid_parameters', 'reset_interval'],
      [{ allowed_models: [] }, 'invalid_parameters', 'allowed_models'],
      [{ allowed_data_regions: [] }, 'invalid_parameters', 'allowed_data_regions'],
      [{ allowed_data_regions: ['asia'] }, 'invalid_parameters', 'allowed_data_regions[0]'],
      [{ allowed_models: ['nobody/nothing'] }, 'unknown_model', 'allowed_models[0]'],
      [{ ignored_models: ['openai/gpt-latest', 'x'] }, 'unknown_model', 'ignored_models[1]'],
      [{ ignored_providers: ['nobody'] }, 'unknown_provider', 'ignored_providers[0]'],
      [{ enforce_zdr_vendor_a: 'true' }, 'invalid_parameters', 'enforce_zdr_vendor_a'],
      [{ enforce_zdr_openai: true }, 'invalid_parameters', 'enforce_zdr_openai'],
      [
        { content_filters: [{ pattern: '(?=a)', action: 'flag' }] },
        'invalid_regex_pattern',
        'content_filters[0].pattern',
      ],
      [
        {
          content_filter_builtins: [
            { slug: 'email', action: 'flag' },
            { slug: 'email', action: 'block' },
          ],
        },
        'duplicate_builtin_filter',
        'content_filter_builtins[1].slug',
      ],
    ])('answers 400 for %j', async (json, reason, path) => {
      await expectRefused(await everything(), json, reason, path);
    });

    it('answers 400 and names unknown values and fields that do not go together at once', async () => {
      await expectRefused(
        await app.factory.guardrail(organization),
        { limit_usd: 1, allowed_models: ['nobody/nothing'], allowed_providers: ['nobody'] },
        'invalid_parameters',
        'reset_interval',
        'allowed_models[0]',
        'allowed_providers[0]',
      );
    });

    it.each(someMalformedBodies({ name: 'Test' }, LARGE_BODY))(
      'answers 400, 413 or 415 for %s',
      async (_, request, refusal) => {
        const { id } = await app.factory.guardrail(organization);
        const before = await row(id);

        const answer = await app.api.patch(`/guardrails/${id}`, { key: organization.managementKey, ...request });

        expectRefusal(answer, { userId: organization.userId, ...refusal });
        expect(await row(id)).toEqual(before);
      },
    );
  });
});
