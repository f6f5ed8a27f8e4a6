import { Injectable } from '@nestjs/common';
import type { AppliedFiles, Principal } from '../../auth/principal.js';
import { newUuid } from '../../persistence/identifiers.js';
import { columnNameOf } from '../../persistence/entity-columns.js';
import { insertStatement, rowInsert } from '../../persistence/insert-statement.js';
import { type BoundValues, type Statement, statement } from '../../persistence/statement.js';
import type { Transaction } from '../../persistence/statements.js';
import type { AuditedChanges, AuditedEvent } from './audited-event.js';
import { AuditEventEntity } from './entities/audit-trail.entity.js';
import { CREATED_NOW } from '../../persistence/row-times.js';

/** The actor of an event: a caller, the `gatehouse` command, or the service itself. */
export type Actor = Principal | { readonly kind: 'command_line' | 'service' };

/** The `gatehouse` command, or the first start of a deployment. */
export const COMMAND_LINE: Actor = { kind: 'command_line' };

/** The service itself, which no one has asked to act. */
export const SERVICE: Actor = { kind: 'service' };

/** The row of a new event, without its time, which the database sets. */
export type NewAuditEvent = Omit<AuditEventEntity, 'createdAt'>;

export const INSERT_AUDIT_EVENT = insertStatement('audit_event_insert', AuditEventEntity, CREATED_NOW);

/** A statement that makes a change and records its event in one round trip. */
export interface AuditedStatement<Row extends object, Values extends readonly unknown[]> extends Statement<
  Row,
  BoundValues<Values>
> {
  /** @param values the parameters of the change */
  values(values: Values, event: NewAuditEvent): BoundValues<Values>;
}

/** How a change provides the parts of its event. */
export interface AuditedParts {
  /** Common table expressions that the change refers to. */
  readonly with?: string;
  /** The RETURNING list of the change, available to the expressions below as the row `change`. */
  readonly returning?: string;
  /** The action, if only the change knows it. */
  readonly action?: string;
  /** An expression for the id of the object, if only the change knows it; the event then has none. */
  readonly targetId?: string;
  /** The changed fields, if only the change knows them. */
  readonly changes?: string;
  /** The select list that the statement returns; only its row count if absent. */
  readonly answer?: string;
  /** What that is selected from: the event if absent. */
  readonly answerFrom?: 'event' | 'change';
  /** An expression for the id of an event, if the change may affect several rows; the id of the given event otherwise. */
  readonly eventId?: string;
}

/** The parts of the events of a change of several rows, each of which says which object it is about. */
export type AuditedRowsParts = Pick<AuditedParts, 'with' | 'returning' | 'changes' | 'answer'> & {
  readonly targetId: string;
};

/**
 * Builds a statement that changes any number of rows and records an event for each of them, in one round trip.
 *
 * @param change an INSERT, UPDATE or DELETE without RETURNING
 * @param parameters how many parameters the change has, from $1
 * @param parts its `answer`, if there is one, is selected for each row of `change`
 */
export function auditedRowsStatement<Row extends object = never, Values extends readonly unknown[] = []>(
  name: string,
  change: string,
  parameters: number,
  parts: AuditedRowsParts,
): AuditedStatement<Row, Values> {
  return auditedStatement(name, change, parameters, { ...parts, answerFrom: 'change', eventId: 'gen_random_uuid()' });
}

/**
 * Builds a statement that records its own change. Its row count is the number of events: one if the change affected a row,
 * otherwise none.
 *
 * @template Row the rows that the statement returns; `never` if it returns none
 * @template Values the parameters of the change
 * @param change an INSERT, UPDATE or DELETE of at most one row, without RETURNING
 * @param parameters how many parameters the change has, from $1
 */
