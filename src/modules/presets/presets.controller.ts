import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../../auth/authenticated.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { Input } from '../../http/input/input.decorator.js';
import { Answers } from '../../http/openapi/answers.decorator.js';
import { ListPresetVersionsQuery } from './dto/list-preset-versions-query.dto.js';
import { PresetPath } from './dto/preset-path.dto.js';
import { ListPresetVersionsResponse } from './dto/preset-version.dto.js';
import { PresetsService } from './presets.service.js';

/** The operations on presets. */
@Controller('presets')
@ApiTags('Presets')
export class PresetsController {
  constructor(private readonly presets: PresetsService) {}

  @Get(':slug/versions')
  @Authenticated('management_key', 'api_key')
  @Answers({
    status: 200,
    type: ListPresetVersionsResponse,
    summary: 'List the versions of a preset',
    description: 'By version number, oldest first.',
    errors: [400, 403, 404],
    reasons: { 404: 'preset_not_found' },
  })
  listPresetVersions(
    @Caller() caller: ManagementPrincipal | ApiKeyPrincipal,
    @Input({ path: PresetPath, query: ListPresetVersionsQuery }) input: PresetPath & ListPresetVersionsQuery,
  ): Promise<ListPresetVersionsResponse> {
    return this.presets.listVersions(caller, input);
  }
}
