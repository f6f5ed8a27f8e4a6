import { Injectable } from '@nestjs/common';
import { jsonHead } from '../../../api/json-head.js';
import type { GatehouseRequest } from '../../../api/request.js';
import type { ChatCompletion } from '../../providers/chat-completion.js';
import { StickyEndpoints } from '../../routing/sticky-endpoints.js';
import { AttemptsService } from '../attempts/attempts.service.js';
import type { Candidate } from '../attempts/candidate.js';
import { ProviderCalls } from '../attempts/provider-calls.js';
import type { ChatExchange } from '../chat-exchange.js';
import { SettlementService } from '../settlement/settlement.service.js';
import { answerHead } from './answer-head.js';
import { deliveredBytes } from './delivered-bytes.js';
import { ShownRouting } from './shown-routing.service.js';
import { excludesReasoning, withoutReasoning } from './shown-reasoning.js';
import { usesPromptCache } from './usage.js';

/** Answers requests with one document (docs/interface/inference.md#whole-answers). */
@Injectable()
export class WholeAnswerService {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly calls: ProviderCalls,
    private readonly settlement: SettlementService,
    private readonly routing: ShownRouting,
    private readonly sticky: StickyEndpoints,
  ) {}

  /**
   * Answers a request, which is charged before the answer is sent.
   *
   * @throws DomainError where no provider answers
   */
  async send(exchange: ChatExchange): Promise<void> {
    const { response, draft, prepared } = exchange;
    // A client that leaves ends nothing: most providers would work, and charge, to the end.
    const { signal } = new AbortController();
    const call = (candidate: Candidate): Promise<ChatCompletion> =>
      this.calls.complete(candidate, prepared.body, draft, signal);
    const { candidate, result } = await this.attempts.firstAnswer(prepared.candidates, call, (made) =>
      draft.attempts.push(made),
    );
    draft.answering();
    this.attempts.succeeded(candidate);
    if (usesPromptCache(result.usage)) this.sticky.remember(prepared.conversation, candidate);
    const [choice] = result.choices;
    const usage = await this.settlement.settle(exchange, candidate, {
      usage: result.usage,
      deliveredBytes: result.choices.reduce((sum, { message }) => sum + deliveredBytes(message), 0),
      isCancelled: response.destroyed,
      hasFailed: false,
      finishReason: choice?.finish_reason ?? null,
      nativeFinishReason: choice?.native_finish_reason ?? null,
      upstreamId: result.upstreamId,
      serviceTier: result.serviceTier,
    });
    const request = response.req as GatehouseRequest;
    const text = JSON.stringify({
      ...answerHead(draft, candidate, 'chat.completion'),
      system_fingerprint: result.systemFingerprint,
      ...(result.serviceTier !== null && { service_tier: result.serviceTier }),
      choices: excludesReasoning(prepared.body) ? withoutReasoning(result.choices) : result.choices,
      usage,
      ...this.routing.fieldOf(request, draft, candidate),
    });
    response.writeHead(200, jsonHead(request.requestId, Buffer.byteLength(text)));
    response.end(text);
  }
}
