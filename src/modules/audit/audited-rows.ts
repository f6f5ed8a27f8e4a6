import { isDeepStrictEqual } from 'node:util';
import type { QuotaKind } from '../../config/quota-variables.js';
import { entityTagOf } from '../../http/entity-tags.js';
import { Precondition } from '../../http/precondition.js';
import { entityColumns, tableOf } from '../../persistence/entity-columns.js';
import { isUuid } from '../../persistence/identifiers.js';
import { insertStatement } from '../../persistence/insert-statement.js';
import type { OrganizationRow } from '../../persistence/organization-row.js';
import { type Quota, quotaStatement } from '../../persistence/quota-statement.js';
import { type ById, locking, type LockMode, rowById } from '../../persistence/row-statements.js';
import { UPDATED_NOW } from '../../persistence/row-times.js';
import { type FieldsOf, type Wire, WireFields, type WireInput } from '../../persistence/rows/wire-fields.js';
import type { RowStatement, Statement } from '../../persistence/statement.js';
import { type PoolStatements, type StatementRunner, Transaction } from '../../persistence/statements.js';
import { updateStatement } from '../../persistence/update-statement.js';
import {
  type Actor,
  type AuditedInsert,
  auditedInsert,
  type AuditedStatement,
  auditedStatement,
  auditEventOf,
  recordEvent,
} from './audit-trail.js';
import { type AuditedChanges, type AuditedEvent, created, updated } from './audited-event.js';

type Caller = Actor & { readonly organizationId: string };

/** How a change is recorded, where that is special. */
interface ChangeToRecord {
  /** What was done, if it is not `<one>.update`. */
  readonly action?: string;
  /** What neither fields nor `recorded` tell, as a secret that is another one now. */
  readonly besides?: AuditedChanges;
}

/** How rows are inserted: by one statement that records them too, or by one that leaves that to another. */
type Insertion<Input extends object, Found extends object> =
  | { readonly isRecorded: true; readonly statement: AuditedInsert<Input, Found> }
  | { readonly isRecorded: false; readonly statement: RowStatement<Found, Input> };

/** What is said of a resource whose rows organizations have in a table: its statements and its fields follow from it (CONTRIBUTING.md). */
export interface RowsDescription<
  Row extends OrganizationRow,
  Times extends keyof Row & string,
  Shown extends Row,
  Named extends keyof Shown & string,
> {
  readonly entity: new () => Row;
  /** What its statements and its actions in the audit trail begin with: `alert` for `alert_by_id` and `alert.create`. */
  readonly one: string;
  readonly notFound: new () => Error;
  readonly quota: QuotaKind;
  /** What requests set, responses show and the audit trail records. */
  readonly fields: FieldsOf<Shown, Named>;
  /** What the audit trail records besides, or in another form, by the names of the interface. */
  readonly recorded?: (row: Omit<Shown, Times>) => Readonly<Record<string, unknown>>;
  /** What the database sets in a new row, as `CREATED_NOW`. */
  readonly created: Readonly<Record<Times, string>>;
  /** The name of one statement that inserts a row and records it. Without it, that is a transaction. */
  readonly create?: string;
  /** How a row is locked; for a `find` that reads other tables too, a statement that locks the row alone. */
  readonly lock: LockMode | Statement<{ id: string }, ById>;
  /** The name of the statement that locks, if it is not `<one>_lock`. */
  readonly lockName?: string;
  /** Finds a row with what answers show beside it, or by another key than its id. */
  readonly find?: Statement<Shown, ById>;
  /** Whether a text may be the key of a row: without it, a UUID may. */
  readonly isKey?: (text: string) => boolean;
  /** What the audit trail calls a row, if not by its id. */
  readonly target?: (row: Omit<Shown, Times>) => string;
  /** Deletes a row under a condition, and records it. */
  readonly delete?: AuditedStatement<never, ById>;
}

/**
 * A resource of organizations by its description: its statements, which logs and traces show as `<one>_by_id`, `_lock`, `_insert`, `_update` and
 * `_delete`, and what every service does with them. Lists, and statements that only this resource has, stand in its repository.
 */
