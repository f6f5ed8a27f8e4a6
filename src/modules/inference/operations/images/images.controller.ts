import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { InferenceRoute } from '../inference-route.decorator.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import { ImageGenerationRequest } from './dto/image-request.dto.js';
import { ImageGenerationResponse, OpenAiImageResponse } from './dto/image-response.dto.js';
import { IMAGE_STREAM_EVENT, OPENAI_IMAGE_STREAM_EVENT } from './dto/image-schemas.js';
import { OpenAiImageEditForm, OpenAiImageEditRequest } from './dto/openai-image-edit.dto.js';
import { OpenAiImageRequest } from './dto/openai-image-request.dto.js';
import { bodyOf, editBodyOf, IMAGES_FORM, openAiBodyOf, openAiForm } from './image-forms.js';
import { ImagesService } from './images.service.js';
import { IMAGES } from './operation.js';

const GENERATIONS = openAiForm('image_generation');

const EDITS = openAiForm('image_edit');

/** Drawing of images. */
@Controller('images')
@ApiTags('Images')
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Post()
  @InferenceRoute({
    operation: IMAGES,
    type: ImageGenerationResponse,
    streamEvent: IMAGE_STREAM_EVENT,
    summary: 'Draw images',
    description:
      'Draws images from a prompt, or edits references, under the guardrails of the key. With `stream` the answer is server-sent events. The header `X-Generation-Id` is the id of the record.',
  })
  async createImages(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: ImageGenerationRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.images.answer(caller, bodyOf(body), request, response, IMAGES_FORM);
  }

  @Post('generations')
  @InferenceRoute({
    operation: IMAGES,
    type: OpenAiImageResponse,
    streamEvent: OPENAI_IMAGE_STREAM_EVENT,
    summary: 'Draw images for clients of OpenAI',
    description:
      'The same as `POST /images` without references, in the form of OpenAI, as are the events of its streams.',
  })
  async createImageGenerations(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: OpenAiImageRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.images.answer(caller, openAiBodyOf(body), request, response, GENERATIONS);
  }

  @Post('edits')
  @InferenceRoute({
    operation: IMAGES,
    type: OpenAiImageResponse,
    streamEvent: OPENAI_IMAGE_STREAM_EVENT,
    multipartBody: OpenAiImageEditForm,
    summary: 'Edit images for clients of OpenAI',
    description:
      'The same as `POST /images` with references, in the form of OpenAI: the images come as files of a form, or within JSON.',
  })
  async createImageEdits(
    @CurrentPrincipal() caller: ApiKeyPrincipal,
    @Body() body: OpenAiImageEditRequest,
    @Req() request: GatehouseRequest,
    @Res() response: Response,
  ): Promise<void> {
    await this.images.answer(caller, editBodyOf(body), request, response, EDITS);
  }
}
