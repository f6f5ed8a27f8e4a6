import { CatalogLookup } from '../catalog/catalog-lookup.service.js';
import { UNKNOWN_MODEL } from '../catalog/catalog.errors.js';
import { Injectable } from '@nestjs/common';
import { type ApiKeyPrincipal, isManagement, type ManagementPrincipal } from '../../auth/principal.js';
import { newUuid } from '../../persistence/identifiers.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { requireAll, requireNoIssues } from '../../http/errors/require-all.js';
import { toPageResponse, toPageRequest } from '../../http/pagination/pagination.js';
import { Quotas } from '../organization-limits/quotas.js';
import { WorkspaceLookupService } from '../workspaces/workspace-lookup.service.js';
import { WorkspaceNotFound } from '../workspaces/workspaces.errors.js';
import type {
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
import type { PresetEntity, PresetVersionEntity } from './entities/preset.entity.js';
import {
  configurationIssues,
  configurationOf,
  type ConfiguringRequest,
  type NamedModel,
  namedModelsOf,
  type PresetConfiguration,
} from './preset-configuration.js';
import { PresetNotFound, PresetVersionNotFound } from './presets.errors.js';
import {
  tagOfPreset,
  toPresetResponse,
  toPresetVersionResponse,
  toPresetWithVersionResponse,
} from './presets.mapper.js';
import { type NewPresetRow, type NewVersion, PRESETS_QUOTA, PresetsRepository } from './presets.repository.js';

/** A version to create from a request. */
export interface NewVersionFromInference extends PresetPath, PresetWorkspaceQuery {
  /** In the form of a chat completion. */
  readonly body: ConfiguringRequest;
  /** The models that the request names, in the words of its own form. By default those of the body. */
  readonly models?: readonly NamedModel[];
}

type Reader = ManagementPrincipal | ApiKeyPrincipal;

/** The number of a version in a path, within the range of the column. */
const VERSION_NUMBER = /^[1-9][0-9]{0,8}$/;

/** Presets and their versions. */
@Injectable()
export class PresetsService {
  constructor(
    private readonly repository: PresetsRepository,
    private readonly workspaces: WorkspaceLookupService,
    private readonly catalog: CatalogLookup,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Lists the presets of a workspace, the most recently updated first. An unknown workspace, or one of another
   * organization, has none.
   */
  async list(caller: Reader, input: ListPresetsQuery): Promise<ListPresetsResponse> {
    const workspaceId = await this.workspaceIdFor(caller, input.workspace_id);
    if (workspaceId === undefined) return { data: [], total_count: 0 };
    const page = await this.repository.page(caller.organizationId, workspaceId, toPageRequest(input));
    return toPageResponse(page, toPresetResponse);
  }

  /**
   * A preset with the version in force.
   *
   * @throws PresetNotFound also for a workspace that the caller cannot see
   */
  async get(caller: Reader, input: PresetPath & PresetWorkspaceQuery): Promise<GetPresetResponse> {
    const preset = await this.inWorkspace(caller, input, (workspaceId) =>
      this.repository.findBySlug(caller.organizationId, workspaceId, input.slug),
    );
    const version = await this.repository.newestVersion(caller.organizationId, preset.id);
    return withEntityTag({ data: toPresetWithVersionResponse(preset, version) }, tagOfPreset(preset));
  }

  /**
   * Lists the versions of a preset by number, oldest first (docs/interface/presets.md#reading).
   *
   * @throws PresetNotFound also for a workspace that the caller cannot see
   */
  async listVersions(caller: Reader, input: PresetPath & ListPresetVersionsQuery): Promise<ListPresetVersionsResponse> {
    const page = await this.inWorkspace(caller, input, (workspaceId) =>
      this.repository.versionsPage(caller.organizationId, workspaceId, input.slug, toPageRequest(input)),
    );
    return toPageResponse(page, toPresetVersionResponse);
  }

  /**
   * One version of a preset.
   *
   * @throws PresetNotFound also for a workspace that the caller cannot see
   * @throws PresetVersionNotFound also for a text that is not a number
   */
  async getVersion(caller: Reader, input: PresetVersionPath & PresetWorkspaceQuery): Promise<GetPresetVersionResponse> {
    const preset = await this.inWorkspace(caller, input, (workspaceId) =>
      this.repository.findBySlug(caller.organizationId, workspaceId, input.slug),
    );
    const number = VERSION_NUMBER.test(input.version) ? Number(input.version) : undefined;
    const version =
      number === undefined ? undefined : await this.repository.version(caller.organizationId, preset.id, number);
    if (version === undefined) throw new PresetVersionNotFound();
    return { data: toPresetVersionResponse(version) };
  }

  /**
   * Creates a preset, or its next version, from the body of a request to a model
   * (docs/interface/presets.md#creating-a-version).
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError for an unknown model, for a deleted default workspace, and beyond a quota
   */
  async createFromInference(
    caller: ManagementPrincipal,
    { slug, workspace_id: requested, body, models = namedModelsOf(body) }: NewVersionFromInference,
  ): Promise<CreatePresetFromInferenceResponse> {
    const configuration = configurationOf(body);
    const [workspaceId] = await requireAll([
      requested === undefined
        ? this.workspaces.idFor(caller.organizationId, undefined)
        : this.workspaces.find(caller.organizationId, requested),
      this.requireValid(configuration, models),
    ]);
    if (workspaceId === undefined) throw new WorkspaceNotFound();

    await this.requireBelowQuota(caller.organizationId, workspaceId, slug);
    const { organizationId, userId: creatorId } = caller;
    const row: NewPresetRow = {
      id: newUuid(),
      organizationId,
      workspaceId,
      slug,
      name: slug,
      description: null,
      status: 'active',
      statusUpdatedAt: null,
      newestVersion: 1,
      creatorId,
    };
    const version = { id: newUuid(), creatorId, ...configuration };
    const preset = await this.repository.addVersion(row, version, caller);
    const made = toPresetWithVersionResponse(preset, versionOf(preset, preset.newestVersion, version));
    return withEntityTag({ data: made }, tagOfPreset(preset));
  }

  private async requireBelowQuota(organizationId: string, workspaceId: string, slug: string): Promise<void> {
    const preset = await this.repository.findBySlug(organizationId, workspaceId, slug);
    if (preset === undefined) await this.quotas.requireBelowQuota(organizationId, PRESETS_QUOTA);
    else this.quotas.requireCountBelowQuota(preset.newestVersion, 'preset_versions');
  }

  /** @throws BadRequestError for a configuration that is too large, and for unknown models */
  private async requireValid(configuration: PresetConfiguration, named: readonly NamedModel[]): Promise<void> {
    const known = await this.catalog.canonicalSlugsOf(named.map(({ name }) => name));
    const unknown = named.filter(({ name }) => !known.has(name)).map(({ path, name }) => UNKNOWN_MODEL.at(path, name));
    requireNoIssues([...configurationIssues(configuration), ...unknown]);
  }

  /**
   * Reads from a preset of the workspace that the caller names.
   *
   * @param read returns undefined when the workspace has no such preset; null is the default workspace
   * @throws PresetNotFound also for a workspace that the caller cannot see
   */
  private async inWorkspace<T>(
    caller: Reader,
    query: PresetWorkspaceQuery,
    read: (workspaceId: string | null) => Promise<T | undefined>,
  ): Promise<T> {
    const workspaceId = await this.workspaceIdFor(caller, query.workspace_id);
    const found = workspaceId === undefined ? undefined : await read(workspaceId);
    if (found === undefined) throw new PresetNotFound();
    return found;
  }

  /**
   * The workspace whose presets a caller reads. An API key sees its own workspace only; a management key sees all, or those of which its
   * owner is a member, by default the default workspace.
   *
   * @returns null for the default workspace, which the statements find; undefined for one that the caller cannot see
   */
  private async workspaceIdFor(caller: Reader, requested: string | undefined): Promise<string | null | undefined> {
    const own = caller.kind === 'api_key' ? caller.workspaceId : null;
    if (requested === undefined) return own;
    if (isManagement(caller)) return this.workspaces.idSeenBy(caller, requested);
    const visible = own ?? (await this.workspaces.defaultWorkspaceId(caller.organizationId));
    return requested.toLowerCase() === visible ? visible : undefined;
  }
}

function versionOf(
  { id, organizationId, updatedAt }: PresetEntity,
  version: number,
  fields: NewVersion,
): PresetVersionEntity {
  return { ...fields, organizationId, presetId: id, version, createdAt: updatedAt, updatedAt };
}
