import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { NIL as NIL_UUID } from 'uuid';
import { columnsOf } from '../../database/entity-columns.js';
import { Statements } from '../../database/statements.js';
import { DestinationEntity } from './entities/destination.entity.js';

/** A destination of an organization. */
export const DESTINATION_BY_ID = {
  name: 'observability_destination_by_id',
  text: `SELECT ${columnsOf(DestinationEntity, 'd')} FROM observability_destinations d
    WHERE d.organization_id = $1 AND d.id = $2`,
};

// Across all organizations: the key is the deployment's, and so is the command that changes it.
const CONFIGS_BATCH = {
  name: 'observability_configs_batch',
  text: 'SELECT id, encrypted_config FROM observability_destinations WHERE id > $1 ORDER BY id LIMIT $2',
};

const REPLACE_CONFIG = {
  name: 'observability_config_replace',
  text: 'UPDATE observability_destinations SET encrypted_config = $3 WHERE id = $1 AND encrypted_config = $2',
};

/** A configuration as it is stored. */
export interface StoredConfig {
  readonly id: string;
  readonly encrypted_config: Buffer;
}

/** The rows of destinations. */
@Injectable()
export class ObservabilityRepository {
  constructor(private readonly statements: Statements) {}

  /** @param id in UUID form */
  async find(organizationId: string, id: string): Promise<DestinationEntity | undefined> {
    return this.statements.first(DESTINATION_BY_ID, [organizationId, id]);
  }

  async insert(manager: EntityManager, destination: DestinationEntity): Promise<void> {
    await manager.insert(DestinationEntity, destination);
  }

  /**
   * Some configurations, of whichever organization, by id.
   *
   * @param after the id behind which to go on; undefined for the first
   */
  async configsAfter(after: string | undefined, limit: number): Promise<StoredConfig[]> {
    return this.statements.rows(CONFIGS_BATCH, [after ?? NIL_UUID, limit]);
  }

  /** Replaces a configuration, unless it has changed since it was read. @returns whether it has been replaced */
  async replaceConfig({ id, encrypted_config: known }: StoredConfig, config: Buffer): Promise<boolean> {
    return (await this.statements.write(REPLACE_CONFIG, [id, known, config])) === 1;
  }
}
