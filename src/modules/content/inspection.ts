import { LongWork } from '../../concurrency/long-work.js';
import { withinTime } from './analyzer/analysis-time.js';
import { AnalyzerFailure } from './analyzer/analyzer.js';
import { ContentFilterUnavailable } from './content.errors.js';
import type { ContentResult, Refusal, ScannedText, OnTextMatch } from './content-result.js';
import { CustomScan } from './custom/custom-scan.js';
import type { CompiledFilters, ContentEngine } from './engine/compiled-filters.js';
import { type DetectorScan, scanWith } from './engine/detector-scan.js';
import type { FilterRule } from './engine/filter-rule.js';
import { MAXIMUM_REDACTIONS, type OnRuleMatch, type RedactionAllowance, RuleMatches } from './engine/rule-matches.js';
import type { ScanTarget } from './engine/scan-target.js';
import { scanTargetOf } from './engine/scan-target-of.js';
import { readingsOf, type TextReading } from './engine/text-readings.js';

/** How many texts of one request are analyzed at once. */
const ANALYZED_AT_ONCE = 8;

/** The roles whose texts are what the user says. */
const USER_ROLES: ReadonlySet<ScannedText['role']> = new Set(['user', 'input']);

/** Who has a request inspected. */
interface InspectionClient {
  /** Ends the scan when the client is gone. */
  readonly signal: AbortSignal | undefined;
  /** Receives where filters match. */
  readonly matched: OnTextMatch | undefined;
}

/** One application of a policy to the texts of a request. */
export class Inspection {
  private readonly signal: AbortSignal | undefined;
  private readonly isWatched: boolean;
  private readonly turn: LongWork;
  private readonly detectorMatches: readonly RuleMatches[];
  private readonly analyzedMatches: readonly RuleMatches[];
  private readonly customMatches: readonly RuleMatches[];
  /** Of the texts that have been scanned, by their positions, if anyone watches: those of arguments take as much memory again as they do. */
  private readonly targets = new Map<number, ScanTarget>();

  constructor(
    private readonly filters: CompiledFilters,
    private readonly engine: ContentEngine,
    private readonly texts: readonly ScannedText[],
    { signal, matched }: InspectionClient,
  ) {
    this.signal = signal;
    const allowance: RedactionAllowance = { left: MAXIMUM_REDACTIONS };
    this.turn = new LongWork(engine.turns, filters.organizationId, signal);
    this.isWatched = matched !== undefined;
    const watcher = matched && this.watcherFor(matched);
    const leadLengthOf = (index: number): number => texts[index]!.lead?.length ?? 0;
    const matchesOf = ({ rule }: { readonly rule: FilterRule }): RuleMatches =>
      new RuleMatches(rule, allowance, leadLengthOf, watcher);
    this.detectorMatches = filters.detectors.map(matchesOf);
    this.analyzedMatches = filters.analyzed.map(matchesOf);
    this.customMatches = filters.customPatterns.map(matchesOf);
  }

  /** Scans all texts, and puts together what the filters make of them. */
  async run(): Promise<ContentResult> {
    const customScan = new CustomScan(this.filters, this.engine, this.customMatches, {
      textCount: this.texts.length,
      readingsOf: async (index, turn) => readingsOf((await this.targetOf(index, turn)).text, turn),
      signal: this.signal,
    });
    // Who watches gets matches in an order that does not depend on time.
    if (this.isWatched) await this.runDetectors();
    await customScan.prepare();
    // The threads of custom patterns search while the detectors have the event loop.
    await Promise.all([customScan.run(), this.isWatched ? undefined : this.runDetectors()]);
    // What is blocked already need not leave the process.
    if (this.filters.analyzed.length > 0 && this.refusal() === null) await this.analyzeAll();
    return this.result();
  }

