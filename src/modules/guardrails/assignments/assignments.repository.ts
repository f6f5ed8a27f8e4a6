import { Injectable } from '@nestjs/common';
import { OLDER_APPLICATION_NAME } from '../../../persistence/connection-options.js';
import { tableOf } from '../../../persistence/entity-columns.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { type Statement, statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import {
  countedPage,
  type Page,
  pageOfOrganization,
  type PageRequest,
  type PageStatement,
} from '../../../persistence/page-statement.js';
import { GuardrailKeyAssignmentEntity, MemberGuardrailEntity, GuardrailEntity } from '../entities/guardrail.entity.js';
import { lockById } from '../../../persistence/row-statements.js';

/** What can have a guardrail. */
export type AssignmentKind = 'key' | 'member';

/** A guardrail, and the subjects that it is given to or taken from: ids of keys, or users. */
export interface GuardrailSubjects {
  readonly guardrailId: string;
  readonly kind: AssignmentKind;
  readonly subjects: readonly string[];
}

/** A removed assignment: the subject and its guardrail. */
export interface RemovedAssignment {
  readonly subject: string;
  readonly guardrailId: string;
}

type SubjectsAndGuardrail = [organizationId: string, subjects: readonly string[], guardrailId: string];

/** The guardrail of a key, beside what shows which key it is. */
export type ListedKeyAssignment = GuardrailKeyAssignmentEntity & {
  readonly keyHash: string;
  readonly keyName: string;
  readonly keyLabel: string;
};

/** The statements on assignments to one kind of subject: keys or members. */
export interface AssignmentTable<Listed extends object> {
  /** Locks the organization's subjects among the given ones, so that no other transaction assigns to them. */
  readonly lockForNoKeyUpdate: Statement<{ subject: string }, [organizationId: string, subjects: readonly string[]]>;
  /** Deletes the assignments of subjects that one to a guardrail takes the place of. */
  readonly deleteOthers: Statement<RemovedAssignment, SubjectsAndGuardrail>;
  /** Assigns a guardrail to the subjects that have none. */
  readonly insert: Statement<RemovedAssignment, [...SubjectsAndGuardrail, ids: readonly string[], assignedBy: string]>;
  readonly delete: Statement<RemovedAssignment, SubjectsAndGuardrail>;
  /** The subjects that are of another workspace, in any order. */
  readonly outside: Statement<
    { subject: string },
    [organizationId: string, subjects: readonly string[], workspaceId: string]
  >;
  readonly page: PageStatement<Listed, [organizationId: string]>;
  readonly guardrailPage: PageStatement<Listed, [organizationId: string, guardrailId: string]>;
}

interface AssignmentTableParts {
  readonly entity: new () => object;
  /** The column of what a guardrail is assigned to, and its type. */
  readonly column: string;
  readonly type: string;
  /** Where the subjects are, and the column that the assignments name. */
  readonly subjects: string;
  readonly subject: string;
  /** What selects, as `subject`, those of $2 that are not of the workspace $3. */
  readonly outside: string;
  readonly beside?: string;
}

/** The guardrails of keys, by the ids of the keys. */
export const KEY_ASSIGNMENTS = assignmentTable<ListedKeyAssignment>({
  entity: GuardrailKeyAssignmentEntity,
  column: 'key_id',
  type: 'uuid',
  subjects: 'api_keys',
  subject: 'id',
  outside: `SELECT k.id AS subject FROM api_keys k LEFT JOIN workspaces w ON w.organization_id = $1 AND w.is_default
    WHERE k.organization_id = $1 AND k.id = ANY ($2::uuid[]) AND coalesce(k.workspace_id, w.id) IS DISTINCT FROM $3::uuid`,
  beside: `SELECT encode(k.hash, 'hex') AS "keyHash", k.name AS "keyName", k.label AS "keyLabel"
    FROM api_keys k WHERE k.organization_id = $1 AND k.id = page."keyId"`,
});

const GIVEN_MEMBERS = 'organization_id = $1 AND user_id = ANY ($2::text[])';

/** Deletes rows of `member_guardrails` and, of those that older releases have assigned, the rows that these read. @param condition which */
function takenFromMembers(condition: string): string {
  return `WITH taken AS (
      DELETE FROM member_guardrails WHERE ${GIVEN_MEMBERS} AND ${condition} RETURNING id, user_id, guardrail_id
    ), earlier AS (
      DELETE FROM guardrail_member_assignments a USING taken WHERE a.organization_id = $1 AND a.id = taken.id
    )
    SELECT user_id AS subject, guardrail_id AS "guardrailId" FROM taken`;
}

