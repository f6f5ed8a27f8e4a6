import { Injectable } from '@nestjs/common';
import type { HeldSlot } from '../../../../http/request-limits/request-slots.js';
import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import type { JudgedPiece } from '../../../content/answers/answer-judge.js';
import { AnswerRefused } from '../../../content/answers/answer-text.js';
import { ContentFilterUnavailable, errorOfRefusal } from '../../../content/content.errors.js';
import { type FilterPlace, REQUEST_PLACES } from '../../../content/content-filters.js';
import type { EffectivePolicy } from '../../../guardrails/effective-policy/effective-policy.js';
import { InspectorsInForce } from '../../../inspectors/inspectors-in-force.service.js';
import { InspectorJudge } from '../../../inspectors/judging/inspector-judge.js';
import { InputNotScannable } from '../../inference.errors.js';
import type { InspectedBody } from '../content/inspected-body.js';
import type { RequestContext } from '../context/request-context.repository.js';
import type { CompiledPolicy } from '../policy/compiled-policies.js';
import { type Decision, saying, withoutContent } from '../request/decision.js';
import type { ArrivedRequest, InferenceRequest } from '../request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';
import { JudgeCalls } from './judge-calls.service.js';
import { placeOfText, RequestInspection } from './request-inspection.js';

/** What texts are judged with. */
interface InspectingMeans {
  readonly slot: HeldSlot;
  readonly signal: AbortSignal;
  /** Whether judge models judge as well: one that is not told how it is asked fails. */
  readonly withModels?: boolean;
}

/** What inspectors are told of a request that was decided so far. */
type InspectedDecision = Pick<Decision<unknown>, 'workspaceId' | 'externalUser'> & {
  readonly policy?: Pick<CompiledPolicy, 'rules' | 'observers'>;
  readonly inputs?: { readonly context: Pick<RequestContext, 'keyHash' | 'keyName'> };
  /** Empty where no model is asked. */
  readonly models: Decision<unknown>['models'];
};

/** Asks the inspectors that guardrails name about requests (docs/interface/inspectors.md). */
@Injectable()
export class RequestInspectors {
  constructor(
    private readonly inspectors: InspectorsInForce,
    private readonly judge: InspectorJudge,
    private readonly calls: JudgeCalls,
    private readonly turns: LoopTurns,
  ) {}

  /** The inspectors of a request as they are now, so that a change holds at once. @returns undefined where its policy names none */
  async of(
    { id, caller, subject }: Pick<ArrivedRequest, 'id' | 'caller' | 'subject'>,
    decision: InspectedDecision,
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
   * Has the texts of a request judged by servers, behind the filters.
   *
   * Others use the slot of the request meanwhile.
   *
   * @param body without what filters have taken out
   * @returns the body with what inspectors have changed, or a refusal
   * @throws InputNotScannable, ContentFilterUnavailable, TooManyContentScans, the reason of the signal
   */
  async inspect<Body>(
    operation: InspectedBody<Body>,
    { caller }: Pick<ArrivedRequest, 'caller'>,
    inspection: RequestInspection,
    body: Body,
    { slot, signal, withModels = false }: InspectingMeans,
  ): Promise<Pick<Decision<Body>, 'inspected' | 'refusal'>> {
    if (!inspection.isOfRequests) return { inspected: body };
    const work = new LongWork(this.turns, caller.organizationId, signal);
    if (inspection.refusesUnread && (await operation.hidesText(body, work))) throw new InputNotScannable();
    return judged(operation, body, (place, pieces) =>
      slot.without(async () => {
        const left = await inspection.inspect('servers', place, pieces, signal);
        // Judge models change nothing.
        if (withModels) await inspection.inspect('models', place, pieces, signal);
        return left;
      }),
    );
  }

  /**
   * Has the texts of an admitted request judged by judge models, which cost something.
   *
   * @returns the decision, or one with a refusal, and then without the content that would be kept
   */
  async inspectByModels<Body extends RoutedBody>(
    operation: InferenceOperation<Body>,
    request: InferenceRequest,
    decision: Decision<Body>,
    signal: AbortSignal,
  ): Promise<Decision<Body>> {
    const { inspection, judging, inspected } = decision;
    if (inspection === undefined || judging === undefined) return decision;
    inspection.asksModels(this.calls.of(request, inspection.account, judging));
    try {
      const { refusal } = await judged(operation, inspected!, (place, pieces) =>
        inspection.inspect('models', place, pieces, signal),
      );
      return refusal === undefined ? decision : saying(withoutContent(decision), { refusal });
    } catch (refusal) {
      return saying(withoutContent(decision), { refusal: refusal as Error });
    }
  }
}

/** What becomes of the texts of a body: it with what was changed, or a refusal. @throws whatever judging throws besides */
async function judged<Body>(
  { texts: placed }: Pick<InspectedBody<Body>, 'texts'>,
  body: Body,
  judge: (place: FilterPlace, pieces: readonly JudgedPiece[]) => Promise<readonly string[]>,
): Promise<Pick<Decision<Body>, 'inspected' | 'refusal'>> {
  const texts = placed.scannedIn(body);
  const written = texts.map(({ text }) => text);
  try {
    for (const place of REQUEST_PLACES) {
      const places = texts.flatMap((text, index) => (placeOfText(text) === place ? [index] : []));
      const made = await judge(
        place,
        places.map((index) => texts[index]!),
      );
      for (const [position, index] of places.entries()) written[index] = made[position]!;
    }
  } catch (error) {
    if (!(error instanceof AnswerRefused)) throw error;
    return { refusal: errorOfRefusal(error.refusal, 'Request') };
  }
  const isChanged = written.some((text, index) => text !== texts[index]!.text);
  return { inspected: isChanged ? placed.replacedIn(body, written) : body };
}

function idsIn({ inspectors }: Pick<EffectivePolicy, 'inspectors'>): string[] {
  return inspectors.map(({ id }) => id);
}
