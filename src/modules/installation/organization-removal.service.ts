import { Injectable } from '@nestjs/common';
import { BackgroundStatements } from '../../persistence/background-statements.js';
import { AuditTrail, COMMAND_LINE } from '../audit/audit-trail.js';
import { DeploymentTrail } from '../audit/deployment-trail.service.js';
import { OrganizationRemovalRepository, type OrganizationTraces } from './organization-removal.repository.js';

/** Why an organization was not deleted. */
export type RemovalRefusal = 'unknown' | 'other_name' | keyof OrganizationTraces;

/** Deletes organizations that were made by mistake, and never used (docs/operations.md#organizations). */
@Injectable()
export class OrganizationRemovalService {
  constructor(
    private readonly statements: BackgroundStatements,
    private readonly repository: OrganizationRemovalRepository,
    private readonly audit: AuditTrail,
    private readonly deployment: DeploymentTrail,
  ) {}

  /**
   * Deletes an organization, unless it has a generation, a charge, a key that was used, or more in its trail than its creation. Its trail stays,
   * with the deletion at the end, which the trail of the deployment has as well.
   *
   * @param name that it has, to confirm it by
   * @returns why it is still there; undefined if it is not
   */
  async remove(organizationId: string, name: string): Promise<RemovalRefusal | undefined> {
    return this.statements.transaction(async (tx) => {
      const known = await this.repository.lock(tx, organizationId);
      if (known === undefined) return 'unknown';
      if (known !== name) return 'other_name';
      const traces = await this.repository.traces(tx, organizationId);
      const refusal = (Object.keys(traces) as (keyof OrganizationTraces)[]).find((trace) => traces[trace]);
      if (refusal !== undefined) return refusal;
      const event = { action: 'organization.delete', targetId: organizationId };
      await this.audit.record(tx, organizationId, COMMAND_LINE, event);
      await this.deployment.record(tx, event);
      await this.repository.remove(tx, organizationId);
      return undefined;
    });
  }
}