export class AuditedRows<
  Row extends OrganizationRow,
  Times extends keyof Row & string,
  Shown extends Row = Row,
  Named extends keyof Shown & string = never,
> {
  /** How many an organization has, against its quota. */
  readonly quota: Quota;
  readonly findStatement: Statement<Shown, ById>;
  readonly lockStatement: Statement<object, ById>;
  readonly insertion: Insertion<Omit<Row, Times>, Pick<Row, Times>>;
  readonly updateStatement: RowStatement<object, OrganizationRow>;
  readonly deleteStatement: AuditedStatement<never, ById>;
  private readonly fields: WireFields<Shown, Named>;
  private readonly columns: readonly (keyof Row)[];
  /** Whether what is locked is all that `find` reads. */
  private readonly locksWhole: boolean;

  constructor(private readonly description: RowsDescription<Row, Times, Shown, Named>) {
    const { entity, one, create, lock, lockName = `${one}_lock` } = description;
    const table = tableOf(entity);
    this.columns = entityColumns(entity).map(({ property }) => property as keyof Row);
    this.locksWhole = typeof lock === 'string';
    this.fields = new WireFields(description.fields);
    this.quota = quotaStatement(`${table}_quota`, description.quota, table);
    this.findStatement = description.find ?? (rowById<object>(`${one}_by_id`, entity) as Statement<Shown, ById>);
    this.lockStatement = typeof lock === 'string' ? locking(lockName, this.findStatement, lock) : lock;
    this.insertion =
      create === undefined
        ? { isRecorded: false, statement: insertStatement(`${one}_insert`, entity, description.created) }
        : { isRecorded: true, statement: auditedInsert(create, entity, description.created) };
    const times = this.columns.includes('updatedAt' as keyof Row) ? UPDATED_NOW : undefined;
    this.updateStatement = updateStatement<OrganizationRow & { updatedAt?: Date }, 'updatedAt'>(
      `${one}_update`,
      entity,
      times,
    );
    this.deleteStatement =
      description.delete ??
      auditedStatement(`${one}_delete`, `DELETE FROM ${table} WHERE organization_id = $1 AND id = $2`, 2);
  }

  /** The fields of a row as the interface shows them, behind its id. */
  shown(row: Shown): { readonly id: string } & Wire<Shown, Named> {
    return { id: row.id, ...this.fields.shown(row) };
  }

  /** The entity tag of a row (docs/interface/conventions.md#conditional-requests). */
  tagOf(row: Shown): string {
    return entityTagOf(row.id, this.recorded(row));
  }

  /** The fields of a new row. */
  made(input: WireInput<Shown, Named>): Pick<Shown, Named> {
    return this.fields.made(input);
  }

  /** A row as a request changes it: a field that it leaves out stays, and null clears one. */
  changed(before: Shown, input: WireInput<Shown, Named>): Shown {
    return this.fields.changed(before, input);
  }

  /** @returns undefined also for a text that cannot be a key */
  async find(runner: StatementRunner, organizationId: string, key: string): Promise<Shown | undefined> {
    return this.isKey(key) ? runner.first(this.findStatement, [organizationId, key]) : undefined;
  }

  /** Finds a row that has to be there. @throws the error of the description */
  async get(runner: StatementRunner, organizationId: string, key: string): Promise<Shown> {
    return this.required(await this.find(runner, organizationId, key));
  }

  /** Locks a row until the end of the transaction. @returns undefined also for a text that cannot be a key */
  async lock(tx: Transaction, organizationId: string, key: string): Promise<Shown | undefined> {
    const locked = this.isKey(key) ? await tx.first(this.lockStatement, [organizationId, key]) : undefined;
    return locked === undefined || this.locksWhole ? (locked as Shown | undefined) : this.find(tx, organizationId, key);
  }

  /**
   * Locks a row that has to be there, and compares it with what the caller knows of it.
   *
   * @throws the error of the description, PreconditionFailed
   */
  async hold(tx: Transaction, organizationId: string, key: string, precondition = Precondition.NONE): Promise<Shown> {
    const row = this.required(await this.lock(tx, organizationId, key));
    if (precondition.isGiven) precondition.require(this.tagOf(row));
    return row;
  }

  /**
   * Inserts a row and records it.
   *
   * @param runner the transaction that it is a part of, if there is one
   * @param also inserts what belongs to the row, before that is read and recorded; not for one that one statement inserts and records
   */
  async create(
    runner: PoolStatements | Transaction,
    actor: Actor,
    row: Omit<Row, Times> & OrganizationRow,
    also?: (tx: Transaction) => Promise<void>,
  ): Promise<Shown> {
    const { insertion } = this;
    if (insertion.isRecorded) {
      const event = auditEventOf(row.organizationId, actor, this.creationOf(row as Shown));
      const times = await runner.first(insertion.statement, insertion.statement.values(row, event));
      return { ...row, ...times } as Shown;
    }
    const { statement } = insertion;
    const work = async (tx: Transaction): Promise<Shown> => {
      const times = await tx.first(statement, statement.values(row));
      await also?.(tx);
      const made = await this.complete(tx, { ...row, ...times } as Shown);
      await recordEvent(tx, row.organizationId, actor, this.creationOf(made));
      return made;
    };
    return runner instanceof Transaction ? work(runner) : runner.transaction(work);
  }

  /**
   * Writes a row as it is to be, and records what has changed; without a change nothing is written.
   *
   * @param tx holds the row
   * @returns the row as it is stored
   */
  async update(
    tx: Transaction,
    actor: Actor,
    before: Shown,
    after: Shown,
    { action = `${this.description.one}.update`, besides = {} }: ChangeToRecord = {},
  ): Promise<Shown> {
    const was = this.recorded(before);
    const isSame = this.columns.every((property) => isDeepStrictEqual(after[property], before[property]));
    if (isSame && isDeepStrictEqual(this.recorded(after), was)) return before;
    const times = await tx.first(this.updateStatement, this.updateStatement.values(after));
    const stored = await this.complete(tx, { ...after, ...times });
    await recordEvent(tx, stored.organizationId, actor, {
      action,
      targetId: this.targetOf(stored),
      changes: { ...updated(was, this.recorded(stored)), ...besides },
    });
    return stored;
  }

  /**
   * Deletes a row and records it, if it is as the caller knows it.
   *
   * @param target what the audit trail calls it
   * @throws the error of the description, PreconditionFailed
   */
  async delete(
    statements: PoolStatements,
    caller: Caller,
    key: string,
    precondition = Precondition.NONE,
    target?: string,
  ): Promise<{ deleted: true }> {
    const remove = async (runner: StatementRunner): Promise<{ deleted: true }> => {
      if (this.isKey(key) && (await this.remove(runner, caller, key, target))) return { deleted: true };
      throw new this.description.notFound();
    };
    if (!precondition.isGiven) return remove(statements);
    return statements.transaction(async (tx) => {
      await this.hold(tx, caller.organizationId, key, precondition);
      return remove(tx);
    });
  }

  /** Deletes a row and records it. @returns whether there was one, and nothing kept it from that */
  async remove(runner: StatementRunner, caller: Caller, id: string, target = id.toLowerCase()): Promise<boolean> {
    const { organizationId } = caller;
    const event = auditEventOf(organizationId, caller, { action: `${this.description.one}.delete`, targetId: target });
    return (await runner.write(this.deleteStatement, this.deleteStatement.values([organizationId, id], event))) > 0;
  }

  private recorded(row: Shown): Readonly<Record<string, unknown>> {
    return { ...this.fields.shown(row), ...this.description.recorded?.(row) };
  }

  private creationOf(row: Shown): AuditedEvent {
    const changes = created(this.recorded(row));
    return { action: `${this.description.one}.create`, targetId: this.targetOf(row), changes };
  }

  private targetOf(row: Shown): string {
    return this.description.target?.(row) ?? row.id;
  }

  /** A row as it was written, with what answers show beside it as that is now. */
  private async complete(tx: Transaction, written: Shown): Promise<Shown> {
    return this.locksWhole ? written : this.required(await this.find(tx, written.organizationId, written.id));
  }

  private isKey(text: string): boolean {
    return (this.description.isKey ?? isUuid)(text);
  }

  private required(row: Shown | undefined): Shown {
    if (row === undefined) throw new this.description.notFound();
    return row;
  }
}
