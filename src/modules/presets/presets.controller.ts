import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { ListPresetsQuery, PresetWorkspaceQuery } from './dto/list-presets-query.dto.js';
import { PresetInferenceRequest } from './dto/preset-inference.dto.js';
import { PresetPath } from './dto/preset-path.dto.js';
import { PresetVersionPath } from './dto/preset-version-path.dto.js';
import { GetPresetVersionResponse, ListPresetVersionsResponse } from './dto/preset-version.dto.js';
import { CreatePresetFromInferenceResponse, GetPresetResponse, ListPresetsResponse } from './dto/preset.dto.js';
import { PresetsService } from './presets.service.js';

/** The operations on presets. */
@Controller('presets')
@ApiTags('Presets')
export class PresetsController {
  constructor(private readonly presets: PresetsService) {}

  @Get()
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ListPresetsResponse,
    summary: 'List presets',
    description: 'Those of a workspace, the most recently updated first.',
    errors: [400, 403],
  })
  listPresets(
    @Caller() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Input({ query: ListPresetsQuery }) input: ListPresetsQuery,
  ): Promise<ListPresetsResponse> {
    return this.presets.list(caller, input);
  }

  @Get(':slug')
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: GetPresetResponse,
    summary: 'Get a preset',
    description: 'With the version in force, which is the newest.',
    errors: [400, 403, 404],
    reasons: { 404: 'preset_not_found' },
  })
  getPreset(
    @Caller() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Input({ path: PresetPath, query: PresetWorkspaceQuery }) input: PresetPath & PresetWorkspaceQuery,
  ): Promise<GetPresetResponse> {
    return this.presets.get(caller, input);
  }

  @Get(':slug/versions')
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ListPresetVersionsResponse,
    summary: 'List the versions of a preset',
    description: 'By version number, oldest first.',
    unavailableStatus: 500,
    errors: [400, 403, 404],
    reasons: { 404: 'preset_not_found' },
  })
  listPresetVersions(
    @Caller() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Input({ path: PresetPath, query: ListPresetsQuery }) input: PresetPath & ListPresetsQuery,
  ): Promise<ListPresetVersionsResponse> {
    return this.presets.listVersions(caller, input);
  }

  @Get(':slug/versions/:version')
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: GetPresetVersionResponse,
    summary: 'Get a version of a preset',
    description: 'By its number. Versions are numbered from 1 without a gap, and never change.',
    errors: [400, 403, 404],
    reasons: { 404: 'preset_version_not_found' },
  })
  getPresetVersion(
    @Caller() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Input({ path: PresetVersionPath, query: PresetWorkspaceQuery }) input: PresetVersionPath & PresetWorkspaceQuery,
  ): Promise<GetPresetVersionResponse> {
    return this.presets.getVersion(caller, input);
  }

  @Post(':slug/chat/completions')
  @Authenticated('management_key')
  @Answers({
    status: 200,
    type: CreatePresetFromInferenceResponse,
    summary: 'Make a preset, or its next version, of an inference',
    description:
      'What configures the inference is kept: every field but messages, prompt, input and stream. System messages become the system prompt. Nothing is inferred.',
    errors: [400, 403, 404, 413],
    reasons: { 404: 'workspace_not_found' },
  })
  createPresetsChatCompletions(
    @Caller() caller: ManagementPrincipal,
    @Input({ path: PresetPath, query: PresetWorkspaceQuery, openBody: PresetInferenceRequest })
    input: PresetPath & PresetWorkspaceQuery & { readonly body: PresetInferenceRequest },
  ): Promise<CreatePresetFromInferenceResponse> {
    return this.presets.createFromInference(caller, input);
  }
}
