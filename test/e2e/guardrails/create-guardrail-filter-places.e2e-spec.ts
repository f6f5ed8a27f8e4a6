import { guardrailCreation } from './guardrail-creation.js';

const LISTS = ['content_filter_builtins', 'content_filters'] as const;

describe('createGuardrail', () => {
  const { create, row, expectRefused } = guardrailCreation();

  const withPlaces = (places: unknown): Record<(typeof LISTS)[number], object[]> => ({
    content_filter_builtins: [{ slug: 'email', action: 'block', applies_to: places }],
    content_filters: [{ pattern: 'x', action: 'block', applies_to: places }],
  });

  it.each([
    ['other ones than usual', ['response'], ['response']],
    [
      'all, in any order and repeated',
      ['tool_result', 'tool_call', 'response', 'request', 'tool_call'],
      ['request', 'response', 'tool_call', 'tool_result'],
    ],
    ['more than usual', ['response', 'tool_result', 'request'], ['request', 'response', 'tool_result']],
  ])('answers 201 with the places where filters apply: %s', async (_, places, shown) => {
    const guardrail = await create(withPlaces(places));

    const stored = await row(guardrail.id);
    for (const list of LISTS) {
      expect(guardrail[list]).toMatchObject([{ applies_to: shown }]);
      expect(stored[list]).toMatchObject([{ applies_to: shown }]);
    }
  });

  it('answers 201 without the places where they are the usual ones', async () => {
    const guardrail = await create(withPlaces(['tool_result', 'request']));

    const stored = await row(guardrail.id);
    for (const list of LISTS) {
      expect(guardrail[list]![0]).not.toHaveProperty('applies_to');
      expect((stored[list] as object[])[0]).not.toHaveProperty('applies_to');
    }
  });

  it.each([
    ['none', []],
    ['null', null],
    ['a text', 'request'],
    ['an unknown one', ['request', 'answer']],
    ['something else', [1]],
  ])('answers 400 for %s as the places', async (_, places) => {
    const refused = withPlaces(places);
    for (const list of LISTS) {
      const at = Array.isArray(places) && places.length > 0 ? `[${places.length - 1}]` : '';
      await expectRefused({ [list]: refused[list] }, 'invalid_parameters', `${list}[0].applies_to${at}`);
    }
  });
});
