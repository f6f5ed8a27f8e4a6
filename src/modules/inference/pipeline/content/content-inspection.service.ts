import { Injectable } from '@nestjs/common';
import type { HeldSlot } from '../../../../http/request-limits/request-slots.js';
import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import { ContentBlocked, PromptInjectionDetected } from '../../../content/content.errors.js';
import type { ContentResult } from '../../../content/content-result.js';
import { InputNotScannable } from '../../inference.errors.js';
import type { CompiledPolicy } from '../policy/compiled-policies.js';
import type { Decision } from '../request/decision.js';
import type { ArrivedRequest } from '../request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';

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
  async inspect<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    { content }: CompiledPolicy,
    { caller, matched }: ArrivedRequest,
    body: Body,
    { slot, signal }: { readonly slot: HeldSlot; readonly signal: AbortSignal },
  ): Promise<Pick<Decision<Body>, 'inspected' | 'findings' | 'refusal'>> {
    if (content.isEmpty) return { inspected: body, findings: [] };
    const work = new LongWork(this.turns, caller.organizationId, signal);
    if (await operation.hidesText(body, work)) throw new InputNotScannable();
    const scan = (): Promise<ContentResult> => content.inspect(operation.texts.scannedIn(body), signal, matched);
    // An analyzer or a classifier may take long, and meanwhile the organization's other requests can use the database.
    const { blocked, texts, findings } = await (content.asksServer ? slot.without(scan) : scan());
    if (blocked !== null) {
      const isInjection = blocked.reason === 'prompt_injection_detected';
      const refusal = isInjection
        ? new PromptInjectionDetected(blocked.patterns ?? [])
        : new ContentBlocked(blocked.label);
      return { findings, refusal };
    }
    const isRedacted = findings.some(({ action }) => action === 'redact');
    return { inspected: isRedacted ? operation.texts.replacedIn(body, texts) : body, findings };
  }
}
