import { Injectable } from '@nestjs/common';
import {
  ConfiguredKind,
  everyPage,
  type Fields,
  type KindContext,
  type ObjectAnswer,
  type ShownObject,
} from '../configuration/kinds/configured-kind.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import type { PresetWithDesignatedVersion } from './dto/preset.dto.js';
import { PresetConfigurationInFile } from './dto/preset-in-file.dto.js';
import type { ConfiguringRequest } from './preset-configuration.js';
import { PresetsService } from './presets.service.js';

/** Presets as files configure them: the version in force (docs/configuration.md). */
@Injectable()
export class PresetsConfiguration extends ConfiguredKind {
  readonly section = 'presets';
  readonly one = 'preset';
  readonly permission = 'presets_write';
  override readonly identity = 'slug';
  override readonly workspace = 'default';
  readonly creation = PresetConfigurationInFile;
  readonly change = PresetConfigurationInFile;
  override readonly isDeletable = false;

  constructor(
    kinds: ConfiguredKinds,
    private readonly service: PresetsService,
  ) {
    super();
    kinds.add(this);
  }

  override async list({ caller, inventory }: KindContext): Promise<readonly ShownObject[]> {
    const presets: PresetWithDesignatedVersion[] = [];
    for (const workspace of await inventory.all('workspaces')) {
      const listed = await everyPage((page) => this.service.list(caller, { ...page, workspace_id: workspace.id }));
      for (const { slug } of listed) {
        presets.push((await this.service.get(caller, { slug, workspace_id: workspace.id })).data);
      }
    }
    return presets;
  }

  protected override get({ caller }: KindContext, id: string): Promise<ObjectAnswer> {
    const [workspaceId, slug] = id.split('/', 2) as [string, string];
    return this.service.get(caller, { slug, workspace_id: workspaceId });
  }

  protected override make({ caller }: KindContext, input: Fields): Promise<ObjectAnswer> {
    const { slug, workspace_id: workspaceId, config, system_prompt: prompt } = input as Fields & Record<string, string>;
    return this.service.createFromInference(caller, {
      slug: slug!,
      ...(workspaceId !== undefined && { workspace_id: workspaceId }),
      body: bodyOf(config, prompt),
    });
  }

  override async update(context: KindContext, id: string, input: Fields): Promise<unknown> {
    const data = (await this.get(context, id)).data as PresetWithDesignatedVersion;
    const present = this.requestFieldsOf(data);
    const { config, system_prompt: prompt } = { ...present, ...input };
    return this.service.createFromInference(context.caller, {
      slug: data.slug,
      workspace_id: data.workspace_id,
      body: bodyOf(config, prompt),
    });
  }

  override delete(): Promise<unknown> {
    throw new Error('presets are not deleted');
  }

  /** Slugs are those of a workspace. */
  override idOf(shown: ShownObject): string {
    const { workspace_id: workspaceId, slug } = shown as PresetWithDesignatedVersion;
    return `${workspaceId}/${slug}`;
  }

  override requestFieldsOf(shown: ShownObject): Fields {
    const { slug, workspace_id: workspaceId, designated_version: version } = shown as PresetWithDesignatedVersion;
    return {
      slug,
      workspace_id: workspaceId,
      config: version?.config ?? {},
      system_prompt: version?.system_prompt ?? null,
    };
  }

  override get creationFields(): readonly string[] {
    return [...super.creationFields, 'workspace_id'];
  }
}

/** The body that makes a version of this configuration. */
function bodyOf(config: unknown, prompt: unknown): ConfiguringRequest {
  const messages = typeof prompt === 'string' ? [{ role: 'system', content: prompt }] : [];
  return { ...(config as object), messages };
}
