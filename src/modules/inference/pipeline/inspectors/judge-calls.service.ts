import { Injectable } from '@nestjs/common';
import type { AnswerMemory } from '../../../../http/input/request-memory.js';
import { pricesInForce } from '../../../catalog/price-rules.js';
import type { ChatCompletion } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import { InspectorFailure } from '../../../content/inspectors/remote-inspection.js';
import type { InspectionInput, Verdict } from '../../../inspectors/protocols/inspection-protocol.js';
import { judgeQuestionOf, judgeVerdictOf } from '../../../inspectors/protocols/model.js';
import { ReferenceImages } from '../../../providers/upstream/reference-images.js';
import { NOTHING_DELIVERED } from '../answer/delivered-answer.js';
import { PromptTokens } from '../admission/prompt-tokens.js';
import { AttemptsService } from '../attempts/attempts.service.js';
import { wasGivenUp } from '../attempts/charged-attempts.service.js';
import { ChatCalls } from '../attempts/chat-calls.js';
import { CHAT_TEXTS } from '../content/chat-texts.js';
import { usageOf } from '../cost/charged-usage.js';
import { countedBytes, estimatedTokens } from '../cost/estimated-tokens.js';
import { pricesAsWished } from '../cost/price-factors.js';
import { chatUsageBounds, withinBounds } from '../cost/usage-bounds.js';
import type { Candidate } from '../request/candidate.js';
import type { CallingRequest, InferenceRequest } from '../request/inference-request.js';
import { RequestClock } from '../request/request-clock.js';
import { bytesOfQuestion, judgeBodyOf } from './judge-models.service.js';
import type { JudgeModel, Judging } from './judging.js';
import type { AskingJudge, AskJudge } from './request-inspection.js';
import { chargedUsageOf, type JudgeUse, type JudgingAccount, type OpenQuestion } from './judging-account.js';

/** What a question has to know of the request that it is asked for. */
export type AskingRequest = Pick<InferenceRequest, 'id' | 'organizationId' | 'createdAt' | 'via' | 'memory'>;

/** What the questions of a request have in common. */
interface AskedOf extends Pick<Judging, 'said' | 'wishes'> {
  readonly request: AskingRequest;
  readonly account: JudgingAccount;
}

/** The largest texts of a question, in bytes. */
const MAXIMUM_BYTES = 8_388_608;

/** Asks judge models through providers, without policies, filters and the cache (docs/interface/inspectors.md#model). */
@Injectable()
export class JudgeCalls {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly calls: ChatCalls,
    private readonly promptTokens: PromptTokens,
  ) {}

  /** How the judge models of a request are asked, by the ids of their inspectors. @param account pays for them */
  of(
    request: AskingRequest,
    account: JudgingAccount,
    { judges, said, wishes }: Judging,
  ): ReadonlyMap<string, AskJudge> {
    const of = { request, account, said, wishes };
    return new Map(
      judges.map((judge) => [
        judge.inspector.id,
        (input, signal, asking) => this.ask(judge, of, input, { signal, asking }),
      ]),
    );
  }

  private async ask(
    judge: JudgeModel,
    of: AskedOf,
    input: InspectionInput,
    { signal, asking }: { readonly signal: AbortSignal; readonly asking: AskingJudge },
  ): Promise<Verdict> {
    const { candidates, price, settings, inspector } = judge;
    if (price === undefined) throw new InspectorFailure('no provider may be asked for the model');
    const question = judgeQuestionOf(settings, input, of.said);
    const body = judgeBodyOf(question, of.wishes);
    const bytes = bytesOfQuestion(question);
    if (bytes > MAXIMUM_BYTES) throw new InspectorFailure('the texts are too large for a request');
    const worst = price.costOf(bytes, question);
    for (const [index, candidate] of candidates.entries()) {
      const unanswered = (): JudgeUse => useOf(undefined, body, candidate, of.request.createdAt);
      const open = of.account.begin({ inspectorId: inspector.id, candidate, worst, unanswered });
      // Nor for a further provider, after one that may charge although it has not answered.
      if (open === undefined && index > 0) break;
      if (open === undefined) {
        asking.unpaid();
        throw new InspectorFailure('what was reserved does not pay for the model');
      }
      asking.asked();
      const answer = await this.answered(candidate, body, { request: of.request, open, signal, asking });
      if (answer === undefined) continue;
      const use = useOf(answer, body, candidate, of.request.createdAt);
      // As of other answers: nothing is learned from own keys, nor from counts that there cannot be.
      if (answer.usage !== null && !candidate.isByok && !use.isCapped) {
        const size = { bytes, messages: question.messages.length, tokens: question.templateTokens };
        const { organizationId } = of.request;
        this.promptTokens.learn(organizationId, candidate.model.row.id, size, answer.usage.prompt_tokens);
      }
      asking.charged(open.answered(use));
      return judgeVerdictOf(textOf(answer), settings);
    }
    throw new InspectorFailure('no provider has answered for the model');
  }

  /** @returns undefined where the provider has failed @throws the reason of the signal */
  private async answered(
    candidate: Candidate,
    body: ClientChatRequest,
    { request, open, signal, asking }: AskedQuestion,
  ): Promise<ChatCompletion | undefined> {
    const { organizationId } = request;
    const memory = new MemoryOfCall(request.memory);
    try {
      const means = { signal, sent: () => open.sent(), thoughts: undefined };
      const answer = await this.calls.complete(candidate, body, callFor(request, memory), means);
      this.attempts.succeeded(candidate, organizationId);
      return answer;
    } catch (error) {
      const isOfProvider = error instanceof ProviderError;
      asking.charged(open.failed(!isOfProvider || wasGivenUp(error)));
      if (!isOfProvider) throw error;
      this.attempts.failed(candidate, organizationId, error);
      return undefined;
    } finally {
      memory.free();
    }
  }
}

