import { tableOf } from '../../database/entity-columns.js';
import { type ResumablePage, resumablePage } from '../../database/resumable-page.js';
import type { Statement } from '../../database/statements.js';
import { GuardrailKeyAssignmentEntity } from './entities/guardrail-key-assignment.entity.js';
import { GuardrailMemberAssignmentEntity } from './entities/guardrail-member-assignment.entity.js';

/** Something that a guardrail was taken from, and which guardrail. */
export interface RemovedAssignment {
  readonly subject: string;
  readonly guardrailId: string;
}

/** The statements on the assignments to one kind of thing, its subjects: keys, or members. */
export interface AssignmentTable {
  /** Locks those subjects of the organization that there are, so that nobody else assigns to them. */
  readonly lock: Statement;
  /** Takes from subjects every guardrail but one. */
  readonly removeOthers: Statement;
  /** Gives subjects that have none a guardrail. */
  readonly insert: Statement;
  /** Takes one guardrail from subjects. */
  readonly remove: Statement;
  /** A page of all assignments of the organization. */
  readonly page: ResumablePage;
  /** A page of the assignments of one guardrail. */
  readonly guardrailPage: ResumablePage;
}

interface AssignmentTableParts<Row extends object> {
  readonly name: string;
  readonly entity: new () => Row;
  /** The column of what a guardrail is assigned to, and its type. */
  readonly column: string;
  readonly type: string;
  /** Where the subjects are, and the column that the assignments name. */
  readonly subjects: string;
  readonly subject: string;
  readonly beside?: string;
}

/** The guardrails of keys, by the ids of the keys. */
export const KEY_ASSIGNMENTS = assignmentTable({
  name: 'guardrail_key_assignments',
  entity: GuardrailKeyAssignmentEntity,
  column: 'key_id',
  type: 'uuid',
  subjects: 'api_keys',
  subject: 'id',
  beside: `SELECT encode(k.hash, 'hex') AS "keyHash", k.name AS "keyName", k.label AS "keyLabel"
    FROM api_keys k WHERE k.organization_id = page."organizationId" AND k.id = page."keyId"`,
});

/** The guardrails of members, by their users. */
export const MEMBER_ASSIGNMENTS = assignmentTable({
  name: 'guardrail_member_assignments',
  entity: GuardrailMemberAssignmentEntity,
  column: 'user_id',
  type: 'text',
  subjects: 'organization_members',
  subject: 'user_id',
});

function assignmentTable<Row extends { createdAt: Date; id: string }>(
  parts: AssignmentTableParts<Row>,
): AssignmentTable {
  const { name, entity, column, type, subjects, subject, beside } = parts;
  const table = tableOf(entity);
  const taken = `DELETE FROM ${table} WHERE organization_id = $1 AND ${column} = ANY ($2::${type}[])`;
  const returning = `RETURNING ${column} AS subject, guardrail_id AS "guardrailId"`;
  const pages = { entity, order: ['createdAt', 'id'] as const, ...(beside !== undefined && { beside }) };
  return {
    lock: {
      name: `${name}_lock`,
      text: `SELECT ${subject} AS subject FROM ${subjects} WHERE organization_id = $1 AND ${subject} = ANY ($2::${type}[])
        ORDER BY ${subject} FOR NO KEY UPDATE`,
    },
    removeOthers: { name: `${name}_remove_others`, text: `${taken} AND guardrail_id <> $3 ${returning}` },
    insert: {
      name: `${name}_insert`,
      text: `INSERT INTO ${table} (id, organization_id, guardrail_id, ${column}, assigned_by, created_at)
        SELECT made.id, $1, $3, made.subject, $5, now() FROM unnest($4::uuid[], $2::${type}[]) AS made (id, subject)
        ON CONFLICT (organization_id, ${column}) DO NOTHING ${returning}`,
    },
    remove: { name: `${name}_remove`, text: `${taken} AND guardrail_id = $3 ${returning}` },
    page: resumablePage({
      ...pages,
      name: `${name}_page`,
      where: 'organization_id = $1',
      parameters: 1,
      scope: '$1',
    }),
    guardrailPage: resumablePage({
      ...pages,
      name: `${name}_of_guardrail_page`,
      where: 'organization_id = $1 AND guardrail_id = $2',
      parameters: 2,
      scope: `$1 || '/' || $2::uuid`,
    }),
  };
}
