import { Injectable } from '@nestjs/common';
import type { InspectorEntity } from './entities/inspector.entity.js';
import { EncryptedInspectorSecrets } from './inspector-secrets.js';
import { InspectorsRepository } from './inspectors.repository.js';
import type { ReadyInspector } from './judging/judgement.js';
import { windowOf } from './shown-inspector.js';

/** The inspectors of organizations as they are now, with their secrets. */
@Injectable()
export class InspectorsInForce {
  constructor(
    private readonly repository: InspectorsRepository,
    private readonly secrets: EncryptedInspectorSecrets,
  ) {}

  /**
   * Reads inspectors by their ids.
   *
   * @returns those that there are, in the order of the ids
   */
  async byIds(organizationId: string, ids: readonly string[]): Promise<ReadyInspector[]> {
    if (ids.length === 0) return [];
    const rows = await this.repository.byIds(organizationId, ids);
    return rows.map((row) => this.ready(row));
  }

  /** An inspector with its secrets. */
  ready(inspector: InspectorEntity): ReadyInspector {
    const { id, organizationId, name, protocol, url, settings, appliesTo, mode, onFailure, timeoutMs } = inspector;
    return {
      id,
      organizationId,
      name,
      protocol,
      url,
      settings,
      appliesTo,
      mode,
      onFailure,
      timeoutMs,
      window: windowOf(inspector),
      secrets: this.secrets.of(inspector),
      version: `${id} ${inspector.updatedAt.getTime()}`,
    };
  }
}
