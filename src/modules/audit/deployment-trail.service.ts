import { Injectable } from '@nestjs/common';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { type Actor, AuditTrail, COMMAND_LINE } from './audit-trail.js';
import type { AuditedEvent } from './audited-event.js';

/** The chain of what operators do to the deployment as a whole: no organization has this id. */
export const DEPLOYMENT_CHAIN = 'deployment';

/**
 * Records what is done to the deployment as a whole, such as to its providers and its catalog, by the `gatehouse` command or by the operator's
 * organization. `gatehouse audit list --deployment` lists these events (docs/interface/audit.md#deployment).
 */
@Injectable()
export class DeploymentTrail {
  constructor(
    private readonly statements: Statements,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Records an event, and that of a caller of the interface in the trail of the caller's organization as well.
   *
   * @param tx the transaction that makes the change
   * @param event without secrets
   */
  async record(tx: Transaction, event: AuditedEvent, actor: Actor = COMMAND_LINE): Promise<void> {
    await this.trail.record(tx, DEPLOYMENT_CHAIN, actor, event);
    if ('organizationId' in actor) await this.trail.record(tx, actor.organizationId, actor, event);
  }

  /** Records an event by itself, ahead of work that has several transactions, so that none of it is without the event. */
  async announce(event: AuditedEvent): Promise<void> {
    await this.statements.transaction((tx) => this.record(tx, event));
  }
}
