import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Authenticated, ResolvedBy } from '../../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { Operation } from '../../../../http/openapi/operation.decorator.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { HoldsSlotsInParts } from '../../../../http/request-limits/request-slots.js';
import { ProvidersTimedOut, REFUSALS_OF_EVERY_OPERATION } from '../../inference.errors.js';
import { CallerContexts } from '../../pipeline/context/caller-contexts.service.js';
import { RecordsEarlyRefusals } from '../../pipeline/refusals/records-early-refusals.decorator.js';
import { CHAT_ERROR_FORM } from '../chat/chat-errors.js';
import { TranscriptionForm } from './dto/transcription-form.dto.js';
import { TranscriptionRequest } from './dto/transcription-request.dto.js';
import { TranscriptionResponse } from './dto/transcription-response.dto.js';
import { TranscriptionsService } from './transcriptions.service.js';

/** Recordings that are written down. */
@Controller('audio/transcriptions')
@ApiTags('Audio')
export class TranscriptionsController {
  constructor(private readonly transcriptions: TranscriptionsService) {}

  @Post()
  @Authenticated(['api_key'])
  @HoldsSlotsInParts()
  @ResolvedBy(CallerContexts)
  @RecordsEarlyRefusals({ apiType: 'stt' })
  @Operation({
    type: TranscriptionResponse,
    multipartBody: TranscriptionForm,
    isInference: true,
    errorWriter: CHAT_ERROR_FORM,
    errors: [...REFUSALS_OF_EVERY_OPERATION, ProvidersTimedOut],
    summary: 'Transcribe a recording',
    description:
      'Writes down what is said in a recording, which comes as the file of a form or within JSON. The header `X-Generation-Id` is the id of the record.',
  })
  async createAudioTranscriptions(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: TranscriptionRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.transcriptions.answer(caller, body, request, response);
  }
}
