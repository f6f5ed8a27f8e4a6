import { Injectable } from '@nestjs/common';
import { newUuid } from '../../../persistence/identifiers.js';
import { PageReader } from '../../../persistence/page-reader.js';
import { statement } from '../../../persistence/statement.js';
import type { Transaction } from '../../../persistence/statements.js';
import type { Page, PageRequest } from '../../../persistence/page.js';
import {
  type AssignmentTable,
  type ListedKeyAssignment,
  KEY_ASSIGNMENTS,
  MEMBER_ASSIGNMENTS,
  type RemovedAssignment,
} from './assignment-tables.js';
import type { GuardrailMemberAssignmentEntity } from '../entities/guardrail-assignment.entity.js';

/** What can have a guardrail. */
export type AssignmentKind = 'key' | 'member';

/** A guardrail, and the subjects that it is given to or taken from: ids of keys, or users. */
export interface GuardrailSubjects {
  readonly guardrailId: string;
  readonly kind: AssignmentKind;
  readonly subjects: readonly string[];
}

const TABLES: Readonly<Record<AssignmentKind, AssignmentTable<object>>> = {
  key: KEY_ASSIGNMENTS,
  member: MEMBER_ASSIGNMENTS,
};

export const LOCK_GUARDRAIL_FOR_KEY_SHARE = statement<{ id: string }, [organizationId: string, id: string]>(
  'guardrail_keep',
  'SELECT id FROM guardrails WHERE organization_id = $1 AND id = $2 FOR KEY SHARE',
);

/** The rows of assignments. */
@Injectable()
export class AssignmentsRepository {
  constructor(private readonly pages: PageReader) {}

  /** Keeps a guardrail until the end of the transaction. @returns whether there is such a guardrail */
  async lockForKeyShare(tx: Transaction, organizationId: string, guardrailId: string): Promise<boolean> {
    return (await tx.first(LOCK_GUARDRAIL_FOR_KEY_SHARE, [organizationId, guardrailId])) !== undefined;
  }

  /**
   * Holds subjects against all who assign to them, in an order that is the same for all.
   *
   * @returns those that there are
   */
  async lockForNoKeyUpdate(
    tx: Transaction,
    organizationId: string,
    { kind, subjects }: Omit<GuardrailSubjects, 'guardrailId'>,
  ): Promise<string[]> {
    const rows = await tx.rows(TABLES[kind].lockForNoKeyUpdate, [organizationId, subjects]);
    return rows.map(({ subject }) => subject);
  }

  /** Takes from subjects every guardrail but this one. @returns what was taken */
  async deleteOthers(
    tx: Transaction,
    organizationId: string,
    { guardrailId, kind, subjects }: GuardrailSubjects,
  ): Promise<RemovedAssignment[]> {
    return tx.rows(TABLES[kind].deleteOthers, [organizationId, subjects, guardrailId]);
  }

  /** Gives a guardrail to those subjects that have none. @returns these */
  async insert(
    tx: Transaction,
    organizationId: string,
    { guardrailId, kind, subjects }: GuardrailSubjects,
    assignedBy: string,
  ): Promise<string[]> {
    const ids = subjects.map(() => newUuid());
    return (await tx.rows(TABLES[kind].insert, [organizationId, subjects, guardrailId, ids, assignedBy])).map(
      ({ subject }) => subject,
    );
  }

  /** Takes a guardrail from subjects. @returns those that had it */
  async delete(
    tx: Transaction,
    organizationId: string,
    { guardrailId, kind, subjects }: GuardrailSubjects,
  ): Promise<string[]> {
    return (await tx.rows(TABLES[kind].delete, [organizationId, subjects, guardrailId])).map(({ subject }) => subject);
  }

  /** @param guardrailId undefined for the assignments of all guardrails */
  async keyPage(
    organizationId: string,
    guardrailId: string | undefined,
    request: PageRequest,
  ): Promise<Page<ListedKeyAssignment>> {
    return this.pageOf(KEY_ASSIGNMENTS, organizationId, guardrailId, request);
  }

  /** @param guardrailId undefined for the assignments of all guardrails */
  async memberPage(
    organizationId: string,
    guardrailId: string | undefined,
    request: PageRequest,
  ): Promise<Page<GuardrailMemberAssignmentEntity>> {
    return this.pageOf(MEMBER_ASSIGNMENTS, organizationId, guardrailId, request);
  }

  private async pageOf<Listed extends object>(
    { page, guardrailPage }: AssignmentTable<Listed>,
    organizationId: string,
    guardrailId: string | undefined,
    request: PageRequest,
  ): Promise<Page<Listed>> {
    return guardrailId === undefined
      ? this.pages.read(page, [organizationId], request)
      : this.pages.read(guardrailPage, [organizationId, guardrailId], request);
  }
}
