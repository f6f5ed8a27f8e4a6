import { Injectable } from '@nestjs/common';
import { newUuid } from '../../database/identifiers.js';
import { PageReader } from '../../database/page-reader.js';
import type { StatementRunner } from '../../database/statements.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import {
  type AssignmentTable,
  KEY_ASSIGNMENTS,
  MEMBER_ASSIGNMENTS,
  type RemovedAssignment,
} from './assignment-tables.js';
import type { GuardrailKeyAssignmentEntity } from './entities/guardrail-key-assignment.entity.js';
import type { GuardrailMemberAssignmentEntity } from './entities/guardrail-member-assignment.entity.js';

/** What can have a guardrail. */
export type AssignmentKind = 'key' | 'member';

/** The guardrail of a key, beside what shows which key it is. */
export type ListedKeyAssignment = GuardrailKeyAssignmentEntity & {
  readonly keyHash: string;
  readonly keyName: string;
  readonly keyLabel: string;
};

/** A guardrail, and the subjects that it is given to or taken from: ids of keys, or users. */
export interface GuardrailSubjects {
  readonly guardrailId: string;
  readonly kind: AssignmentKind;
  readonly subjects: readonly string[];
}

const TABLES: Readonly<Record<AssignmentKind, AssignmentTable>> = { key: KEY_ASSIGNMENTS, member: MEMBER_ASSIGNMENTS };

export const KEEP_GUARDRAIL = {
  name: 'guardrail_keep',
  text: 'SELECT id FROM guardrails WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
};

/** The rows of assignments. */
@Injectable()
export class AssignmentsRepository {
  constructor(private readonly pages: PageReader) {}

  /** Keeps a guardrail until the end of the transaction. @returns whether there is such a guardrail */
  async keep(on: StatementRunner, organizationId: string, guardrailId: string): Promise<boolean> {
    return (await on.first(KEEP_GUARDRAIL, [organizationId, guardrailId])) !== undefined;
  }

  /**
   * Holds subjects against all who assign to them, in an order that is the same for all.
   *
   * @returns those that there are
   */
  async lock(
    on: StatementRunner,
    organizationId: string,
    { kind, subjects }: Omit<GuardrailSubjects, 'guardrailId'>,
  ): Promise<string[]> {
    const rows = await on.rows<{ subject: string }>(TABLES[kind].lock, [organizationId, subjects]);
    return rows.map(({ subject }) => subject);
  }

  /** Takes from subjects every guardrail but this one. @returns what was taken */
  async removeOthers(
    on: StatementRunner,
    organizationId: string,
    { guardrailId, kind, subjects }: GuardrailSubjects,
  ): Promise<RemovedAssignment[]> {
    return on.rows(TABLES[kind].removeOthers, [organizationId, subjects, guardrailId]);
  }

  /** Gives a guardrail to those subjects that have none. @returns these */
  async insert(
    on: StatementRunner,
    organizationId: string,
    { guardrailId, kind, subjects }: GuardrailSubjects,
    assignedBy: string,
  ): Promise<string[]> {
    const ids = subjects.map(() => newUuid());
    const values = [organizationId, subjects, guardrailId, ids, assignedBy];
    return (await on.rows<{ subject: string }>(TABLES[kind].insert, values)).map(({ subject }) => subject);
  }

  /** Takes a guardrail from subjects. @returns those that had it */
  async remove(
    on: StatementRunner,
    organizationId: string,
    { guardrailId, kind, subjects }: GuardrailSubjects,
  ): Promise<string[]> {
    const values = [organizationId, subjects, guardrailId];
    return (await on.rows<{ subject: string }>(TABLES[kind].remove, values)).map(({ subject }) => subject);
  }

  /** @param guardrailId undefined for the assignments of all guardrails */
  async keyPage(
    organizationId: string,
    guardrailId: string | undefined,
    window: PageWindow,
  ): Promise<Page<ListedKeyAssignment>> {
    return this.pageOf(KEY_ASSIGNMENTS, organizationId, guardrailId, window);
  }

  /** @param guardrailId undefined for the assignments of all guardrails */
  async memberPage(
    organizationId: string,
    guardrailId: string | undefined,
    window: PageWindow,
  ): Promise<Page<GuardrailMemberAssignmentEntity>> {
    return this.pageOf(MEMBER_ASSIGNMENTS, organizationId, guardrailId, window);
  }

  private async pageOf<Row extends object>(
    { page, guardrailPage }: AssignmentTable,
    organizationId: string,
    guardrailId: string | undefined,
    window: PageWindow,
  ): Promise<Page<Row>> {
    return guardrailId === undefined
      ? this.pages.read(page, [organizationId], window)
      : this.pages.read(guardrailPage, [organizationId, guardrailId], window);
  }
}
