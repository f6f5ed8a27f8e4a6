import { LongWork } from '../../../concurrency/long-work.js';
import type { ContentPolicy } from '../content-policy.js';
import type { Finding, ScannedText } from '../content-result.js';
import type { ContentEngine } from '../engine/compiled-filters.js';
import { MAXIMUM_REDACTIONS, RuleMatches } from '../engine/rule-matches.js';
import { ANSWER_PLACES } from '../content-filters.js';
import { type AnswerJudge, type JudgedPiece, judgedInTurn } from './answer-judge.js';
import type { AnswerPlace, AnswerPolicy } from './answer-policy.js';
import { AnswerRefused, type AnswerSizes, type AnswerText } from './answer-text.js';
import { GrowingScan } from './growing-scan.js';
import { JudgedText } from './judged-text.js';
import { JsonText } from './json-text.js';
import { HeldText, PassingText } from './other-texts.js';
import { PlainText } from './plain-text.js';
import { TextRules } from './text-rules.js';

/** A text of an answer in one piece. */
export interface WholeAnswerText {
  readonly place: AnswerPlace;
  /** What it is: JSON stays JSON. */
  readonly kind: Extract<ScannedText['kind'], 'text' | 'tool_arguments'>;
  readonly text: string;
}

/** A text that comes, and all of it that came. */
interface KeptText extends Omit<WholeAnswerText, 'text'> {
  readonly pieces: string[];
  /** Whether filters that only report have seen it already. */
  readonly isReported: boolean;
}

/** One application of a policy to the texts of an answer, while they come or in one piece. */
export class AnswerInspection {
  /** What was found in pieces, each by itself. */
  private readonly inPieces: Finding[] = [];
  private readonly matches: Readonly<Record<AnswerPlace, readonly RuleMatches[]>>;
  private readonly kept: KeptText[] = [];
  private readonly sizes: AnswerSizes = { came: 0, held: 0 };
  private texts = 0;

  /**
   * @param signal ends the work when the client is gone
   * @param judges judge behind the filters
   * @param isObserving whether it is only to be found out what would be done
   */
  constructor(
    private readonly policy: AnswerPolicy,
    private readonly engine: ContentEngine,
    private readonly organizationId: string,
    private readonly signal: AbortSignal,
    private readonly judges: readonly AnswerJudge[] = [],
    private readonly isObserving = false,
  ) {
    const allowance = { left: MAXIMUM_REDACTIONS };
    const matchesIn = (place: AnswerPlace): readonly RuleMatches[] => {
      const { detectors = [], patterns = [] } = policy[place]?.bounded ?? {};
      return [...detectors, ...patterns].map(({ rule }) => new RuleMatches(rule, allowance));
    };
    this.matches = { response: matchesIn('response'), tool_call: matchesIn('tool_call') };
  }

  /** What filters have found so far, by places: each filter once in each. */
  get findings(): readonly Finding[] {
    const growing = ANSWER_PLACES.flatMap((place) =>
      this.matches[place].flatMap(({ findings }) => findings.map((finding) => ({ ...finding, place }))),
    );
    return summed([...this.inPieces, ...growing]);
  }

  /** How much has come and is held, in code units. */
  get heldLength(): number {
    return this.sizes.held;
  }

  /** What is kept for filters that only report, in code units. */
  get keptLength(): number {
    return this.kept.length === 0 ? 0 : this.sizes.came;
  }

  /** Whether a filter may change or block what stands in a place. */
  isEnforcedIn(place: AnswerPlace): boolean {
    return this.policy[place]?.enforcing !== undefined || this.enforcingJudges(place).length > 0;
  }

  /** A text that is going to come. */
  text(place: AnswerPlace, kind: WholeAnswerText['kind']): AnswerText {
    const text = this.enforcingJudges(place).reduce<AnswerText>(
      // Parts of JSON say nothing by themselves.
      (inner, judge) =>
        new JudgedText(inner, this.judgeOf(judge, place, kind), kind === 'text' ? judge.window : 'whole'),
      this.textUnder(place, kind),
    );
    if (this.policy[place]?.flagging !== undefined || this.observingJudges(place).length > 0) {
      const pieces: string[] = [];
      text.kept = pieces;
      this.kept.push({ place, kind, pieces, isReported: false });
    }
    text.sizes = this.sizes;
    return text;
  }

  /**
   * Applies all filters to texts in one piece, and has what is left judged.
   *
   * @returns what becomes of each, in their order
   * @throws AnswerRefused, DomainError
   */
  async whole(texts: readonly WholeAnswerText[]): Promise<readonly string[]> {
    const written = [...(await this.filtered(texts))];
    for (const { place, kind, text } of texts)
      if (this.observingJudges(place).length > 0) this.kept.push({ place, kind, pieces: [text], isReported: true });
    await this.inPlaces(texts, written, (place, pieces) =>
      judgedInTurn(this.enforcingJudges(place), pieces, (by, left) => by.judge(place, left, this.signal)),
    );
    return written;
  }

