import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ApiKeyPrincipal, ManagementPrincipal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import { BadRequestError } from '../../http/errors/domain-error.js';
import { joinPath, type ReasonedIssue } from '../../http/errors/issue.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import { Quotas } from '../../limits/quotas.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { NO_DEFAULT_WORKSPACE, WorkspaceNotFound } from '../workspaces/workspaces.errors.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type { ListPresetsQuery, PresetWorkspaceQuery } from './dto/list-presets-query.dto.js';
import type { PresetInferenceRequest } from './dto/preset-inference.dto.js';
import type { PresetPath } from './dto/preset-path.dto.js';
import type { PresetVersionPath } from './dto/preset-version-path.dto.js';
import type { GetPresetVersionResponse, ListPresetVersionsResponse } from './dto/preset-version.dto.js';
import type { CreatePresetFromInferenceResponse, GetPresetResponse, ListPresetsResponse } from './dto/preset.dto.js';
import type { PresetEntity } from './entities/preset.entity.js';
import type { PresetVersionEntity } from './entities/preset-version.entity.js';
import { configurationFaults, configurationOf, type PresetConfiguration } from './preset-configuration.js';
import { PresetNotFound, PresetVersionNotFound, unknownModel } from './presets.errors.js';
import { toPresetResponse, toPresetVersionResponse, toPresetWithVersionResponse } from './presets.mapper.js';
import { type NewPresetRow, type NewVersion, PRESETS_QUOTA, PresetsRepository } from './presets.repository.js';

/** A preset to be made, with the configurations of its versions from the first on. */
export interface NewPreset {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly slug: string;
  readonly name: string;
  readonly creatorId: string;
  readonly versions: readonly PresetConfiguration[];
}

type Reader = ManagementPrincipal | ApiKeyPrincipal;

/** The number of a version as a path has it, within what the database counts. */
const VERSION_NUMBER = /^[1-9][0-9]{0,8}$/;

/** Presets and their versions. */
@Injectable()
export class PresetsService {
  constructor(
    private readonly repository: PresetsRepository,
    private readonly workspaces: WorkspacesService,
    private readonly catalog: CatalogService,
    private readonly quotas: Quotas,
  ) {}

  /** Lists the presets of a workspace, the most recently updated first. A workspace that is not the caller's has none. */
  async list(caller: Reader, input: ListPresetsQuery): Promise<ListPresetsResponse> {
    const workspaceId = await this.workspaceIdFor(caller, input.workspace_id);
    if (workspaceId === undefined) return { data: [], total_count: 0 };
    const page = await this.repository.page(caller.organizationId, workspaceId, windowOf(input));
    return toPageResponse(page, toPresetResponse);
  }

  /**
   * A preset with the version in force.
   *
   * @throws PresetNotFound also for a workspace that the caller has nothing to do with
   */
  async get(caller: Reader, input: PresetPath & PresetWorkspaceQuery): Promise<GetPresetResponse> {
    const workspaceId = await this.workspaceIdFor(caller, input.workspace_id);
    const preset = workspaceId && (await this.repository.findBySlug(caller.organizationId, workspaceId, input.slug));
    if (!preset) throw new PresetNotFound();
    return { data: toPresetWithVersionResponse(preset, await this.repository.newestVersion(preset.id)) };
  }

  /**
   * Lists the versions of a preset by number, oldest first (SERVICE.md, section 4.8).
   *
   * @throws PresetNotFound also for a workspace that the caller has nothing to do with
   */
  async listVersions(caller: Reader, input: PresetPath & ListPresetsQuery): Promise<ListPresetVersionsResponse> {
    const presetId = await this.find(caller, input);
    const page = await this.repository.versionsPage(caller.organizationId, presetId, windowOf(input));
    return toPageResponse(page, toPresetVersionResponse);
  }

  /**
   * One version of a preset.
   *
   * @throws PresetNotFound also for a workspace that the caller has nothing to do with
   * @throws PresetVersionNotFound also for what is no number of a version
   */
  async getVersion(caller: Reader, input: PresetVersionPath & PresetWorkspaceQuery): Promise<GetPresetVersionResponse> {
    const presetId = await this.find(caller, input);
    const number = VERSION_NUMBER.test(input.version) ? Number(input.version) : undefined;
    const version = number === undefined ? undefined : await this.repository.version(presetId, number);
    if (version === undefined) throw new PresetVersionNotFound();
    return { data: toPresetVersionResponse(version) };
  }

