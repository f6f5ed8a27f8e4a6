import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';
import { BrokenAnswers } from '../../../../http/broken-answers.js';
import { ClientGoneError } from '../../../../http/client-signal.js';
import { audioHead } from '../../../../http/json-head.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import { brokenAnswerErrorOf } from '../../../codecs/errors/shown-error.js';
import { drained, hasClientLeft } from '../../pipeline/answer/client-reading.js';
import { NOTHING_KEPT } from '../../pipeline/answer/kept-output.js';
import { NOTHING_CAME, ResultAnswerService } from '../../pipeline/answer/result-answer.service.js';
import { AttemptsService } from '../../pipeline/attempts/attempts.service.js';
import { wasGivenUp } from '../../pipeline/attempts/charged-attempts.service.js';
import { ProviderCalls } from '../../pipeline/attempts/provider-calls.js';
import { InferencePipeline } from '../../pipeline/pipeline.service.js';
import type { AnswerOutcome } from '../../pipeline/request/answer-outcome.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import { keepsContentOf } from '../../pipeline/request/decision.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import { InferenceRequest } from '../../pipeline/request/inference-request.js';
import { givenUp, isGivingUp } from '../../pipeline/settlement/given-up.js';
import { SettlementService } from '../../pipeline/settlement/settlement.service.js';
import { audioTokens, mediaTypeOf } from './audio-formats.js';
import type { SpeechRequest } from './dto/speech-request.dto.js';
import { AskedFormats, SPEECH, speechRequestFor } from './operation.js';

/** Audio of which the first bytes have come. */
interface BegunAudio {
  readonly mediaType: string;
  readonly first: Uint8Array;
  readonly rest: AsyncIterator<Uint8Array, unknown>;
}

interface AudioEnd {
  /** How much of it has come. */
  readonly bytes: number;
  /** The error; undefined where the provider has finished. */
  readonly failure: unknown;
}

/** Speaks texts (docs/interface/audio.md#speech). */
@Injectable()
export class SpeechService {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly results: ResultAnswerService,
    private readonly attempts: AttemptsService,
    private readonly calls: ProviderCalls,
    private readonly settlement: SettlementService,
    private readonly environment: Environment,
    private readonly brokenAnswers: BrokenAnswers,
  ) {}

  /**
   * Answers a request with audio as it comes, and records it. Audio that breaks off is cut: its connection ends without the end of an answer.
   *
   * @throws DomainError for a request that is refused before the first byte
   */
  async answer(
    caller: ApiKeyPrincipal,
    body: SpeechRequest,
    http: GatehouseRequest,
    response: Response,
  ): Promise<void> {
    http.isStreamed = true;
    const request = InferenceRequest.of(SPEECH, caller, body, http, {
      streamed: true,
      dataRegion: this.environment.dataRegion,
    });
    const answer = (exchange: Exchange<SpeechRequest>): Promise<void> => this.speak(exchange);
    await this.pipeline.run({ operation: SPEECH, request, body, response, answer });
  }

  private async speak(exchange: Exchange<SpeechRequest>): Promise<void> {
    const { request, response, decision, outcome } = exchange;
    const formats = new AskedFormats(decision.sent.response_format ?? undefined, this.environment.apiDialect);
    const { candidate, result } = await this.results.asked(
      exchange,
      (one, sent) => this.begun(exchange, formats, one, sent),
      { asksAgain: (one, error) => formats.isAskedAgain(one, error) },
    );
    outcome.answering();
    const { mediaType } = result;
    if (!hasClientLeft(response)) response.writeHead(200, audioHead(request.http.requestId, mediaType));
    const end = await passed(response, result);
    if (end.failure === undefined) this.attempts.succeeded(candidate, request.organizationId);
    else if (end.failure instanceof ProviderError) {
      this.attempts.failed(candidate, request.organizationId, end.failure);
    }
    await this.settlement.settle(exchange, candidate, outcomeOf(exchange, mediaType, end));
    if (end.failure instanceof ClientGoneError) throw end.failure;
    // Nothing else can tell a client that there should be more.
    if (end.failure === undefined) response.end();
    else this.brokenAnswers.end(response);
  }

  /** Asks a candidate, and waits for the first bytes, so that another one can be asked until they have come. */
  private async begun(
    { request, decision: { sent: body }, signal }: Exchange<SpeechRequest>,
    formats: AskedFormats,
    candidate: Candidate,
    sent: () => void,
  ): Promise<BegunAudio> {
    const format = formats.for(candidate);
    const { mediaType, pieces } = await this.calls.bytes(
      SPEECH,
      candidate,
      (adjustments) => speechRequestFor(body, candidate, format, adjustments),
      request,
      { signal, sent },
    );
    const rest: AsyncIterator<Uint8Array, unknown> = pieces[Symbol.asyncIterator]();
    const first = await rest.next();
    if (first.done === true) throw new ProviderError('invalid', 'The provider’s answer has no audio.');
    return { mediaType: mediaTypeOf(mediaType, format), first: first.value, rest };
  }
}

/** Passes audio on, as fast as the client reads it. */
async function passed(response: Response, { first, rest }: BegunAudio): Promise<AudioEnd> {
  let bytes = 0;
  try {
    for (let next: IteratorResult<Uint8Array> = { value: first }; next.done !== true; next = await rest.next()) {
      const piece = next.value;
      bytes += piece.length;
      if (hasClientLeft(response) || (!response.write(piece) && !(await drained(response))))
        throw new ClientGoneError();
    }
    return { bytes, failure: undefined };
  } catch (failure) {
    await rest.return?.();
    return { bytes, failure };
  }
}

/** Where the provider counts nothing, the tokens are those of the audio that has come. */
function outcomeOf(
  { decision }: Exchange<SpeechRequest>,
  mediaType: string,
  { bytes, failure }: AudioEnd,
): AnswerOutcome {
  const audio = audioTokens(mediaType, bytes);
  const left: AnswerOutcome = {
    ...NOTHING_CAME,
    delivered: { ...NOTHING_CAME.delivered, audio },
    // Audio is not kept.
    output: keepsContentOf(decision) ? NOTHING_KEPT : null,
  };
  if (failure === undefined) return { ...left, isCancelled: false };
  if (failure instanceof ClientGoneError) return left;
  if (isGivingUp(failure) || (failure instanceof ProviderError && wasGivenUp(failure))) return givenUp(left, failure);
  return { ...left, isCancelled: false, hasFailed: true, error: brokenAnswerErrorOf(failure) };
}
