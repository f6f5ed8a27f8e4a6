import { Injectable } from '@nestjs/common';
import type { HeldSlot } from '../../../../http/request-limits/request-slots.js';
import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import { ContentFilterUnavailable, errorOfRefusal, TooManyContentScans } from '../../../content/content.errors.js';
import type { ContentResult, Finding } from '../../../content/content-result.js';
import type { EffectivePolicy } from '../../../guardrails/effective-policy/effective-policy.js';
import type { ObservedGuardrail } from '../../../generations/generation-details.js';
import { InputNotScannable } from '../../inference.errors.js';
import type { CompiledPolicy } from '../policy/compiled-policies.js';
import { seenBy } from './observed-findings.js';
import { type Decision, observation } from '../request/decision.js';
import type { ArrivedRequest } from '../request/inference-request.js';
import type { InspectedBody } from './inspected-body.js';

/** Lets the content filters of a policy read requests (docs/interface/content-filters.md). */
@Injectable()
export class ContentInspection {
  constructor(private readonly turns: LoopTurns) {}

  /**
   * The body without what is redacted, and what was found; with a refusal where something is blocked.
   *
   * Others use the slot of the request while an analyzer is asked.
   *
   * @throws InputNotScannable, ContentAnalyzerUnavailable
   */
  async inspect<Body>(
    operation: InspectedBody<Body>,
    { content, rules }: CompiledPolicy,
    { caller, matched }: Pick<ArrivedRequest, 'caller' | 'matched'>,
    body: Body,
    { slot, signal }: { readonly slot: HeldSlot; readonly signal: AbortSignal },
  ): Promise<Pick<Decision<Body>, 'inspected' | 'findings' | 'refusal'>> {
    if (content.isEmpty) return { inspected: body, findings: [] };
    const work = new LongWork(this.turns, caller.organizationId, signal);
    if (await operation.hidesText(body, work)) throw new InputNotScannable(guardrailsWithFilters(rules));
    const scan = (): Promise<ContentResult> => content.inspect(operation.texts.scannedIn(body), signal, matched);
    // An analyzer or a classifier may take long, and meanwhile the organization's other requests can use the database.
    const { blocked, texts, findings } = await (content.asksServer ? slot.without(scan) : scan());
    if (blocked !== null) return { findings, refusal: errorOfRefusal(blocked, 'Request') };
    const isRedacted = findings.some(({ action }) => action === 'redact');
    return { inspected: isRedacted ? operation.texts.replacedIn(body, texts) : body, findings };
  }

  /**
   * What the content filters of guardrails that only observe find beyond what was found. It is reported as flagged, whatever the filter
   * would do, and nothing is taken out. A request that cannot be scanned is one that they would have refused.
   *
   * @param scan with what the filters of the policy have found
   * @throws the reason of the signal
   */
  async observe<Body>(
    operation: InspectedBody<Body>,
    policy: CompiledPolicy,
    { caller }: Pick<ArrivedRequest, 'caller'>,
    body: Body,
    scan: ObservedScan,
  ): Promise<Pick<Decision<Body>, 'observed' | 'findings'>> {
    const { findings, slot, signal } = scan;
    const observers = policy.observers.filter(({ content }) => !content.isEmpty);
    if (observers.length === 0) return { observed: [], findings };
    const work = new LongWork(this.turns, caller.organizationId, signal);
    if (await operation.hidesText(body, work)) {
      return { observed: observers.map((observer) => observation(observer, 'refused', 'content')), findings };
    }
    const texts = operation.texts.scannedIn(body);
    const observed: ObservedGuardrail[] = [];
    const further: Finding[] = [];
    for (const observer of observers) {
      const inspect = (): Promise<ContentResult> => observer.content.inspect(texts, signal);
      try {
        const result = await (observer.content.asksServer ? slot.without(inspect) : inspect());
        const seen = seenBy(observer, result.findings, { findings, of: policy });
        further.push(...seen.findings);
        observed.push(...seen.observed);
      } catch (error) {
        if (error instanceof ContentFilterUnavailable) observed.push(observation(observer, 'refused', 'content'));
        // What too much work keeps from being scanned says nothing about the rules.
        else if (!(error instanceof TooManyContentScans)) throw error;
      }
    }
    return { observed, findings: [...findings, ...further] };
  }
}

/** The guardrails that have content filters, each once. */
function guardrailsWithFilters({ contentFilterBuiltins, contentFilters }: EffectivePolicy): string[] {
  return [...new Set([...contentFilterBuiltins, ...contentFilters].flatMap(({ guardrailIds }) => guardrailIds))];
}

/** What a scan for observing guardrails works with. */
interface ObservedScan {
  readonly findings: readonly Finding[];
  readonly slot: HeldSlot;
  readonly signal: AbortSignal;
}
