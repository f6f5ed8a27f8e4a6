import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { type AnswerUsage, recordingLength, type Transcription } from '../../../codecs/index.js';
import { timedOut } from '../../inference.errors.js';
import { type CountedResult, ResultAnswerService } from '../../pipeline/answer/result-answer.service.js';
import { ProviderCalls } from '../../pipeline/attempts/provider-calls.js';
import { InferencePipeline } from '../../pipeline/pipeline.service.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import { InferenceRequest } from '../../pipeline/request/inference-request.js';
import { sessionHeaderOf } from '../../pipeline/request/session-header.js';
import type { TranscriptionForm } from './dto/transcription-form.dto.js';
import type { TranscriptionRequest } from './dto/transcription-request.dto.js';
import type { TranscriptionResponse } from './dto/transcription-response.dto.js';
import { type TranscriptionBody, transcriptionBodyOf, TRANSCRIPTIONS } from './transcription-operation.js';

interface Transcribed extends CountedResult {
  readonly text: string;
  readonly answer: Transcription;
}

/** Writes down what is said in recordings (docs/interface/audio.md). */
@Injectable()
export class TranscriptionsService {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly results: ResultAnswerService,
    private readonly calls: ProviderCalls,
    private readonly environment: Environment,
  ) {}

  /**
   * Answers a request, and records it.
   *
   * @throws DomainError for a request that is refused
   */
  async answer(
    caller: ApiKeyPrincipal,
    input: TranscriptionForm | TranscriptionRequest,
    http: GatehouseRequest,
    response: Response,
  ): Promise<void> {
    const request = new InferenceRequest(caller, http, {
      apiType: 'stt',
      streamed: false,
      requestedModel: input.model,
      externalUser: input.user,
      sessionId: input.session_id ?? sessionHeaderOf(http),
      dataRegion: this.environment.dataRegion,
    });
    const answer = async (exchange: Exchange<TranscriptionBody>): Promise<void> => {
      try {
        await this.results.send(exchange, {
          ask: (candidate, sent) => this.transcribed(exchange, candidate, sent),
          documentOf: (result, _candidate, usage) => answerOf(exchange.decision.sent, result.answer, usage),
        });
      } catch (error) {
        throw timedOut(error);
      }
    };
    const body = transcriptionBodyOf(input);
    // The text of a recording within JSON is not kept any longer.
    if (body !== input) http.body = undefined;
    await this.pipeline.run({ operation: TRANSCRIPTIONS, request, body, response, answer });
  }

  private async transcribed(
    { request, decision: { sent: body }, signal }: Exchange<TranscriptionBody>,
    candidate: Candidate,
    sent: () => void,
  ): Promise<Transcribed> {
    const answer = await this.calls.whole(
      TRANSCRIPTIONS,
      candidate,
      (adjustments) => TRANSCRIPTIONS.requestFor(body, candidate, adjustments),
      request,
      { signal, sent },
    );
    const { upstreamId, usage, text, seconds } = answer;
    return { upstreamId, usage, text, answer, ...(seconds !== null && { units: { second: seconds } }) };
  }
}

/** In the short form only the text, in others what the provider says besides. */
function answerOf(
  { response_format: format, file }: TranscriptionBody,
  { text, details, seconds, usage: counted }: Transcription,
  { cost, is_byok: isByok, cost_details: costs }: AnswerUsage,
): TranscriptionResponse {
  const { likely, most } = recordingLength(file);
  const length = seconds ?? (likely === most ? likely : undefined);
  const audio = counted?.prompt_tokens_details?.audio_tokens;
  return {
    text,
    // Clients of OpenAI require both of an answer with speakers.
    ...(format === 'diarized_json' && { task: 'transcribe', duration: length ?? likely }),
    ...(format !== undefined && format !== null && format !== 'json' && details),
    usage: {
      ...((counted !== null || length !== undefined) && { type: counted === null ? 'duration' : 'tokens' }),
      ...(length !== undefined && { seconds: length }),
      ...(counted !== null && {
        total_tokens: counted.total_tokens,
        input_tokens: counted.prompt_tokens,
        ...(audio !== undefined && {
          input_token_details: { audio_tokens: audio, text_tokens: Math.max(0, counted.prompt_tokens - audio) },
        }),
        output_tokens: counted.completion_tokens,
      }),
      cost,
      is_byok: isByok,
      cost_details: costs,
    },
  };
}
