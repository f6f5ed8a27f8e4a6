import { type CountedCall, CountedCode } from '../support/work/counted-code.js';
import { SERVED_MODELS } from '../support/work/served-models.js';
import { CHAT_LISTS, MESSAGES_LISTS, RESPONSES_LISTS } from './request-lists.js';

/** How much more work a request may be that has twice as much. */
const MOST = 2.5;

/** The length of the lists: enough that what stands around them counts for little, and few enough for every bound. */
const LENGTH = 250;

const FORMS = {
  'chat/completions': CHAT_LISTS,
  responses: RESPONSES_LISTS,
  messages: Object.fromEntries(
    Object.entries(MESSAGES_LISTS).map(([name, listOf]) => [
      name,
      (length: number) => ({ max_tokens: 100, ...listOf(length) }),
    ]),
  ),
} as const;

/** The lists of all forms. */
const LISTS = Object.entries(FORMS).flatMap(([path, lists]) =>
  Object.entries(lists).map(([name, listOf]) => [path, name, listOf] as const),
);

/** Models for which the other forms are translated too: their own, and one that is asked in the form of chats. */
const OF_ALL_FORMS = ['anthropic', 'openai-responses', 'openai, demanding'];

const listsFor = (served: string) =>
  OF_ALL_FORMS.includes(served) ? LISTS : LISTS.filter(([path]) => path === 'chat/completions');

describe('A request', () => {
  let counted: CountedCode;

  beforeAll(async () => {
    counted = await CountedCode.of('test/work/request-work.fixture.mjs');
  });
  afterAll(() => counted.end());

  /** Expects that a list of twice the length takes twice the work, and that both requests are taken. */
  const expectProportion = async (call: (body: object) => Promise<CountedCall>, listOf: (length: number) => object) => {
    const ofLength = async (length: number) => {
      const { work, error, result } = await call({ model: 'up', ...listOf(length) });
      // A dialect may have no form for what the list has.
      if (error?.kind !== 'refused') expect(error ?? (result as { issues?: unknown }).issues).toBeUndefined();
      return work;
    };
    await ofLength(1);
    const [once, twice] = [await ofLength(LENGTH), await ofLength(2 * LENGTH)];
    expect(twice / once).toBeLessThan(MOST);
  };

  it.each(LISTS)('of %s with %s is read with work in proportion to them', async (path, _name, listOf) => {
    await expectProportion((body) => counted.call('readChat', path, body), listOf);
  });

  describe.each(Object.keys(SERVED_MODELS))('for %s', (served) => {
    it.each(listsFor(served))(
      'of %s with %s is translated with work in proportion to them',
      async (path, _name, listOf) => {
        await expectProportion((body) => counted.call('sendChat', path, SERVED_MODELS[served], body), listOf);
      },
    );
  });
});
