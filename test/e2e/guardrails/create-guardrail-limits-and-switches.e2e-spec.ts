import type { CreateGuardrailResponse } from '../../../src/modules/guardrails/dto/guardrail.dto.js';
import { guardrailCreation, SWITCHES, VENDORS } from './guardrail-creation.js';

describe('createGuardrail', () => {
  const { app, organization, create, row, expectNothingStored, expectRefused } = guardrailCreation();

  describe('limit_usd and reset_interval', () => {
    it.each(['daily', 'weekly', 'monthly'])('are answered 201 and stored: a limit that resets %s', async (interval) => {
      const guardrail = await create({ limit_usd: 0.01, reset_interval: interval });

      expect(guardrail).toMatchObject({ limit_usd: 0.01, reset_interval: interval });
      expect(await row(guardrail.id)).toMatchObject({ limit_usd: 0.01, reset_interval: interval });
    });

    it.each(['0', '-0', '0.1', '1e2', '5e-324', '1.7976931348623157e308', '9007199254740993'])(
      'answer 201 for %s, as the nearest double',
      async (literal) => {
        const raw = `{"name":"Test","reset_interval":"daily","limit_usd":${literal}}`;
        const { status, body } = await app.api.post<CreateGuardrailResponse>('/guardrails', {
          key: organization.managementKey,
          raw,
        });

        expect(status).toBe(201);
        expect(body.data.limit_usd).toBe(Number(literal) + 0);
        expect(Number((await row(body.data.id))['limit_usd']) + 0).toBe(Number(literal) + 0);
      },
    );

    it.each(['-1', '-5e-324', '1e400', '-1e400', '"5"', 'true', '[]', '{}'])(
      'answers 400 for a limit of %s',
      async (literal) => {
        const raw = `{"name":"Test","reset_interval":"daily","limit_usd":${literal}}`;

        await expectNothingStored(() => app.api.post('/guardrails', { key: organization.managementKey, raw }), {
          status: 400,
          reason: 'invalid_parameters',
          paths: ['limit_usd'],
        });
      },
    );

    it.each(['', 'Daily', 'yearly', 'lifetime', 1, ['daily'], false])(
      'answers 400 for an interval of %p',
      async (interval) => {
        await expectRefused({ limit_usd: 5, reset_interval: interval }, 'invalid_parameters', 'reset_interval');
      },
    );

    it.each([
      [{ limit_usd: 5 }, 'reset_interval'],
      [{ limit_usd: 0 }, 'reset_interval'],
      [{ limit_usd: 5, reset_interval: null }, 'reset_interval'],
      [{ reset_interval: 'monthly' }, 'limit_usd'],
      [{ limit_usd: null, reset_interval: 'monthly' }, 'limit_usd'],
    ])('answers 400 for %j: the two fields go together', async (fields, path) => {
      await expectRefused(fields, 'limit_without_interval', path);
    });
  });

  describe('the boolean settings', () => {
    it.each(SWITCHES.flatMap((field) => [true, false].map((value) => [field, value] as const)))(
      'are answered 201 and stored: %s: %s',
      async (field, value) => {
        const guardrail = await create({ [field]: value });

        expect(guardrail).toHaveProperty(field, value);
        expect(await row(guardrail.id)).toHaveProperty(field, value);
      },
    );

    it.each([...SWITCHES, 'include_byok_in_budgets'])(
      'answers 400 for anything but a boolean for %s',
      async (field) => {
        for (const value of ['true', '', 0, 1, [], {}])
          await expectRefused({ [field]: value }, 'invalid_parameters', field);
      },
    );

    it('answers 400 for null for include_byok_in_budgets', async () => {
      await expectRefused({ include_byok_in_budgets: null }, 'invalid_parameters', 'include_byok_in_budgets');
    });

    it.each([
      ['is copied into every field that is absent', { enforce_zdr: true }, [true, true, true, true, true]],
      ['is copied when it is false, too', { enforce_zdr: false }, [false, false, false, false, false]],
      ['is copied when it is null', { enforce_zdr: null }, [null, null, null, null, null]],
      [
        'leaves alone what is set',
        { enforce_zdr: true, enforce_zdr_vendor_b: false, enforce_zdr_other: false },
        [true, false, true, true, false],
      ],
      [
        'leaves alone what is set to null',
        { enforce_zdr: true, enforce_zdr_vendor_a: null, enforce_zdr_vendor_d: null },
        [null, true, true, null, true],
      ],
      ['is not derived from the fields of the vendors', { enforce_zdr_vendor_c: true }, [null, null, true, null, null]],
    ])('answer 201, and enforce_zdr %s', async (_, fields, expected) => {
      const zdr = {
        enforce_zdr: 'enforce_zdr' in fields ? fields.enforce_zdr : null,
        ...Object.fromEntries(VENDORS.map((vendor, index) => [`enforce_zdr_${vendor}`, expected[index]])),
      };

      const guardrail = await create(fields);

      expect(guardrail).toMatchObject(zdr);
      expect(await row(guardrail.id)).toMatchObject(zdr);
    });
  });
});
