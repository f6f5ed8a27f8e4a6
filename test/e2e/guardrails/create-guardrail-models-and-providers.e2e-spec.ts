import { auditEventsOf } from '../../support/expectations/audit-events.js';
import { guardrailCreation, LISTS } from './guardrail-creation.js';

const MODEL_LISTS = ['allowed_models', 'ignored_models'] as const;

const PROVIDER_LISTS = ['allowed_providers', 'ignored_providers'] as const;

describe('createGuardrail', () => {
  const { app, create, row, expectRefused, messagesOf } = guardrailCreation();

  describe('models and providers', () => {
    it.each([
      ['an id', 'openai/gpt-5.5', 'openai/gpt-5.5-20260423'],
      ['a canonical slug', 'openai/gpt-5.5-20260423', 'openai/gpt-5.5-20260423'],
      ['an alias', 'openai/gpt-latest', 'openai/gpt-5.5-20260423'],
      ['any case', 'OpenAI/GPT-Latest', 'openai/gpt-5.5-20260423'],
      ['an image model', 'openai/gpt-image-2', 'openai/gpt-image-2'],
      [
        'a variant with an entry of its own',
        'deepseek/deepseek-v4-flash:free',
        'deepseek/deepseek-v4-flash-20260423:free',
      ],
      [
        'a variant of a canonical slug',
        'deepseek/deepseek-v4-flash-20260423:free',
        'deepseek/deepseek-v4-flash-20260423:free',
      ],
      ['a variant without an entry', 'openai/gpt-5.5:nitro', 'openai/gpt-5.5-20260423:nitro'],
      ['a variant of an alias', 'anthropic/claude-opus-latest:thinking', 'anthropic/claude-4.7-opus-20260416:thinking'],
      ['a variant in capitals', 'openai/gpt-oss-120b:FREE', 'openai/gpt-oss-120b:free'],
    ])('are stored (201): %s becomes the canonical slug', async (_, reference, canonical) => {
      const guardrail = await create({ allowed_models: [reference], ignored_models: [reference] });

      expect(guardrail).toMatchObject({ allowed_models: [canonical], ignored_models: [canonical] });
      expect(await row(guardrail.id)).toMatchObject({ allowed_models: [canonical], ignored_models: [canonical] });
    });

    it.each(['free', 'extended', 'thinking', 'online', 'nitro', 'floor', 'beta', 'batch'])(
      'answer 201 for the variant %s',
      async (variant) => {
        const { allowed_models: models } = await create({ allowed_models: [`openai/gpt-audio:${variant}`] });

        expect(models).toEqual([`openai/gpt-audio:${variant}`]);
      },
    );

    it.each(MODEL_LISTS)('are stored (201): %s in their order, each model once', async (list) => {
      const references = [
        'xiaomi/mimo-v2.5-pro',
        'openai/gpt-5.5',
        'openai/gpt-5.5:free',
        'OPENAI/gpt-latest',
        'openai/gpt-5.5-20260423',
        'openai/gpt-latest:free',
        'amazon/nova-2-lite-v1',
        'xiaomi/mimo-v2.5-pro',
      ];
      const expected = [
        'xiaomi/mimo-v2.5-pro-20260422',
        'openai/gpt-5.5-20260423',
        'openai/gpt-5.5-20260423:free',
        'amazon/nova-2-lite-v1',
      ];

      const guardrail = await create({ [list]: references });

      expect(guardrail[list]).toEqual(expected);
      expect((await row(guardrail.id))[list]).toEqual(expected);
    });

    it.each(PROVIDER_LISTS)('are stored (201): %s in lower case and in their order, each once', async (list) => {
      const guardrail = await create({ [list]: ['xai', 'Azure', 'AZURE', 'azure', 'google-vertex'] });

      expect(guardrail[list]).toEqual(['xai', 'azure', 'google-vertex']);
      expect((await row(guardrail.id))[list]).toEqual(['xai', 'azure', 'google-vertex']);
    });

    it.each(MODEL_LISTS)('answers 400 and names every one of %s that the catalog does not have', async (list) => {
      const references = [
        'openai/gpt-5.5',
        'openai/no-such-model',
        'gpt-5.5',
        '',
        'openai/gpt-5.5:unknown',
        'openai/gpt-5.5:',
        'openai/gpt-5.5:free:free',
        'openai/gpt-latest ',
      ];
      const unknown = references.slice(1);

      const answer = await expectRefused(
        { [list]: references },
        'unknown_model',
        ...unknown.map((_, index) => `${list}[${index + 1}]`),
      );

      for (const [index, message] of messagesOf(answer).entries()) expect(message).toContain(unknown[index]);
    });

    it.each(PROVIDER_LISTS)('answers 400 and names every unknown one of %s', async (list) => {
      const answer = await expectRefused(
        { [list]: ['no-such-provider', 'openai', 'anthropic/claude-opus-4.7', ''] },
        'unknown_provider',
        `${list}[0]`,
        `${list}[2]`,
        `${list}[3]`,
      );

      expect(messagesOf(answer)[0]).toContain('no-such-provider');
      expect(messagesOf(answer)[1]).toContain('anthropic/claude-opus-4.7');
    });

    it('answers 201 for the same model and provider as allowed and as ignored', async () => {
      const fields = {
        allowed_models: ['openai/gpt-audio'],
        ignored_models: ['openai/gpt-audio'],
        allowed_providers: ['openai'],
        ignored_providers: ['openai'],
      };

      const guardrail = await create(fields);

      expect(guardrail).toMatchObject(fields);
      expect(await row(guardrail.id)).toMatchObject(fields);
    });

    it('answers 201 for a retired model', async () => {
      await app.rows(`UPDATE models SET in_model_list = false WHERE id = 'z-ai/glm-5v-turbo'`);

      const { allowed_models: models } = await create({ allowed_models: ['z-ai/glm-5v-turbo'] });

      expect(models).toEqual(['z-ai/glm-5v-turbo-20260401']);
    });

    it.each(LISTS)('answers 400 for %s without an item', async (list) => {
      await expectRefused({ [list]: [] }, 'invalid_parameters', list);
    });

    it.each(LISTS)('answers 400 for %s that is not a list of strings', async (list) => {
      for (const value of ['openai', { 0: 'openai' }, 1, true]) {
        await expectRefused({ [list]: value }, 'invalid_parameters', list);
      }
      await expectRefused(
        { [list]: [null, 'openai', 1, ['a']] },
        'invalid_parameters',
        `${list}[0]`,
        `${list}[2]`,
        `${list}[3]`,
      );
      await expectRefused({ [list]: ['a\u0000', '\ud800'] }, 'invalid_parameters', `${list}[0]`, `${list}[1]`);
    });

    it('answers 201 for a thousand references, and 400 that names each unknown one', async () => {
      const same = await create({ allowed_models: Array.from({ length: 1_000 }, () => 'openai/gpt-audio') });
      const unknown = Array.from({ length: 1_000 }, (_, index) => `nobody/model-${index}`);

      expect(same.allowed_models).toEqual(['openai/gpt-audio']);
      await expectRefused(
        { allowed_models: unknown },
        'unknown_model',
        ...unknown.map((_, index) => `allowed_models[${index}]`),
      );
    });
  });

  describe('allowed_data_regions', () => {
    it.each([[['global']], [['europe']], [['us']], [['us', 'europe', 'global']]])(
      'answers 201 with %j in this order',
      async (regions) => {
        const guardrail = await create({ allowed_data_regions: regions });

        expect(guardrail.allowed_data_regions).toEqual(regions);
        expect((await row(guardrail.id))['allowed_data_regions']).toEqual(regions);
      },
    );

    it('answers 201 with a region once that is given twice', async () => {
      const guardrail = await create({ allowed_data_regions: ['us', 'europe', 'us', 'us'] });

      expect(guardrail.allowed_data_regions).toEqual(['us', 'europe']);
      expect((await row(guardrail.id))['allowed_data_regions']).toEqual(['us', 'europe']);
    });

    it.each([
      ['an empty list', [], 'allowed_data_regions'],
      ['a region in place of a list', 'europe', 'allowed_data_regions'],
      ['an object', {}, 'allowed_data_regions'],
      ['another region', ['europe', 'asia'], 'allowed_data_regions[1]'],
      ['the short name of a region', ['eu'], 'allowed_data_regions[0]'],
      ['a region in capitals', ['US'], 'allowed_data_regions[0]'],
      ['null in the list', [null], 'allowed_data_regions[0]'],
      ['an empty text', [''], 'allowed_data_regions[0]'],
    ])('answers 400 to %s', async (_, value, path) => {
      await expectRefused({ allowed_data_regions: value }, 'invalid_parameters', path);
    });

    it('is recorded in the audit trail (201)', async () => {
      const { id } = await create({ allowed_data_regions: ['europe'] });

      expect((await auditEventsOf(app, id))[0]).toMatchObject({
        changes: { allowed_data_regions: { after: ['europe'] } },
      });
    });
  });
});
