import { CountedCode } from '../support/work/counted-code.js';
import { ANSWERS, type Event, grown, hasPlaces, listsIn, REFUSAL, RESULTS } from './answer-lists.js';
import { entries } from './request-lists.js';

/**
 * How much more work an answer may be that has twice as much. What is counted is the same in each run, and an entry takes hundreds of steps,
 * so that a search through all others shows in tenths only.
 */
const MOST = 2.1;

/** The most for results that are sorted, or whose entries take few steps. */
const MOST_OF_RESULTS = 2.5;

/** The length of the lists: enough that what stands around them counts for little, and few enough for every bound. */
const LENGTH = 100;

const DIALECTS = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];
const CHAT_FORMS = ['chat', 'messages', 'responses'];

/** The form of legacy completions has nothing that only some dialects have. */
const FORMS = [...CHAT_FORMS, 'completions'];

/** A function of the fixture, and what it is called with. */
type Call = readonly [name: string, ...values: unknown[]];

const KINDS = [
  ['the same', false],
  ['others', true],
] as const;

describe('An answer', () => {
  let counted: CountedCode;

  beforeAll(async () => {
    counted = await CountedCode.of('test/work/answer-work.fixture.mjs');
  });
  afterAll(() => counted.end());

  /** How many times the work twice as much is. @throws what ends it before all is read */
  const growthOf = async (callOf: (length: number) => Call): Promise<number> => {
    const ofLength = async (length: number): Promise<number> => {
      const [name, ...values] = callOf(length);
      const { work, error } = await counted.call(name, ...values);
      if (error !== undefined) throw new Error(`${error.name}: ${error.message}`);
      return work;
    };
    const once = await ofLength(LENGTH);
    return (await ofLength(2 * LENGTH)) / once;
  };

  /** Expects that twice as much is twice the work, of each of the calls. */
  const expectProportion = async (calls: Readonly<Record<string, (length: number) => Call>>, most = MOST) => {
    const growths: Record<string, number> = {};
    for (const [name, callOf] of Object.entries(calls)) growths[name] = await growthOf(callOf);
    expect(Object.entries(growths).filter(([, growth]) => growth >= most)).toEqual([]);
  };

  describe.each(DIALECTS)('of a provider of the dialect %s', (dialect) => {
    const { documents, events, following, repeated, begin, end } = ANSWERS[dialect];

    /** A call for each list of some documents, by its place. */
    const ofEachList = (
      given: readonly Event[1][],
      callOf: (grownOf: (length: number) => Event[1], at: number) => (length: number) => Call,
    ): Readonly<Record<string, (length: number) => Call>> =>
      Object.fromEntries(
        given.flatMap((document, at) =>
          listsIn(document).flatMap((path) =>
            KINDS.filter(([, areTold]) => areTold || hasPlaces(document, path)).map(([kind, areTold]) => [
              `${kind} in ${path.join('.')} of ${at}`,
              callOf((length) => grown(document, path, length, areTold), at),
            ]),
          ),
        ),
      );

    describe.each(dialect === 'openai' ? FORMS : CHAT_FORMS)('to a client of %s', (form) => {
      const streamOf = (sent: readonly (Event | readonly [name: Event[0], text: string])[]): Call => [
        'streamed',
        dialect,
        form,
        [...begin, ...sent, ...end],
      ];

      it('takes work in proportion to each of its lists', async () => {
        await expectProportion(
          ofEachList(documents, (grownOf) => (length) => ['whole', dialect, form, grownOf(length)]),
        );
      });

      it('takes work in proportion to each list of its events', async () => {
        const given = events.map(([, document]) => document);
        await expectProportion(
          ofEachList(given, (grownOf, at) => (length) => streamOf([[events[at]![0], grownOf(length)]])),
        );
      });

      it.each(Object.keys(following))(
        'takes work in proportion to events %s behind each of its lists',
        async (kind) => {
          const small = following[kind]!;
          const outer = events.flatMap(([name, document]) =>
            listsIn(document)
              .filter((path) => path.filter((part) => typeof part === 'number').length < 2)
              .map((path) => [name, document, path] as const),
          );
          await expectProportion(
            Object.fromEntries(
              outer.map(([name, document, path], at) => [
                `${path.join('.')} (${at})`,
                (length: number) =>
                  streamOf([[name, grown(document, path, length, true)], ...entries(length, () => small)]),
              ]),
            ),
          );
        },
      );

      it('is read, or invalid, however deep it nests', async () => {
        const calls = (depth: number): Call[] => {
          const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`;
          const textOf = (document: unknown): string => JSON.stringify(document).replaceAll('[1]', nested);
          return [
            ...documents.map((document): Call => ['wholeOfText', dialect, form, textOf(document)]),
            ...events.map(([name, document]) => streamOf([[name, textOf(document)]])),
          ];
        };
        for (const [at] of calls(1).entries()) {
          const workOf = async (depth: number): Promise<number> => {
            const [name, ...values] = calls(depth)[at]!;
            const { work, error } = await counted.call(name, ...values);
            expect(error?.kind ?? 'invalid').toBe('invalid');
            return work;
          };
          expect((await workOf(150)) / (await workOf(75))).toBeLessThan(MOST);
          expect((await workOf(200_000)) / (await workOf(100_000))).toBeLessThan(MOST);
        }
      });

      it('takes work in proportion to what comes event by event', async () => {
        const eventsAt = repeated as Readonly<Record<string, (at: number) => readonly Event[]>>;
        await expectProportion(
          Object.fromEntries(
            Object.entries(eventsAt).map(([kind, eventsOf]) => [
              kind,
              (length: number) => streamOf(entries(length, eventsOf).flat()),
            ]),
          ),
        );
      });
    });
  });

  it('that is no chat takes work in proportion to each of its lists', async () => {
    await expectProportion(RESULTS, MOST_OF_RESULTS);
  });

  it('that is an error takes work in proportion to each of its lists', async () => {
    const calls = listsIn(REFUSAL).map((path) => [
      path.join('.'),
      (length: number): Call => ['failure', grown(REFUSAL, path, length, true)],
    ]);
    await expectProportion(Object.fromEntries(calls) as Readonly<Record<string, (length: number) => Call>>);
  });
});