export function auditedStatement<Row extends object = never, Values extends readonly unknown[] = []>(
  name: string,
  change: string,
  parameters: number,
  parts: AuditedParts = {},
): AuditedStatement<Row, Values> {
  const { with: ahead, returning = '1', action, targetId, changes, answer, answerFrom = 'event', eventId } = parts;
  const found = {
    ...CREATED_NOW,
    ...(eventId !== undefined && { id: eventId }),
    ...(action !== undefined && { action }),
    ...(targetId !== undefined && { targetId }),
    ...(changes !== undefined && { changes }),
  };
  const event = rowInsert(AuditEventEntity, found as Record<keyof typeof found, string>, parameters + 1);
  const changed = `WITH ${ahead === undefined ? '' : `${ahead}, `}change AS (${change} RETURNING ${returning})`;
  const insertion = `${event.into} SELECT ${event.parameters} FROM change`;
  return {
    ...statement<Row, BoundValues<Values>>(
      name,
      answer === undefined
        ? `${changed} ${insertion}`
        : `${changed}, event AS (${insertion} RETURNING 1) SELECT ${answer} FROM ${answerFrom}`,
    ),
    isChange: true,
    values: (values, row) => [...values, ...event.values(row)] as unknown[] & BoundValues<Values>,
  };
}

/** The parameters of a row and of its event. */
type RowAndEvent<Row> = BoundValues<BoundValues<Row>>;

/** A statement that inserts a row and records its event in one round trip. */
export interface AuditedInsert<Input extends object, Found extends object> extends Statement<
  Found,
  RowAndEvent<Input>
> {
  values(row: Input, event: NewAuditEvent): RowAndEvent<Input>;
}

/**
 * Builds a statement that inserts a row and records its event. It returns the columns that have an expression, by property.
 *
 * @param expressions expressions, by property, for columns whose value does not come from the row
 */
export function auditedInsert<Row extends object, Found extends keyof Row & string>(
  name: string,
  entity: new () => Row,
  expressions: Readonly<Record<Found, string>>,
): AuditedInsert<Omit<Row, Found>, Pick<Row, Found>> {
  const { into, parameters, count, values } = rowInsert(entity, expressions);
  const found = Object.keys(expressions).map((property) => ({ property, column: columnNameOf(entity, property) }));
  const insert = auditedStatement<Pick<Row, Found>, BoundValues<Omit<Row, Found>>>(
    name,
    `${into} VALUES (${parameters})`,
    count,
    {
      returning: found.map(({ column }) => column).join(', '),
      answer: found.map(({ property, column }) => `(SELECT ${column} FROM change) AS "${property}"`).join(', '),
    },
  );
  return { ...insert, values: (row, event) => insert.values(values(row), event) };
}

/** Records who did what, in the transaction that does it. */
@Injectable()
export class AuditTrail {
  /** Records an event. @param tx the transaction that makes the change */
  async record(tx: Transaction, organizationId: string, actor: Actor, event: AuditedEvent): Promise<void> {
    return recordEvent(tx, organizationId, actor, event);
  }
}

/** Records an event. @param tx the transaction that makes the change */
export async function recordEvent(
  tx: Transaction,
  organizationId: string,
  actor: Actor,
  event: AuditedEvent,
): Promise<void> {
  await tx.write(INSERT_AUDIT_EVENT, INSERT_AUDIT_EVENT.values(auditEventOf(organizationId, actor, event)));
}

/** The row of an event, for statements that record their own change. */
export function auditEventOf(organizationId: string, actor: Actor, event: AuditedEvent): NewAuditEvent {
  const origin = 'origin' in actor ? actor.origin : null;
  const files = 'files' in actor ? actor.files : undefined;
  return {
    id: newUuid(),
    organizationId,
    actorKind: files?.appliedBy ?? actor.kind,
    actorId: files?.appliedBy === undefined ? actorIdOf(actor) : null,
    credentialId: files?.appliedBy === undefined && 'credentialId' in actor ? actor.credentialId : null,
    action: event.action,
    targetType: event.action.split('.', 1)[0]!,
    // The statement that records the event sets the id if the event has none.
    targetId: event.targetId ?? '',
    changes: files === undefined ? (event.changes ?? null) : { ...event.changes, ...fromFiles(files) },
    requestId: origin?.requestId ?? null,
    address: origin?.address ?? null,
  };
}

/** What an event says of the files that have made the change. */
function fromFiles({ owner, plan, revision, file }: AppliedFiles): AuditedChanges {
  return { configuration: { after: { owner, plan, revision, file } } };
}

function actorIdOf(actor: Actor): string | null {
  switch (actor.kind) {
    case 'management_key':
    case 'session':
    case 'api_key':
      return actor.userId;
    case 'client_secret':
      return actor.connectClientId;
    case 'provisioning_token':
    case 'anonymous':
    case 'command_line':
    case 'service':
      return null;
  }
}