/** A condition for assignments of guardrails other than $3, in the workspace of that. */
const OF_SAME_WORKSPACE = `guardrail_id <> $3 AND workspace_id IS NOT DISTINCT FROM (
        SELECT g.workspace_id FROM guardrails g WHERE g.organization_id = $1 AND g.id = $3)`;

/** Takes from members the guardrail that one of the same workspace takes the place of. */
export const REMOVE_OTHER_MEMBER_GUARDRAILS = statement<RemovedAssignment, SubjectsAndGuardrail>(
  'member_guardrails_remove_others',
  takenFromMembers(OF_SAME_WORKSPACE),
);

/** Gives a guardrail to the members who have none of its workspace. */
export const INSERT_MEMBER_GUARDRAILS = statement<
  RemovedAssignment,
  [...SubjectsAndGuardrail, ids: readonly string[], assignedBy: string]
>(
  'member_guardrails_insert',
  `INSERT INTO member_guardrails (id, organization_id, guardrail_id, user_id, workspace_id, applies_everywhere, assigned_by, created_at)
    SELECT made.id, $1, $3, made.subject, g.workspace_id, g.workspace_id IS NULL, $5, now()
    FROM unnest($4::uuid[], $2::text[]) AS made (id, subject) JOIN guardrails g ON g.organization_id = $1 AND g.id = $3
    ON CONFLICT DO NOTHING RETURNING user_id AS subject, guardrail_id AS "guardrailId"`,
);

/** Takes a guardrail from members. */
export const REMOVE_MEMBER_GUARDRAILS = statement<RemovedAssignment, SubjectsAndGuardrail>(
  'member_guardrails_remove',
  takenFromMembers('guardrail_id = $3'),
);

/** The guardrails of members, by their users: one for each workspace. */
export const MEMBER_ASSIGNMENTS: AssignmentTable<MemberGuardrailEntity> = {
  ...assignmentTable<MemberGuardrailEntity>({
    entity: MemberGuardrailEntity,
    column: 'user_id',
    type: 'text',
    subjects: 'organization_members',
    subject: 'user_id',
    // All members are of the default workspace.
    outside: `SELECT asked.subject FROM unnest($2::text[]) AS asked (subject)
    WHERE NOT EXISTS (SELECT FROM workspaces w WHERE w.organization_id = $1 AND w.id = $3::uuid AND w.is_default)
      AND NOT EXISTS (SELECT FROM workspace_members m
        WHERE m.organization_id = $1 AND m.workspace_id = $3::uuid AND m.user_id = asked.subject)`,
  }),
  deleteOthers: REMOVE_OTHER_MEMBER_GUARDRAILS,
  insert: INSERT_MEMBER_GUARDRAILS,
  delete: REMOVE_MEMBER_GUARDRAILS,
};

/** The guardrails that one to members takes the place of. */
export const OTHER_MEMBER_GUARDRAILS = statement<{ id: string }, SubjectsAndGuardrail>(
  'member_guardrails_others',
  `SELECT DISTINCT guardrail_id AS id FROM member_guardrails WHERE ${GIVEN_MEMBERS} AND ${OF_SAME_WORKSPACE}`,
);

/** The guardrails that one to keys, by their hashes, takes the place of. */
export const OTHER_KEY_GUARDRAILS = statement<
  { id: string },
  [organizationId: string, hashes: readonly Buffer[], guardrailId: string]
>(
  'guardrail_key_assignments_others',
  `SELECT DISTINCT a.guardrail_id AS id FROM api_keys k
    JOIN guardrail_key_assignments a ON a.organization_id = $1 AND a.key_id = k.id AND a.guardrail_id <> $3
    WHERE k.organization_id = $1 AND (k.hash = ANY ($2::bytea[]) OR k.previous_hash = ANY ($2::bytea[]))`,
);

/** Whether replicas of a release before the guardrails of workspaces are connected: only theirs have this name. */
export const OLDER_REPLICAS = statement<{ areThere: boolean }>(
  'member_guardrails_older_replicas',
  `SELECT EXISTS (SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = '${OLDER_APPLICATION_NAME}') AS "areThere"`,
);

