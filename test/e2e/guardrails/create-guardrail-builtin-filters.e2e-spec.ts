import { guardrailCreation, ASTRAL } from './guardrail-creation.js';

describe('createGuardrail', () => {
  const { create, row, expectRefused, messagesOf } = guardrailCreation();

  describe('content_filter_builtins', () => {
    const LABELS = {
      email: '[EMAIL]',
      phone: '[PHONE]',
      ssn: '[SSN]',
      'credit-card': '[CREDIT_CARD]',
      'ip-address': '[IP_ADDRESS]',
      secrets: '[SECRET]',
      'person-name': '[PERSON_NAME]',
      address: '[ADDRESS]',
      'regex-prompt-injection': '[PROMPT_INJECTION]',
    };

    it.each(Object.entries(LABELS))('answers 201 for %s with the label %s, with every action', async (slug, label) => {
      const scope = slug === 'regex-prompt-injection' ? { scan_scope: 'all_messages' } : {};
      for (const action of ['redact', 'block', 'flag']) {
        const guardrail = await create({ content_filter_builtins: [{ slug, action }] });

        expect(guardrail.content_filter_builtins).toEqual([{ slug, action, label, ...scope }]);
        expect((await row(guardrail.id))['content_filter_builtins']).toEqual([{ slug, action, ...scope }]);
      }
    });

    it.each(['user_only', 'all_messages'])(
      'answers 201 with a scan scope of %s on regex-prompt-injection',
      async (scope) => {
        const entry = { slug: 'regex-prompt-injection', action: 'block', scan_scope: scope };

        const guardrail = await create({ content_filter_builtins: [entry] });

        expect(guardrail.content_filter_builtins).toEqual([{ ...entry, label: '[PROMPT_INJECTION]' }]);
        expect((await row(guardrail.id))['content_filter_builtins']).toEqual([entry]);
      },
    );

    it('answers 201 without the scan scope of another slug', async () => {
      const guardrail = await create({
        content_filter_builtins: [{ slug: 'secrets', action: 'redact', scan_scope: 'user_only' }],
      });

      expect(guardrail.content_filter_builtins).toEqual([{ slug: 'secrets', action: 'redact', label: '[SECRET]' }]);
      expect((await row(guardrail.id))['content_filter_builtins']).toEqual([{ slug: 'secrets', action: 'redact' }]);
    });

    it.each([
      ['a label', 'mine'],
      ['an empty label', ''],
      ['a label of 100 characters outside the basic plane', ASTRAL.repeat(100)],
    ])('answers 201 without %s', async (_, label) => {
      const guardrail = await create({ content_filter_builtins: [{ slug: 'phone', action: 'flag', label }] });

      expect(guardrail.content_filter_builtins).toEqual([{ slug: 'phone', action: 'flag', label: '[PHONE]' }]);
      expect((await row(guardrail.id))['content_filter_builtins']).toEqual([{ slug: 'phone', action: 'flag' }]);
    });

    it('answers 201 with all entries in their order', async () => {
      const entries = Object.keys(LABELS)
        .reverse()
        .map((slug) => ({ slug, action: 'flag' }));

      const guardrail = await create({ content_filter_builtins: entries });

      expect(guardrail.content_filter_builtins!.map((entry) => entry.slug)).toEqual(entries.map((entry) => entry.slug));
    });

    it('answers 201 for an empty list, because the interface has no minimum', async () => {
      const guardrail = await create({ content_filter_builtins: [], content_filters: [] });

      expect(guardrail).toMatchObject({ content_filter_builtins: [], content_filters: [] });
      expect(await row(guardrail.id)).toMatchObject({ content_filter_builtins: [], content_filters: [] });
    });

    it('answers 400 and names each repeated slug', async () => {
      const entry = { slug: 'email', action: 'flag' };

      const answer = await expectRefused(
        { content_filter_builtins: [entry, { slug: 'ssn', action: 'flag' }, { ...entry, action: 'block' }, entry] },
        'duplicate_builtin_filter',
        'content_filter_builtins[2].slug',
        'content_filter_builtins[3].slug',
      );

      expect(messagesOf(answer)[0]).toContain('email');
    });

    const faultyEntries: [name: string, entry: unknown, path: string][] = [
      ['an unknown slug', { slug: 'iban', action: 'flag' }, '.slug'],
      ['a slug in capitals', { slug: 'EMAIL', action: 'flag' }, '.slug'],
      ['a slug of null', { slug: null, action: 'flag' }, '.slug'],
      ['no slug', { action: 'flag' }, '.slug'],
      ['an unknown action', { slug: 'email', action: 'log' }, '.action'],
      ['no action', { slug: 'email' }, '.action'],
      ['an unknown scope', { slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'system' }, '.scan_scope'],
      ['an unknown scope that would have no effect', { slug: 'email', action: 'flag', scan_scope: '' }, '.scan_scope'],
      ['a label of 101 characters', { slug: 'email', action: 'flag', label: ASTRAL.repeat(101) }, '.label'],
      ['a label of null', { slug: 'email', action: 'flag', label: null }, '.label'],
      ['a label with NUL', { slug: 'email', action: 'flag', label: '\u0000' }, '.label'],
      ['an unknown field', { slug: 'email', action: 'flag', pattern: 'x' }, '.pattern'],
      ['a string', 'email', ''],
      ['null', null, ''],
    ];

    it.each(faultyEntries)('answers 400 for %s', async (_, entry, path) => {
      const fine = { slug: 'ssn', action: 'flag' };

      await expectRefused(
        { content_filter_builtins: [fine, entry] },
        'invalid_parameters',
        `content_filter_builtins[1]${path}`,
      );
    });

    it.each(['email', {}, true])('answers 400 for %p in place of a list', async (value) => {
      await expectRefused({ content_filter_builtins: value }, 'invalid_parameters', 'content_filter_builtins');
    });
  });
});
