import { Body, Controller, Get, Param, Post, Query, RequestMethod } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, KeepsToOwn } from '../../auth/authenticated.decorator.js';
import { CurrentPrincipal } from '../../auth/current-principal.decorator.js';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { ManagedByFiles } from '../../http/managed-objects/managed-objects.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import {
  CreatePresetFromInferenceResponse,
  GetPresetResponse,
  GetPresetVersionResponse,
  ListPresetsQuery,
  ListPresetVersionsQuery,
  ListPresetsResponse,
  ListPresetVersionsResponse,
  PresetPath,
  PresetVersionPath,
  PresetWorkspaceQuery,
} from './dto/preset.dto.js';
import { PresetInferenceRequest } from './dto/preset-inference.dto.js';
import { PresetsService } from './presets.service.js';
import { TooManyLargeLists } from '../organization-limits/organization-limits.errors.js';
import { PresetNotFound, PresetVersionNotFound } from './presets.errors.js';
import { WorkspaceNotFound } from '../workspaces/workspaces.errors.js';

/** The operations on presets. */
@Controller('presets')
@ManagedByFiles('presets', { changedBy: [RequestMethod.POST], isOfWorkspace: true })
@ApiTags('Presets')
export class PresetsController {
  constructor(private readonly presets: PresetsService) {}

  @Get()
  @Authenticated(['management_key', 'api_key'], 'presets_read')
  @KeepsToOwn()
  @Operation({
    type: ListPresetsResponse,
    summary: 'List presets',
    description: 'Lists the presets of a workspace, the most recently updated first.',
    errors: [TooManyLargeLists],
  })
  listPresets(@CurrentPrincipal() caller: ManagementPrincipal | ApiKeyPrincipal, @Query() input: ListPresetsQuery) {
    return this.presets.list(caller, input);
  }

  @Get(':slug')
  @Authenticated(['management_key', 'api_key'], 'presets_read')
  @KeepsToOwn()
  @Operation({
    type: GetPresetResponse,
    hasEntityTag: true,
    summary: 'Get a preset',
    description: 'Returns a preset with its newest version, which is in force.',
    errors: [PresetNotFound],
  })
  getPreset(
    @CurrentPrincipal() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Param() path: PresetPath,
    @Query() query: PresetWorkspaceQuery,
  ) {
    return this.presets.get(caller, { ...query, ...path });
  }

  @Get(':slug/versions')
  @Authenticated(['management_key', 'api_key'], 'presets_read')
  @KeepsToOwn()
  @Operation({
    type: ListPresetVersionsResponse,
    summary: 'List the versions of a preset',
    description: 'Lists the versions of a preset by number, oldest first.',
    unavailableStatus: 500,
    errors: [PresetNotFound],
  })
  listPresetVersions(
    @CurrentPrincipal() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Param() path: PresetPath,
    @Query() query: ListPresetVersionsQuery,
  ) {
    return this.presets.listVersions(caller, { ...query, ...path });
  }

  @Get(':slug/versions/:version')
  @Authenticated(['management_key', 'api_key'], 'presets_read')
  @KeepsToOwn()
  @Operation({
    type: GetPresetVersionResponse,
    summary: 'Get a version of a preset',
    description: 'Returns a version of a preset. Versions are numbered from 1 without gaps and never change.',
    errors: [PresetVersionNotFound, PresetNotFound],
  })
  getPresetVersion(
    @CurrentPrincipal() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Param() path: PresetVersionPath,
    @Query() query: PresetWorkspaceQuery,
  ) {
    return this.presets.getVersion(caller, { ...query, ...path });
  }

  @Post(':slug/chat/completions')
  @Authenticated(['management_key'], 'presets_write')
  @Operation({
    type: CreatePresetFromInferenceResponse,
    hasEntityTag: true,
    summary: 'Create a preset or its next version',
    description:
      'Stores the configuration of a chat completion: all fields except messages, prompt, input and stream. Messages of system and developer become the system prompt. No request is sent to a model.',
    errors: [WorkspaceNotFound],
  })
  createPresetsChatCompletions(
    @CurrentPrincipal() caller: ManagementPrincipal,
    @Param() path: PresetPath,
    @Query() query: PresetWorkspaceQuery,
    @Body() body: PresetInferenceRequest,
  ) {
    return this.presets.createFromInference(caller, { ...query, ...path, body });
  }
}
