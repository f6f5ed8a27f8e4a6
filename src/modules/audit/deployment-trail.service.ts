import { Injectable } from '@nestjs/common';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { AuditTrail, COMMAND_LINE } from './audit-trail.js';
import type { AuditedEvent } from './audited-event.js';

/** The chain of what operators do to the deployment as a whole: no organization has this id. */
export const DEPLOYMENT_CHAIN = 'deployment';

/**
 * Records what the `gatehouse` command does to the deployment as a whole, such as to its providers and its catalog. No organization sees
 * these events; `gatehouse audit list --deployment` lists them (docs/interface/audit.md#deployment).
 */
@Injectable()
export class DeploymentTrail {
  constructor(
    private readonly statements: Statements,
    private readonly trail: AuditTrail,
  ) {}

  /** Records an event. @param tx the transaction that makes the change @param event without secrets */
  async record(tx: Transaction, event: AuditedEvent): Promise<void> {
    await this.trail.record(tx, DEPLOYMENT_CHAIN, COMMAND_LINE, event);
  }

  /** Records an event by itself, ahead of work that has several transactions, so that none of it is without the event. */
  async announce(event: AuditedEvent): Promise<void> {
    await this.statements.transaction((tx) => this.record(tx, event));
  }
}
