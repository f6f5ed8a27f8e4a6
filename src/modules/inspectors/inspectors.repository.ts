import { Injectable } from '@nestjs/common';
import { pageOfOrganization, VIEW_BY_NAME } from '../../persistence/page-statement.js';
import { rowsByIds } from '../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW } from '../../persistence/row-times.js';
import { rowsOfOrganizations } from '../../persistence/rows-of-organizations.js';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import { auditedStatement } from '../audit/audit-trail.js';
import { AuditedRows } from '../audit/audited-rows.js';
import { DEFAULT_PLACES } from '../content/content-filters.js';
import { InspectorEntity } from './entities/inspector.entity.js';
import { TIMEOUTS } from './inspector-vocabulary.js';
import { InspectorNotFound } from './inspectors.errors.js';
import { DEFAULT_PROTOCOL } from './protocols/inspection-protocols.js';
import { shownMasks, windowOf } from './shown-inspector.js';

/** A page of the inspectors of an organization, oldest first. */
export const INSPECTORS_PAGE = pageOfOrganization<InspectorEntity>({
  name: 'inspectors_page',
  entity: InspectorEntity,
  view: VIEW_BY_NAME,
});

/** Deletes an inspector that no guardrail names, and records it. It has to be locked, so that all guardrails that name it are seen. */
export const DELETE_INSPECTOR = auditedStatement<never, [organizationId: string, id: string]>(
  'inspector_delete',
  `DELETE FROM inspectors i WHERE i.organization_id = $1 AND i.id = $2
    AND NOT EXISTS (SELECT FROM guardrails g
      WHERE g.organization_id = $1 AND g.inspector_ids IS NOT NULL AND $2::uuid = ANY (g.inspector_ids))`,
  2,
);

/** The inspectors of organizations. */
export const INSPECTORS = new AuditedRows({
  entity: InspectorEntity,
  one: 'inspector',
  notFound: InspectorNotFound,
  quota: 'inspectors',
  fields: {
    name: {},
    protocol: { initial: DEFAULT_PROTOCOL, fixed: true },
    url: { initial: null },
    settings: { initial: {} },
    appliesTo: { initial: [...DEFAULT_PLACES] },
    mode: { initial: 'enforce' },
    onFailure: { initial: 'block' },
    timeoutMs: { initial: TIMEOUTS.default },
  },
  recorded: (inspector) => ({ window: windowOf(inspector), ...shownMasks(inspector.secretMasks) }),
  created: CREATED_AND_UPDATED_NOW,
  create: 'inspector_create',
  lock: 'FOR UPDATE',
  delete: DELETE_INSPECTOR,
});

/** Complete inspectors of an organization, by their ids. */
export const INSPECTORS_BY_IDS = rowsByIds('inspectors_by_ids', InspectorEntity);

/** The secrets of an inspector as they are stored, with what they are bound to. */
export type StoredInspectorSecrets = Pick<InspectorEntity, 'organizationId' | 'id' | 'protocol' | 'url'> & {
  readonly encryptedSecrets: Buffer;
};

/** A batch across all organizations: the encryption key is the deployment's, and so is the command that changes it. */
export const INSPECTOR_SECRETS_AFTER = statement<
  StoredInspectorSecrets,
  [organizationId: string, after: string, limit: number]
>(
  'inspectors_secrets_batch',
  `SELECT id, organization_id AS "organizationId", protocol, url, encrypted_secrets AS "encryptedSecrets"
    FROM inspectors
    WHERE (organization_id, id) > ($1, $2::uuid) AND encrypted_secrets IS NOT NULL
    ORDER BY organization_id, id LIMIT $3`,
);

/** Replaces the encrypted form of secrets, unless they have changed since they were read. */
export const REPLACE_INSPECTOR_SECRETS = statement<
  never,
  [organizationId: string, id: string, known: Buffer, replacement: Buffer]
>(
  'inspector_secrets_replace',
  `UPDATE inspectors SET encrypted_secrets = $4 WHERE organization_id = $1 AND id = $2 AND encrypted_secrets = $3`,
);

/** The rows of inspectors. */
@Injectable()
export class InspectorsRepository {
  constructor(private readonly statements: Statements) {}

  /** The inspectors of some ids, as far as there are any. */
  async byIds(organizationId: string, ids: readonly string[]): Promise<InspectorEntity[]> {
    return this.statements.rows(INSPECTORS_BY_IDS, [organizationId, ids]);
  }

  everySecret(): AsyncGenerator<StoredInspectorSecrets> {
    return rowsOfOrganizations((after) => this.statements.rows(INSPECTOR_SECRETS_AFTER, after));
  }

  /** @returns whether it has been replaced */
  async replaceSecrets(
    { organizationId, id, encryptedSecrets }: StoredInspectorSecrets,
    replacement: Buffer,
  ): Promise<boolean> {
    const values: [string, string, Buffer, Buffer] = [organizationId, id, encryptedSecrets, replacement];
    return (await this.statements.write(REPLACE_INSPECTOR_SECRETS, values)) > 0;
  }
}
