import { Injectable } from '@nestjs/common';
import type { ChatCompletion } from '../../providers/chat-completion.js';
import { ProviderProtocols } from '../../providers/protocols/provider-protocols.js';
import { AttemptsService } from '../attempts/attempts.service.js';
import type { Candidate } from '../attempts/candidate.js';
import type { ChatExchange } from '../exchange.js';
import { upstreamRequestFor } from '../request/upstream-request.js';
import { SettlementService } from '../settlement/settlement.service.js';
import { answerHead } from './answer-head.js';
import { deliveredBytes } from './delivered-bytes.js';
import { sendDocument } from './document-answer.js';
import { excludesReasoning, withoutReasoning } from './shown-reasoning.js';

/** Answers requests with one document (docs/interface/inference.md#whole-answers). */
@Injectable()
export class WholeAnswerService {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly protocols: ProviderProtocols,
    private readonly settlement: SettlementService,
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
      this.protocols
        .of(candidate.connection.protocol)
        .complete(candidate.connection, upstreamRequestFor(prepared.body, candidate), signal);
    const { candidate, result } = await this.attempts.firstAnswer(prepared.candidates, call, (made) =>
      draft.attempts.push(made),
    );
    draft.answering();
    this.attempts.succeeded(candidate);
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
    sendDocument(response, {
      ...answerHead(draft, candidate, 'chat.completion'),
      system_fingerprint: result.systemFingerprint,
      ...(result.serviceTier !== null && { service_tier: result.serviceTier }),
      choices: excludesReasoning(prepared.body) ? withoutReasoning(result.choices) : result.choices,
      usage,
    });
  }
}