/** A question that a candidate is asked. */
interface AskedQuestion {
  readonly request: AskingRequest;
  readonly open: OpenQuestion;
  readonly signal: AbortSignal;
  readonly asking: AskingJudge;
}

/** The call of a judge: it has nothing of the request that it is for but the memory. */
function callFor({ id, organizationId, via }: AskingRequest, memory: AnswerMemory): CallingRequest {
  return {
    id,
    organizationId,
    via,
    memory,
    clock: new RequestClock(),
    references: new ReferenceImages(),
    adjustments: new RequestAdjustments(),
    repeated: undefined,
    releaseAnswer: () => undefined,
  };
}

/** What the answer of a judge holds of the memory of the request, until it was read. */
class MemoryOfCall implements AnswerMemory {
  private held = 0;

  constructor(private readonly ofRequest: AnswerMemory) {}

  reserve(bytes: number): void {
    this.ofRequest.reserve(bytes);
  }

  tryHold(bytes: number): boolean {
    const isHeld = this.ofRequest.tryHold(bytes);
    if (isHeld) this.held += bytes;
    return isHeld;
  }

  async hold(bytes: number): Promise<void> {
    await this.ofRequest.hold(bytes);
    this.held += bytes;
  }

  release(bytes: number): void {
    this.held -= bytes;
    this.ofRequest.release(bytes);
  }

  /** Holds nothing any more. */
  free(): void {
    this.release(this.held);
  }
}

/** What a question is charged. @param answer undefined for one that its provider has and has not answered */
function useOf(answer: ChatCompletion | undefined, body: ClientChatRequest, candidate: Candidate, at: Date): JudgeUse {
  const reported = answer?.usage ?? null;
  const texts = estimatedTokens(countedBytes(contentOf(answer) ?? ''));
  const counted = usageOf(
    {
      usage: reported,
      delivered: { ...NOTHING_DELIVERED, texts },
      isAnswerUncounted: answer?.isAnswerUncounted === true,
      isPromptUncounted: answer?.isPromptUncounted === true,
    },
    () => estimatedTokens(CHAT_TEXTS.promptBytesIn(body, countedBytes)),
  );
  const usage = withinBounds(counted, chatUsageBounds(body, candidate));
  const { pricing } = candidate.endpoint.row;
  const listed = pricesInForce(pricing, { at, promptTokens: usage.prompt_tokens });
  return {
    usage: chargedUsageOf(usage),
    prices: pricesAsWished(listed, body, candidate, reported),
    isEstimated: counted !== reported,
    isCapped: usage !== counted && reported !== null,
  };
}

/** @throws InspectorFailure where the answer has no text */
function textOf(answer: ChatCompletion): string {
  const content = contentOf(answer);
  if (content === undefined) throw new InspectorFailure('the answer of the model has no text');
  return content;
}

function contentOf(answer: ChatCompletion | undefined): string | undefined {
  const content: unknown = answer?.choices[0]?.message.content;
  return typeof content === 'string' ? content : undefined;
}
