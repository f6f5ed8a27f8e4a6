import { LongWork } from '../../concurrency/long-work.js';
import type { ContentResult, Refusal, ScannedText, OnTextMatch } from './content-result.js';
import { CustomScan } from './custom/custom-scan.js';
import type { CompiledFilters, ContentEngine } from './engine/compiled-filters.js';
import { type FilterRule, placeOf } from './engine/filter-rule.js';
import { MAXIMUM_REDACTIONS, type OnRuleMatch, type RedactionAllowance, RuleMatches } from './engine/rule-matches.js';
import type { ScanTarget } from './engine/scan-target.js';
import { scanTargetOf } from './engine/scan-target-of.js';
import { readingsOf } from './engine/text-readings.js';
import { BuiltinInspector } from './inspectors/builtin/builtin-inspector.js';
import { ClassifierInspector } from './inspectors/classifier/classifier-inspector.js';
import type { InspectedRequest, Inspector } from './inspectors/inspector.js';
import { PresidioInspector } from './inspectors/presidio/presidio-inspector.js';

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
  /** How much each rule has matched in results of tools. */
  private readonly inToolResults = new Map<FilterRule, number>();
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
    const watcher = this.watcherFor(matched);
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
      texts: this.texts,
      readingsOf: async (index, turn) => readingsOf((await this.targetOf(index, turn)).text, turn),
      signal: this.signal,
    });
    const builtin = new BuiltinInspector(this.filters.detectors, this.detectorMatches);
    // Who watches gets matches in an order that does not depend on time.
    if (this.isWatched) await builtin.inspect(this.request);
    await customScan.prepare();
    // The thread of custom patterns searches while the detectors have the event loop.
    await Promise.all([customScan.run(), this.isWatched ? undefined : builtin.inspect(this.request)]);
    for (const inspector of this.remoteInspectors()) {
      // What is blocked already need not leave the process.
      if (this.refusal() === null) await inspector.inspect(this.request);
    }
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

  private watcherFor(matched: OnTextMatch | undefined): OnRuleMatch {
    return (rule, { textIndex, start, end, pattern }) => {
      const { name: filter, action } = rule;
      if (placeOf(this.texts[textIndex]!) === 'tool_result')
        this.inToolResults.set(rule, (this.inToolResults.get(rule) ?? 0) + 1);
      if (matched === undefined) return;
      const place = this.targets.get(textIndex)!.placeOf({ start, end });
      matched({ textIndex, ...place, filter, action, ...(pattern !== undefined && { pattern }) });
    };
  }

  private get request(): InspectedRequest {
    const { filters, texts, turn, signal } = this;
    const targetOf = (index: number): Promise<ScanTarget> => this.targetOf(index);
    return { organizationId: filters.organizationId, texts, targetOf, turn, signal };
  }

  /** The inspectors that ask servers, as far as some filter needs them. */
  private remoteInspectors(): Inspector[] {
    const { analyzer, classifier } = this.engine;
    const { analyzed, detectors, classified } = this.filters;
    const inspectors: Inspector[] = [];
    if (classified.length > 0 && classifier.isConfigured) {
      const rules = classified.map((index) => detectors[index]!);
      const matches = classified.map((index) => this.detectorMatches[index]!);
      inspectors.push(new ClassifierInspector(classifier, rules, matches));
    }
    if (analyzed.length > 0) inspectors.push(new PresidioInspector(analyzer, analyzed, this.analyzedMatches));
    return inspectors;
  }

  /** What all rules have matched, in the order in which the rules are reported. */
  private get matches(): readonly RuleMatches[] {
    return [...this.detectorMatches, ...this.analyzedMatches, ...this.customMatches];
  }

  private refusal(): Refusal | null {
    return this.matches.map(({ refusal }) => refusal).find((refusal) => refusal !== null) ?? null;
  }

  private async result(): Promise<ContentResult> {
    const findings = this.matches.flatMap(({ rule, findings: found }) => {
      const inToolResults = this.inToolResults.get(rule);
      return inToolResults === undefined ? found : found.map((finding) => ({ ...finding, inToolResults }));
    });
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
