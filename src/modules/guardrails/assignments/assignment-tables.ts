import { tableOf } from '../../../persistence/entity-columns.js';
import { type ResumablePage, resumablePage } from '../../../persistence/resumable-page.js';
import { type Statement, statement } from '../../../persistence/statement.js';
import {
  GuardrailKeyAssignmentEntity,
  GuardrailMemberAssignmentEntity,
} from '../entities/guardrail-assignment.entity.js';

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
  /** Deletes the assignments of subjects to every guardrail but one. */
  readonly deleteOthers: Statement<RemovedAssignment, SubjectsAndGuardrail>;
  /** Assigns a guardrail to the subjects that have none. */
  readonly insert: Statement<RemovedAssignment, [...SubjectsAndGuardrail, ids: readonly string[], assignedBy: string]>;
  /** Deletes the assignments of subjects to one guardrail. */
  readonly delete: Statement<RemovedAssignment, SubjectsAndGuardrail>;
  /** A page of all assignments of the organization. */
  readonly page: ResumablePage<Listed, [organizationId: string]>;
  /** A page of the assignments of one guardrail. */
  readonly guardrailPage: ResumablePage<Listed, [organizationId: string, guardrailId: string]>;
}

interface AssignmentTableParts {
  readonly name: string;
  readonly entity: new () => object;
  /** The column of what a guardrail is assigned to, and its type. */
  readonly column: string;
  readonly type: string;
  /** Where the subjects are, and the column that the assignments name. */
  readonly subjects: string;
  readonly subject: string;
  readonly beside?: string;
}

/** The guardrails of keys, by the ids of the keys. */
export const KEY_ASSIGNMENTS = assignmentTable<ListedKeyAssignment>({
  name: 'guardrail_key_assignments',
  entity: GuardrailKeyAssignmentEntity,
  column: 'key_id',
  type: 'uuid',
  subjects: 'api_keys',
  subject: 'id',
  beside: `SELECT encode(k.hash, 'hex') AS "keyHash", k.name AS "keyName", k.label AS "keyLabel"
    FROM api_keys k WHERE k.organization_id = $1 AND k.id = page."keyId"`,
});

/** The guardrails of members, by their users. */
export const MEMBER_ASSIGNMENTS = assignmentTable<GuardrailMemberAssignmentEntity>({
  name: 'guardrail_member_assignments',
  entity: GuardrailMemberAssignmentEntity,
  column: 'user_id',
  type: 'text',
  subjects: 'organization_members',
  subject: 'user_id',
});

function assignmentTable<Listed extends { createdAt: Date; id: string }>(
  parts: AssignmentTableParts,
): AssignmentTable<Listed> {
  const { name, entity, column, type, subjects, subject, beside } = parts;
  const table = tableOf(entity);
  const taken = `DELETE FROM ${table} WHERE organization_id = $1 AND ${column} = ANY ($2::${type}[])`;
  const returning = `RETURNING ${column} AS subject, guardrail_id AS "guardrailId"`;
  const pages = { entity, order: ['createdAt', 'id'] as const, ...(beside !== undefined && { beside }) };
  return {
    lockForNoKeyUpdate: statement(
      `${name}_lock`,
      `SELECT ${subject} AS subject FROM ${subjects} WHERE organization_id = $1 AND ${subject} = ANY ($2::${type}[])
        ORDER BY ${subject} FOR NO KEY UPDATE`,
    ),
    deleteOthers: statement(`${name}_remove_others`, `${taken} AND guardrail_id <> $3 ${returning}`),
    insert: statement(
      `${name}_insert`,
      `INSERT INTO ${table} (id, organization_id, guardrail_id, ${column}, assigned_by, created_at)
        SELECT made.id, $1, $3, made.subject, $5, now() FROM unnest($4::uuid[], $2::${type}[]) AS made (id, subject)
        ON CONFLICT (organization_id, ${column}) DO NOTHING ${returning}`,
    ),
    delete: statement(`${name}_remove`, `${taken} AND guardrail_id = $3 ${returning}`),
    page: resumablePage<Listed, [organizationId: string]>({
      ...pages,
      name: `${name}_page`,
      where: 'organization_id = $1',
      parameters: 1,
      scope: '$1',
    }),
    guardrailPage: resumablePage<Listed, [organizationId: string, guardrailId: string]>({
      ...pages,
      name: `${name}_of_guardrail_page`,
      where: 'organization_id = $1 AND guardrail_id = $2',
      parameters: 2,
      scope: `$1 || '/' || $2::uuid`,
    }),
  };
}
