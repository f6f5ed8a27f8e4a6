import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../../persistence/entity-columns.js';
import { statement } from '../../../../persistence/statement.js';
import { Statements } from '../../../../persistence/statements.js';
import { DestinationEntity } from '../../entities/destination.entity.js';
import type { SelectingColumns } from './broadcast-destination.js';

/**
 * An SQL expression for the version of the destinations that get generations of a workspace `w` of the organization $1; null without any.
 * It changes with each of them.
 */
export const BROADCAST_VERSION = `CASE WHEN w.is_observability_broadcast_enabled THEN (
        SELECT string_agg(d.id || ' ' || d.xmin, ',' ORDER BY d.id) FROM observability_destinations d
        WHERE d.organization_id = $1 AND d.workspace_id = w.id AND d.enabled
      ) END`;

const SELECTING: readonly (keyof SelectingColumns)[] = [
  'id',
  'type',
  'privacyMode',
  'samplingRate',
  'regions',
  'apiKeyHashes',
  'filterRules',
];

/** The columns of a destination, and their version. */
export type VersionedColumns = SelectingColumns & { readonly version: string };

/** The destinations that get generations of a workspace, and their versions. */
export const BROADCAST_DESTINATIONS = statement<VersionedColumns, [organizationId: string, workspaceId: string]>(
  'broadcast_destinations',
  `SELECT ${columnsOf(DestinationEntity, 'd', SELECTING)}, d.xmin::text AS version
    FROM observability_destinations d
    WHERE d.organization_id = $1 AND d.workspace_id = $2 AND d.enabled ORDER BY d.id`,
);

/** The destinations that get generations of workspaces. */
@Injectable()
export class BroadcastDestinationsRepository {
  constructor(private readonly statements: Statements) {}

  async of(organizationId: string, workspaceId: string): Promise<VersionedColumns[]> {
    return this.statements.rows(BROADCAST_DESTINATIONS, [organizationId, workspaceId]);
  }
}
