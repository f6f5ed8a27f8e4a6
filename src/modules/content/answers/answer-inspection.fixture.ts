import { readEnvironment } from '../../../config/environment.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import { readExamples } from '../../../../packages/content-detectors/corpus/corpus.fixture.js';
import type { BuiltinFilter, ContentFilters, CustomFilter } from '../content-filters.js';
import { ContentService } from '../content.service.js';
import { CustomSearch } from '../custom/custom-search.js';
import { ClassifierClient } from '../inspectors/classifier/classifier-client.js';
import { AnalyzerClient } from '../inspectors/presidio/analyzer-client.js';
import type { AnswerInspection, WholeAnswerText } from './answer-inspection.js';
import type { AnswerJudge } from './answer-judge.js';
import { AnswerRefused } from './answer-text.js';

/** Marks an answer that was refused. */
export const REFUSED = '\0';

/** What a text of an answer may be. */
export const KINDS = ['text', 'tool_arguments'] as const satisfies readonly WholeAnswerText['kind'][];

const ANSWERS = { applies_to: ['response', 'tool_call'], guardrailIds: ['guardrail-1'] } as const;

/** Builtin filters of answers. */
export const builtins = (
  action: BuiltinFilter['action'],
  ...slugs: BuiltinFilter['slug'][]
): Partial<ContentFilters> => ({
  contentFilterBuiltins: slugs.map((slug) => ({ slug, action, ...ANSWERS })),
});

/** Custom filters of answers. */
export const patterns = (action: CustomFilter['action'], ...texts: string[]): Partial<ContentFilters> => ({
  contentFilters: texts.map((pattern) => ({ pattern, action, label: '[X]', ...ANSWERS })),
});

/** Filters of all kinds that hold no text to its end. */
export const FILTERS: Partial<ContentFilters> = {
  ...builtins('redact', 'email', 'phone', 'ssn', 'credit-card', 'ip-address', 'secrets', 'regex-prompt-injection'),
  ...patterns('redact', 'PROJECT-[0-9]{4}', '\\bfoo(bar){0,3}\\b', '(?i)caf\u00e9'),
};

/** The filters of answers of a process of tests. */
export class FiltersOfTests {
  private readonly customSearch = new CustomSearch();
  private readonly service: ContentService;

  constructor() {
    const environment = readEnvironment({});
    this.service = new ContentService(
      this.customSearch,
      new AnalyzerClient(environment),
      new ClassifierClient(environment),
      new LoopTurns(),
    );
  }

  stop(): Promise<void> {
    return this.customSearch.onApplicationShutdown();
  }

  /** @param judges behind the filters */
  inspection(filters: Partial<ContentFilters>, judges: readonly AnswerJudge[] = []): AnswerInspection {
    return this.service
      .compileForAnswers('organization-1', { contentFilterBuiltins: [], contentFilters: [], ...filters })
      .inspection(new AbortController().signal, judges);
  }

  /** What filters make of a text in one piece. */
  async whole(filters: Partial<ContentFilters>, text: string, kind: WholeAnswerText['kind']): Promise<string> {
    const [made] = await this.inspection(filters).whole([{ place: 'response', kind, text }]);
    return made!;
  }

  /** What leaves of a text that comes in pieces. */
  async streamed(
    filters: Partial<ContentFilters>,
    pieces: readonly string[],
    kind: WholeAnswerText['kind'],
  ): Promise<string> {
    const text = this.inspection(filters).text('response', kind);
    let left = '';
    try {
      for (const piece of pieces) {
        text.append(piece);
        await text.advance(false);
        left += text.takeTo(text.length);
      }
      await text.advance(true);
    } catch (error) {
      if (!(error instanceof AnswerRefused)) throw error;
      return left + REFUSED;
    }
    return left + text.takeTo(text.length);
  }
}

/** A text in pieces of a size, in code units. */
export function piecesOf(text: string, size: number): string[] {
  return text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
}

/** A text in two pieces, cut anywhere. */
export function halves(text: string): string[][] {
  return Array.from({ length: text.length + 1 }, (_, cut) => [text.slice(0, cut), text.slice(cut)]);
}

const CORPORA = ['email', 'phone', 'ssn', 'credit-card', 'ip-address', 'secrets', 'prompt-injection', 'escaped'];

/** Examples of all filters and look-alikes, each between others and prose. @param step of so many one is given */
export function* paragraphs(step: number): Generator<string> {
  for (const slug of CORPORA) {
    const examples = [...readExamples(`${slug}.found`), ...readExamples(`${slug}.ignored`)].map(({ text }) => text);
    for (const [index, example] of examples.entries()) {
      if (index % step !== 0) continue;
      const other = examples[(7 * index) % examples.length];
      yield `${'Plain words before it. '.repeat((index % 5) * 30)}${example}\nAnd words behind it, ${other}.`;
    }
  }
}

const inJson = (text: string): string =>
  JSON.stringify({ path: 'a.txt', 'content of': [text, 4111111111111111, { n: -1.5e3, ok: true }] });

/** A text as the content of an answer, or within the arguments of a call. */
export function asKind(text: string, kind: WholeAnswerText['kind']): string {
  return kind === 'text' ? text : inJson(text);
}