  /** What is scanned of a text. Who watches is told places in it, so it is kept for them. */
  private async targetOf(index: number, turn = this.turn): Promise<ScanTarget> {
    const known = this.targets.get(index);
    if (known !== undefined) return known;
    const target = await scanTargetOf(this.texts[index]!, turn);
    if (this.isWatched) this.targets.set(index, target);
    return target;
  }

  private watcherFor(matched: OnTextMatch): OnRuleMatch {
    return ({ name: filter, action }, { textIndex, start, end, pattern }) => {
      const place = this.targets.get(textIndex)!.placeOf({ start, end });
      matched({ textIndex, ...place, filter, action, ...(pattern !== undefined && { pattern }) });
    };
  }

  private async runDetectors(): Promise<void> {
    if (this.filters.detectors.length === 0) return;
    for (const [index, { role }] of this.texts.entries()) {
      if (this.turn.mustRest) await this.turn.rest();
      await this.runDetectorsIn(index, USER_ROLES.has(role));
    }
  }

  private async runDetectorsIn(index: number, isOfUser: boolean): Promise<void> {
    for (const reading of await readingsOf((await this.targetOf(index)).text, this.turn)) {
      await scanWith(this.detectorScansOf(index, isOfUser, reading), reading, this.turn);
    }
  }

  private detectorScansOf(index: number, isOfUser: boolean, reading: TextReading): DetectorScan[] {
    return this.filters.detectors.flatMap(({ detector, isUserOnly }, position): DetectorScan[] => {
      if (isUserOnly && !isOfUser) return [];
      const matches = this.detectorMatches[position]!;
      return [{ detector, found: (start, end, pattern) => matches.addRead(index, reading, { start, end }, pattern) }];
    });
  }

  private async analyzeAll(): Promise<void> {
    const { analyzer } = this.engine;
    try {
      await withinTime(analyzer.totalTimeoutMs, this.signal, async (signal) => {
        for (let first = 0; first < this.texts.length; first += ANALYZED_AT_ONCE) {
          const batch = this.texts.slice(first, first + ANALYZED_AT_ONCE);
          await Promise.all(
            batch.map(async (_, position) => {
              const { text } = await this.targetOf(first + position);
              await this.analyze(first + position, text, signal);
            }),
          );
        }
      });
    } catch (error) {
      if (!(error instanceof AnalyzerFailure)) throw error;
      if (!analyzer.letsPass) throw new ContentFilterUnavailable();
      for (const matches of this.analyzedMatches) matches.pass();
    }
  }

  private async analyze(index: number, text: string, signal: AbortSignal): Promise<void> {
    const { organizationId, analyzed } = this.filters;
    const entities = analyzed.map(({ entity }) => entity);
    for await (const spans of this.engine.analyzer.analyze({ organizationId, text, entities, signal })) {
      for (const { start, end, entity } of spans)
        this.analyzedMatches[entities.indexOf(entity)]?.add(index, start, end);
    }
  }

  /** What all rules have matched, in the order in which the rules are reported. */
  private get matches(): readonly RuleMatches[] {
    return [...this.detectorMatches, ...this.analyzedMatches, ...this.customMatches];
  }

  private refusal(): Refusal | null {
    return this.matches.map(({ refusal }) => refusal).find((refusal) => refusal !== null) ?? null;
  }

  private async result(): Promise<ContentResult> {
    const findings = this.matches.flatMap((matches) => matches.findings);
    const blocked = this.refusal();
    return { blocked, texts: blocked === null ? await this.redactedTexts() : [], findings };
  }

  private async redactedTexts(): Promise<string[]> {
    const { matches: all } = this;
    const redacted: string[] = [];
    for (const [index, text] of this.texts.entries()) {
      const spans = all.flatMap((matches) => matches.redactionsOf(index));
      if (spans.length > 0 && this.turn.mustRest) await this.turn.rest();
      redacted.push(spans.length === 0 ? text.text : (await scanTargetOf(text, this.turn)).redacted(spans));
    }
    return redacted;
  }
}