  /**
   * Makes a preset, or its next version, of the body of an inference: what is configuration is kept, and a system message
   * becomes the system prompt.
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError for a model that there is not, without a default workspace, and beyond a quota
   */
  async createFromInference(
    caller: ManagementPrincipal,
    {
      slug,
      workspace_id: requested,
      body,
    }: PresetPath & PresetWorkspaceQuery & { readonly body: PresetInferenceRequest },
  ): Promise<CreatePresetFromInferenceResponse> {
    const [workspaceId, issues] = await Promise.all([
      this.workspaces.idFor(caller.organizationId, requested),
      this.unknownModels(body),
    ]);
    const configuration = configurationOf(body);
    const found = [...configurationFaults(configuration), ...issues];
    const faults = workspaceId === NO_DEFAULT_WORKSPACE ? [NO_DEFAULT_WORKSPACE, ...found] : found;
    if (faults.length > 0) throw BadRequestError.of(faults);
    if (typeof workspaceId !== 'string') throw new WorkspaceNotFound();

    await this.requireRoom(caller.organizationId, workspaceId, slug);
    const { organizationId, userId: creatorId } = caller;
    const made = newPreset({ organizationId, workspaceId, slug, name: slug, creatorId, newestVersion: 1 });
    const version = { id: newUuid(), creatorId, ...configuration };
    const preset = await this.repository.addVersion(made, version, caller);
    return { data: toPresetWithVersionResponse(preset, versionOf(preset, preset.newestVersion, version)) };
  }

  /** Makes a preset with its versions. @returns its id */
  async create(manager: EntityManager, preset: NewPreset): Promise<string> {
    const { versions, ...fields } = preset;
    const row = newPreset({ ...fields, newestVersion: versions.length });
    const { creatorId } = preset;
    await this.repository.insert(
      manager,
      row,
      versions.map((version) => ({ id: newUuid(), creatorId, ...version })),
    );
    return row.id;
  }

  private async requireRoom(organizationId: string, workspaceId: string, slug: string): Promise<void> {
    const preset = await this.repository.findBySlug(organizationId, workspaceId, slug);
    if (preset === undefined) await this.quotas.requireRoom(organizationId, PRESETS_QUOTA);
    else this.quotas.requireRoomBeside(preset.newestVersion, 'preset_versions');
  }

  private async unknownModels({ model, models = [] }: PresetInferenceRequest): Promise<ReasonedIssue[]> {
    const named = models.map((name, index) => ({ path: joinPath('models', index), name }));
    if (model !== undefined) named.unshift({ path: 'model', name: model });
    const known = await this.catalog.canonicalSlugsOf(named.map(({ name }) => name));
    return named.filter(({ name }) => !known.has(name)).map(({ path, name }) => unknownModel(path, name));
  }

  private async find(caller: Reader, input: PresetPath & PresetWorkspaceQuery): Promise<string> {
    const workspaceId = await this.workspaceIdFor(caller, input.workspace_id);
    const presetId = workspaceId && (await this.repository.find(caller.organizationId, workspaceId, input.slug));
    if (presetId === undefined) throw new PresetNotFound();
    return presetId;
  }

  /** A key for inference sees its own workspace only; a management key any, and the default one when it names none. */
  private async workspaceIdFor(caller: Reader, requested: string | undefined): Promise<string | undefined> {
    if (caller.kind === 'management_key' && requested !== undefined) return requested;
    const own =
      (caller.kind === 'api_key' ? caller.workspaceId : null) ??
      (await this.workspaces.defaultWorkspaceId(caller.organizationId));
    return requested === undefined || requested.toLowerCase() === own ? own : undefined;
  }
}

function newPreset(
  fields: Pick<PresetEntity, 'organizationId' | 'workspaceId' | 'slug' | 'name' | 'creatorId' | 'newestVersion'>,
): NewPresetRow {
  return {
    ...fields,
    id: newUuid(),
    description: null,
    status: 'active',
    statusUpdatedAt: null,
  };
}

function versionOf({ id, updatedAt }: PresetEntity, version: number, fields: NewVersion): PresetVersionEntity {
  return { ...fields, presetId: id, version, createdAt: updatedAt, updatedAt };
}
