import { Injectable } from '@nestjs/common';
import { columnsOf, entityColumns } from '../../persistence/entity-columns.js';
import { rowInsert } from '../../persistence/insert-statement.js';
import { type BoundValues, statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import { GenerationEntity } from './entities/generation.entity.js';
import { timeOfGeneration } from './generation-time.js';

const ROW = rowInsert(GenerationEntity);

/** A record without its content. */
export type StoredGeneration = Omit<GenerationEntity, 'content'>;

const SHOWN = entityColumns(GenerationEntity)
  .map(({ property }) => property as keyof GenerationEntity)
  .filter((property) => property !== 'content');

/** Inserts a record that charges nothing. */
export const INSERT_GENERATION = statement<never, BoundValues<GenerationEntity>>(
  'generation_insert',
  `${ROW.into} VALUES (${ROW.parameters})`,
);

/**
 * Inserts a record and adds its cost to what its key has spent on the day of the request, both or neither. A key that was
 * deleted meanwhile is not charged. The same id a second time charges nothing.
 */
export const INSERT_CHARGED_GENERATION = statement<never, BoundValues<GenerationEntity>>(
  'generation_insert_charged',
  `WITH generation AS (
      ${ROW.into} VALUES (${ROW.parameters})
      ON CONFLICT (organization_id, id, created_at) DO NOTHING
      RETURNING organization_id, key_id, created_at, cost_usd, is_byok
    ),
    kept_key AS (
      SELECT id FROM api_keys WHERE organization_id = $1
        AND id = (SELECT key_id FROM generation) FOR KEY SHARE
    )
    INSERT INTO key_spend AS known (organization_id, key_id, day, amount_usd, byok_amount_usd)
    SELECT generation.organization_id, kept_key.id, (generation.created_at AT TIME ZONE 'UTC')::date,
      CASE WHEN is_byok THEN 0 ELSE cost_usd END, CASE WHEN is_byok THEN cost_usd ELSE 0 END
    FROM generation CROSS JOIN kept_key
    ON CONFLICT ON CONSTRAINT pk_key_spend DO UPDATE SET amount_usd = known.amount_usd + excluded.amount_usd,
      byok_amount_usd = known.byok_amount_usd + excluded.byok_amount_usd`,
);

/** A record by its id, from the partition of the time that the id states. */
export const GENERATION_BY_ID = statement<StoredGeneration, [organizationId: string, id: string, createdAt: Date]>(
  'generation_by_id',
  `SELECT ${columnsOf(GenerationEntity, 'g', SHOWN)} FROM generations g
    WHERE g.organization_id = $1 AND g.id = $2 AND g.created_at = $3`,
);

/** A record with its content, from the partition of the time that the id states. */
export const GENERATION_WITH_CONTENT = statement<
  GenerationEntity,
  [organizationId: string, id: string, createdAt: Date]
>(
  'generation_with_content',
  `SELECT ${columnsOf(GenerationEntity, 'g')} FROM generations g
    WHERE g.organization_id = $1 AND g.id = $2 AND g.created_at = $3`,
);

/** The rows of generations. */
@Injectable()
export class GenerationsRepository {
  constructor(private readonly statements: Statements) {}

  /** Inserts a record and charges its cost to its key. */
  async insert(generation: GenerationEntity): Promise<void> {
    const isFree = Number(generation.costUsd) === 0;
    await this.statements.write(isFree ? INSERT_GENERATION : INSERT_CHARGED_GENERATION, ROW.values(generation));
  }

  async find(organizationId: string, id: string): Promise<StoredGeneration | undefined> {
    const createdAt = timeOfGeneration(id);
    return createdAt && this.statements.first(GENERATION_BY_ID, [organizationId, id, createdAt]);
  }

  async findWithContent(organizationId: string, id: string): Promise<GenerationEntity | undefined> {
    const createdAt = timeOfGeneration(id);
    return createdAt && this.statements.first(GENERATION_WITH_CONTENT, [organizationId, id, createdAt]);
  }
}