  /**
   * Applies all filters to texts in one piece.
   *
   * @returns what they make of each, in their order
   * @throws AnswerRefused, ContentFilterUnavailable, TooManyContentScans
   */
  async filtered(texts: readonly WholeAnswerText[]): Promise<readonly string[]> {
    const written = texts.map(({ text }) => text);
    await this.inPlaces(texts, written, (place, pieces) => {
      const all = this.policy[place]?.all;
      return all === undefined ? pieces.map(({ text }) => text) : this.inspected(all, place, pieces);
    });
    return written;
  }

  /** Applies what only reports to what has come, once no more comes. @throws as {@link whole} does */
  async report(): Promise<void> {
    for (const place of ANSWER_PLACES) {
      const texts = this.kept.filter((text) => text.place === place);
      const piecesOf = (kept: readonly KeptText[]): JudgedPiece[] =>
        kept.map(({ kind, pieces }) => ({ kind, text: pieces.join('') }));
      const unreported = texts.filter(({ isReported }) => !isReported);
      const flagging = this.policy[place]?.flagging;
      if (flagging !== undefined && unreported.length > 0) await this.inspected(flagging, place, piecesOf(unreported));
      if (texts.length === 0) continue;
      for (const judge of this.observingJudges(place)) await judge.judge(place, piecesOf(texts), this.signal);
    }
  }

  /**
   * Has the texts of each place replaced together.
   *
   * @param written what has become of the texts so far, which is replaced
   */
  private async inPlaces(
    texts: readonly WholeAnswerText[],
    written: string[],
    made: (place: AnswerPlace, pieces: readonly JudgedPiece[]) => readonly string[] | Promise<readonly string[]>,
  ): Promise<void> {
    for (const place of ANSWER_PLACES) {
      const places = texts.flatMap((text, index) => (text.place === place ? [index] : []));
      if (places.length === 0) continue;
      const pieces = places.map((index) => ({ kind: texts[index]!.kind, text: written[index]! }));
      const replacements = await made(place, pieces);
      for (const [position, index] of places.entries()) written[index] = replacements[position]!;
    }
  }

  private enforcingJudges(place: AnswerPlace): readonly AnswerJudge[] {
    return this.judges.filter(({ isEnforcing, places }) => isEnforcing && places.has(place));
  }

  private observingJudges(place: AnswerPlace): readonly AnswerJudge[] {
    return this.judges.filter(({ isEnforcing, places }) => !isEnforcing && places.has(place));
  }

  private judgeOf(judge: AnswerJudge, place: AnswerPlace, kind: WholeAnswerText['kind']) {
    return async (text: string): Promise<string> => {
      const [made] = await judge.judge(place, [{ kind, text }], this.signal);
      return made!;
    };
  }

  private textUnder(place: AnswerPlace, kind: WholeAnswerText['kind']): AnswerText {
    const policy = this.policy[place];
    if (policy?.enforcing === undefined) return new PassingText();
    const { enforcing, bounded } = policy;
    const textIndex = this.texts++;
    const matches = this.matches[place];
    const inspect =
      (isTried: boolean) =>
      async (text: string, lead: string): Promise<string> => {
        // What stands behind JSON is no JSON with it, even where it is by itself.
        const read = { kind: lead === '' ? kind : 'text', text, lead } as const;
        const [made] = await this.inspected(enforcing, place, [read], isTried);
        return made!;
      };
    const rules = new TextRules(textIndex, matches, inspect(false), inspect(true));
    if (bounded === undefined) return new HeldText(rules);
    const { engine, signal } = this;
    const turn = new LongWork(engine.turns, this.organizationId, signal);
    const scan = new GrowingScan(bounded, { engine, matches, textIndex, turn, signal });
    return kind === 'text' ? new PlainText(rules, scan) : new JsonText(rules, scan);
  }

  /** @param isTried whether what is found is found again, so that only what is blocked counts */
  private async inspected(
    policy: ContentPolicy,
    place: AnswerPlace,
    texts: readonly Pick<ScannedText, 'kind' | 'text' | 'lead'>[],
    isTried = false,
  ): Promise<readonly string[]> {
    const scanned = texts.map(({ kind, text, lead }) => ({
      kind,
      text,
      role: 'assistant' as const,
      ...(lead && { lead }),
    }));
    const { blocked, texts: made, findings } = await policy.inspect(scanned, this.signal);
    if (!isTried || blocked !== null) this.inPieces.push(...findings.map((finding) => ({ ...finding, place })));
    if (blocked === null) return made;
    if (!this.isObserving) throw new AnswerRefused(blocked);
    return texts.map(({ text }) => text);
  }
}

/** Findings with those of one filter in one place as one. */
function summed(findings: readonly Finding[]): readonly Finding[] {
  const byFilter = new Map<string, Finding>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.place, finding.filter, finding.action]);
    const known = byFilter.get(key);
    byFilter.set(key, known === undefined ? finding : { ...known, count: known.count + finding.count });
  }
  return [...byFilter.values()];
}
