import { Injectable } from '@nestjs/common';
import type { HeldSlot } from '../../../../http/request-limits/request-slots.js';
import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import { AnswerRefused } from '../../../content/answers/answer-text.js';
import { ContentFilterUnavailable, errorOfRefusal } from '../../../content/content.errors.js';
import { type FilterPlace, REQUEST_PLACES } from '../../../content/content-filters.js';
import type { ScannedText } from '../../../content/content-result.js';
import type { EffectivePolicy } from '../../../guardrails/effective-policy/effective-policy.js';
import { InspectorsInForce } from '../../../inspectors/inspectors-in-force.service.js';
import { InspectorJudge } from '../../../inspectors/judging/inspector-judge.js';
import { InputNotScannable } from '../../inference.errors.js';
import type { Decision } from '../request/decision.js';
import type { ArrivedRequest } from '../request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';
import { RequestInspection } from './request-inspection.js';

/** Asks the inspectors that guardrails name about requests (docs/interface/inspectors.md). */
@Injectable()
export class RequestInspectors {
  constructor(
    private readonly inspectors: InspectorsInForce,
    private readonly judge: InspectorJudge,
    private readonly turns: LoopTurns,
  ) {}

  /** The inspectors of a request as they are now, so that a change holds at once. @returns undefined where its policy names none */
  async of(
    { id, caller, subject }: ArrivedRequest,
    decision: Decision<unknown>,
  ): Promise<RequestInspection | undefined> {
    const { rules, observers } = decision.policy!;
    const enforced = new Set(idsIn(rules));
    const ids = [...new Set([...enforced, ...observers.flatMap((observer) => idsIn(observer.rules))])];
    if (ids.length === 0) return undefined;
    const inspectors = await this.inspectors.byIds(caller.organizationId, ids);
    // One that a guardrail names is there; what it would have judged must not pass unseen.
    if (inspectors.length < ids.length) throw new ContentFilterUnavailable();
    const { keyHash, keyName } = decision.inputs!.context;
    // Those that only guardrails name that observe do no more than these.
    const asked = inspectors.map((one) => (enforced.has(one.id) ? one : { ...one, mode: 'observe' as const }));
    return new RequestInspection(this.judge, asked, {
      generationId: id,
      workspaceId: decision.workspaceId ?? undefined,
      keyHash,
      keyName,
      userId: caller.userId,
      endUser: decision.externalUser ?? undefined,
      sessionId: subject.sessionId ?? undefined,
      model: decision.models[0]?.model.row.id,
    });
  }

  /**
   * Has the texts of a request judged, behind the filters.
   *
   * Others use the slot of the request meanwhile.
   *
   * @param body without what filters have taken out
   * @returns the body with what inspectors have changed, or a refusal
   * @throws InputNotScannable, ContentFilterUnavailable, TooManyContentScans, the reason of the signal
   */
  async inspect<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    { caller }: ArrivedRequest,
    inspection: RequestInspection,
    body: Body,
    { slot, signal }: { readonly slot: HeldSlot; readonly signal: AbortSignal },
  ): Promise<Pick<Decision<Body>, 'inspected' | 'refusal'>> {
    if (!inspection.isOfRequests) return { inspected: body };
    const work = new LongWork(this.turns, caller.organizationId, signal);
    if (inspection.refusesUnread && (await operation.hidesText(body, work))) throw new InputNotScannable();
    const texts = operation.texts.scannedIn(body);
    const written = texts.map(({ text }) => text);
    try {
      for (const place of REQUEST_PLACES) {
        const places = texts.flatMap((text, index) => (placeOfText(text) === place ? [index] : []));
        const pieces = places.map((index) => texts[index]!);
        const made = await slot.without(() => inspection.inspect(place, pieces, signal));
        for (const [position, index] of places.entries()) written[index] = made[position]!;
      }
    } catch (error) {
      if (!(error instanceof AnswerRefused)) throw error;
      return { refusal: errorOfRefusal(error.refusal, 'Request') };
    }
    const isChanged = written.some((text, index) => text !== texts[index]!.text);
    return { inspected: isChanged ? operation.texts.replacedIn(body, written) : body };
  }
}

function idsIn({ inspectors }: Pick<EffectivePolicy, 'inspectors'>): string[] {
  return inspectors.map(({ id }) => id);
}

/** The place of a text of a request. An address, or a header, is judged nowhere. */
function placeOfText({ role, kind }: ScannedText): FilterPlace | undefined {
  if (kind === 'address') return undefined;
  return role === 'tool' ? 'tool_result' : 'request';
}
