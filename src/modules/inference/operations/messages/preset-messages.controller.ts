import { Body, Controller, Param, Post, Query, RequestMethod } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ManagedByFiles } from '../../../../http/managed-objects/managed-objects.js';
import { Operation } from '../../../../http/openapi/operation.decorator.js';
import { Authenticated } from '../../../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../../../auth/current-principal.decorator.js';
import type { ManagementPrincipal } from '../../../../auth/principal.js';
import {
  CreatePresetFromInferenceResponse,
  PresetPath,
  PresetWorkspaceQuery,
} from '../../../presets/dto/preset.dto.js';
import { PresetsService } from '../../../presets/presets.service.js';
import { WorkspaceNotFound } from '../../../workspaces/workspaces.errors.js';
import { PresetMessagesRequest } from './dto/preset-messages-request.dto.js';
import { configuringRequestOf, modelsOf } from './preset-request.js';

/** Presets from requests of the Messages form. It stands here because presets know no form but that of chat completions. */
@Controller('presets')
@ManagedByFiles('presets', { changedBy: [RequestMethod.POST], isOfWorkspace: true })
@ApiTags('Presets')
export class PresetMessagesController {
  constructor(private readonly presets: PresetsService) {}

  @Post(':slug/messages')
  @Authenticated(['management_key'], 'presets_write')
  @Operation({
    type: CreatePresetFromInferenceResponse,
    hasEntityTag: true,
    summary: 'Create a preset or its next version from a message',
    description:
      'Stores the configuration of a request in the Messages form, translated to that of a chat completion: all fields except messages and stream. `system` and system messages become the system prompt. No request is sent to a model.',
    errors: [WorkspaceNotFound],
  })
  createPresetsMessages(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: PresetPath,
    @Query() query: PresetWorkspaceQuery,
    @Body() body: PresetMessagesRequest,
  ): Promise<CreatePresetFromInferenceResponse> {
    const created = { ...query, ...path, body: configuringRequestOf(body), models: modelsOf(body) };
    return this.presets.createFromInference(caller, created);
  }
}
