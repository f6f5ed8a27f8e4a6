import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsOf } from '../../database/entity-columns.js';
import { Statements } from '../../database/statements.js';
import { DestinationEntity } from './entities/destination.entity.js';

/** A destination of an organization. */
export const DESTINATION_BY_ID = {
  name: 'observability_destination_by_id',
  text: `SELECT ${columnsOf(DestinationEntity, 'd')} FROM observability_destinations d
    WHERE d.organization_id = $1 AND d.id = $2`,
};

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
}
