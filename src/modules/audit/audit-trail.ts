import { Injectable } from '@nestjs/common';
import type { Principal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import { rowInsert } from '../../database/insert-statement.js';
import type { Statement, StatementRunner } from '../../database/statements.js';
import type { AuditedEvent } from './audited-event.js';
import { AuditEventEntity } from './entities/audit-event.entity.js';

/** Whoever does something: a caller, or who runs the `gatehouse` command. */
export type Actor = Principal | { readonly kind: 'command_line' };

/** Who runs the `gatehouse` command, or starts a deployment for the first time. */
export const COMMAND_LINE: Actor = { kind: 'command_line' };

/** The row of an event to be recorded, but for the time at which the database records it. */
export type NewAuditEvent = Omit<AuditEventEntity, 'createdAt'>;

// The database says when: the clocks of replicas may differ.
const RECORDED_NOW = { createdAt: 'now()' };

const EVENT_INSERT = rowInsert(AuditEventEntity, RECORDED_NOW);

/** Inserts an event. */
export const INSERT_AUDIT_EVENT = {
  name: 'audit_event_insert',
  text: `${EVENT_INSERT.into} VALUES (${EVENT_INSERT.parameters})`,
  values: EVENT_INSERT.values,
};

/** A statement that changes something and records it, both or neither, in one round trip. */
export interface AuditedStatement extends Statement {
  /** @param values one for each parameter of the change itself */
  values(values: readonly unknown[], event: NewAuditEvent): unknown[];
}

/** What a change and its event need of each other. */
export interface AuditedParts {
  /** Common table expressions that the change refers to. */
  readonly with?: string;
  /** What the change returns, as the row `change`, to the expressions below. */
  readonly returning?: string;
  /** What was done, where only the change finds out. */
  readonly action?: string;
  /** The id of the target, where only the change finds it. */
  readonly targetId?: string;
  /** The changed fields, where only the change finds them. */
  readonly changes?: string;
  /** What the statement answers; nothing but its count of rows when left out. */
  readonly answer?: string;
}

/**
 * Makes a statement that records what it changes. What it writes, by its count of rows, is the event: one when the change
 * found something to change, none otherwise.
 *
 * @param change an INSERT, UPDATE or DELETE of at most one row, without RETURNING
 * @param parameters how many parameters the change has, from $1
 */
export function auditedStatement(
  name: string,
  change: string,
  parameters: number,
  parts: AuditedParts = {},
): AuditedStatement {
  const { with: ahead, returning = '1', action, targetId, changes, answer } = parts;
  const found = {
    ...RECORDED_NOW,
    ...(action !== undefined && { action }),
    ...(targetId !== undefined && { targetId }),
    ...(changes !== undefined && { changes }),
  };
  const event = rowInsert(AuditEventEntity, found as Record<keyof typeof found, string>, parameters + 1);
  return {
    name,
    text: `WITH ${ahead === undefined ? '' : `${ahead}, `}change AS (${change} RETURNING ${returning})
      ${event.into} SELECT ${event.parameters} FROM change
      ${answer === undefined ? '' : `RETURNING ${answer}`}`,
    values: (values, row) => [...values, ...event.values(row)],
  };
}

/** Records who did what, in the transaction that does it. */
@Injectable()
export class AuditTrail {
  /** Records an event. @param on the transaction that does what is recorded */
  async record(on: StatementRunner, organizationId: string, actor: Actor, event: AuditedEvent): Promise<void> {
    await on.write(INSERT_AUDIT_EVENT, INSERT_AUDIT_EVENT.values(auditEventOf(organizationId, actor, event)));
  }
}

/** The row of an event, for statements that record what they do. */
export function auditEventOf(organizationId: string, actor: Actor, event: AuditedEvent): NewAuditEvent {
  const origin = 'origin' in actor ? actor.origin : null;
  return {
    id: newUuid(),
    organizationId,
    actorKind: actor.kind,
    actorId: actorIdOf(actor),
    credentialId: 'credentialId' in actor ? actor.credentialId : null,
    action: event.action,
    targetType: event.target.type,
    targetId: event.target.id,
    changes: event.changes ?? null,
    requestId: origin?.requestId ?? null,
    address: origin?.address ?? null,
  };
}

function actorIdOf(actor: Actor): string | null {
  if ('userId' in actor) return actor.userId;
  return 'connectClientId' in actor ? actor.connectClientId : null;
}