const TABLES: Readonly<Record<AssignmentKind, AssignmentTable<object>>> = {
  key: KEY_ASSIGNMENTS,
  member: MEMBER_ASSIGNMENTS,
};

export const LOCK_GUARDRAIL_FOR_KEY_SHARE = lockById('guardrail_keep', GuardrailEntity, 'FOR KEY SHARE');

/** The rows of assignments. */
@Injectable()
export class AssignmentsRepository {
  constructor(private readonly statements: Statements) {}

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

  /** Whether replicas are connected that do not see what members are given now. */
  async hasOlderReplicas(tx: Transaction): Promise<boolean> {
    return (await tx.first(OLDER_REPLICAS, []))!.areThere;
  }

  /** Takes from keys every guardrail but this one, from members every other one of its workspace. @returns what was taken */
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

  /** @returns those of the subjects that are of another workspace: keys of another, users who are no members of this one */
  async outside(
    tx: Transaction,
    organizationId: string,
    { kind, subjects }: Omit<GuardrailSubjects, 'guardrailId'>,
    workspaceId: string,
  ): Promise<ReadonlySet<string>> {
    const rows = await tx.rows(TABLES[kind].outside, [organizationId, subjects, workspaceId]);
    return new Set(rows.map(({ subject }) => subject));
  }

  /** The ids of the guardrails that an assignment takes the place of. @param references hashes of keys or users */
  async others(
    organizationId: string,
    kind: AssignmentKind,
    guardrailId: string,
    references: readonly string[],
  ): Promise<string[]> {
    const rows =
      kind === 'member'
        ? await this.statements.rows(OTHER_MEMBER_GUARDRAILS, [organizationId, references, guardrailId])
        : await this.statements.rows(OTHER_KEY_GUARDRAILS, [
            organizationId,
            references.map((hash) => Buffer.from(hash, 'hex')),
            guardrailId,
          ]);
    return rows.map(({ id }) => id);
  }

  /** @param guardrailId undefined for the assignments of all guardrails */
  async page<Listed extends object>(
    { page, guardrailPage }: AssignmentTable<Listed>,
    organizationId: string,
    guardrailId: string | undefined,
    request: PageRequest,
  ): Promise<Page<Listed>> {
    return guardrailId === undefined
      ? this.statements.page(page, [organizationId], request)
      : this.statements.page(guardrailPage, [organizationId, guardrailId], request);
  }
}

function assignmentTable<Listed extends { createdAt: Date; id: string }>(
  parts: AssignmentTableParts,
): AssignmentTable<Listed> {
  const { entity, column, type, subjects, subject, outside, beside } = parts;
  const table = tableOf(entity);
  const taken = `DELETE FROM ${table} WHERE organization_id = $1 AND ${column} = ANY ($2::${type}[])`;
  const returning = `RETURNING ${column} AS subject, guardrail_id AS "guardrailId"`;
  const pages = { entity, ...(beside !== undefined && { beside }) };
  return {
    lockForNoKeyUpdate: statement(
      `${table}_lock`,
      `SELECT ${subject} AS subject FROM ${subjects} WHERE organization_id = $1 AND ${subject} = ANY ($2::${type}[])
        ORDER BY ${subject} FOR NO KEY UPDATE`,
    ),
    deleteOthers: statement(`${table}_remove_others`, `${taken} AND guardrail_id <> $3 ${returning}`),
    insert: statement(
      `${table}_insert`,
      `INSERT INTO ${table} (id, organization_id, guardrail_id, ${column}, assigned_by, created_at)
        SELECT made.id, $1, $3, made.subject, $5, now() FROM unnest($4::uuid[], $2::${type}[]) AS made (id, subject)
        ON CONFLICT (organization_id, ${column}) DO NOTHING ${returning}`,
    ),
    delete: statement(`${table}_remove`, `${taken} AND guardrail_id = $3 ${returning}`),
    outside: statement(`${table}_outside`, outside),
    page: pageOfOrganization<Listed>({ ...pages, name: `${table}_page` }),
    guardrailPage: countedPage<Listed, [organizationId: string, guardrailId: string]>({
      ...pages,
      name: `${table}_of_guardrail_page`,
      where: 'organization_id = $1 AND guardrail_id = $2',
      parameters: 2,
      scope: `$1 || '/' || $2::uuid`,
      order: ['createdAt', 'id'],
    }),
  };
}
