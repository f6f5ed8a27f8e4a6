import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type { ListPresetVersionsQuery } from './dto/list-preset-versions-query.dto.js';
import type { PresetPath } from './dto/preset-path.dto.js';
import type { ListPresetVersionsResponse } from './dto/preset-version.dto.js';
import { PresetNotFound } from './presets.errors.js';
import { toPresetVersionResponse } from './presets.mapper.js';
import { PresetsRepository } from './presets.repository.js';

/** A preset to be made, with the configurations of its versions from the first on. */
export interface NewPreset {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly slug: string;
  readonly name: string;
  readonly creatorId: string;
  readonly versions: readonly { config: object; systemPrompt: string | null }[];
}

/** Presets and their versions. */
@Injectable()
export class PresetsService {
  constructor(
    private readonly repository: PresetsRepository,
    private readonly workspaces: WorkspacesService,
  ) {}

  /**
   * Lists the versions of a preset by number, oldest first (SERVICE.md, section 4.8).
   *
   * @throws PresetNotFound also for a workspace that the caller has nothing to do with
   */
  async listVersions(
    caller: ManagementPrincipal | ApiKeyPrincipal,
    input: PresetPath & ListPresetVersionsQuery,
  ): Promise<ListPresetVersionsResponse> {
    const workspaceId = await this.workspaceIdFor(caller, input.workspace_id);
    const presetId = workspaceId && (await this.repository.find(caller.organizationId, workspaceId, input.slug));
    if (presetId === undefined) throw new PresetNotFound();
    return toPageResponse(await this.repository.versionsPage(presetId, windowOf(input)), toPresetVersionResponse);
  }

  /** Makes a preset with its versions. @returns its id */
  async create(manager: EntityManager, preset: NewPreset): Promise<string> {
    const { versions, ...fields } = preset;
    const id = newUuid();
    const now = new Date();
    const stamps = { createdAt: now, updatedAt: now };
    await this.repository.insert(
      manager,
      { ...fields, ...stamps, id, description: null },
      versions.map((version, index) => ({
        ...version,
        ...stamps,
        id: newUuid(),
        presetId: id,
        version: index + 1,
        creatorId: preset.creatorId,
      })),
    );
    return id;
  }

  /** A key for inference sees its own workspace only; a management key any, and the default one when it names none. */
  private async workspaceIdFor(
    caller: ManagementPrincipal | ApiKeyPrincipal,
    requested: string | undefined,
  ): Promise<string | undefined> {
    if (caller.kind === 'management_key' && requested !== undefined) return requested;
    const own =
      (caller.kind === 'api_key' ? caller.workspaceId : null) ??
      (await this.workspaces.defaultWorkspaceId(caller.organizationId));
    return requested === undefined || requested.toLowerCase() === own ? own : undefined;
  }
}
