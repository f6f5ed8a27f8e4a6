import { Injectable } from '@nestjs/common';
import { PresetsRepository } from './presets.repository.js';

/** The version of a preset that requests use. */
export interface PresetInForce {
  readonly id: string;
  readonly slug: string;
  readonly version: number;
  readonly config: Readonly<Record<string, unknown>>;
  readonly systemPrompt: string | null;
}

/** Finds the presets that requests name. */
@Injectable()
export class PresetsInForce {
  constructor(private readonly repository: PresetsRepository) {}

  /**
   * The version of an active preset that requests use: the newest.
   *
   * @returns undefined when the workspace has no such preset, or it is not active
   */
  async find(organizationId: string, workspaceId: string, slug: string): Promise<PresetInForce | undefined> {
    const preset = await this.repository.findBySlug(organizationId, workspaceId, slug);
    if (preset?.status !== 'active') return undefined;
    const version = await this.repository.newestVersion(organizationId, preset.id);
    if (version === undefined) return undefined;
    return {
      id: preset.id,
      slug: preset.slug,
      version: version.version,
      config: { ...version.config },
      systemPrompt: version.systemPrompt,
    };
  }
}
