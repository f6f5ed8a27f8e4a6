import { type Statement, statement } from '../../../persistence/statement.js';
import type { UnsavedGuardrail } from './unsaved-guardrail.js';

/** A key that does not exist: of this member, in this workspace. */
interface NewKey {
  /** Null for a new key without an owner. */
  readonly userId: string | null;
  readonly workspaceId: string;
}

/** An assignment of a guardrail that does not exist, to a key or a member, under which a request is evaluated as if it did. */
export interface HypotheticalAssignment {
  /** The guardrail that the key has in place of its own; null if it keeps its own. */
  readonly guardrailOfKey: string | null;
  /** The guardrail that the member of the key has in place of that of its workspace; null if the member keeps all. */
  readonly guardrailOfMember: string | null;
  /** A guardrail that is taken as it is here, whether or not it is stored; null if all are taken as they are stored. */
  readonly unsaved: UnsavedGuardrail | null;
  /** Undefined if the key exists. */
  readonly newKey?: NewKey;
}

/** The parameters that {@link hypotheticalStatement} adds to those of the statement. */
type HypotheticalValues = [
  guardrailOfKey: string | null,
  guardrailOfMember: string | null,
  newKey: string | null,
  unsaved: UnsavedGuardrail | null,
];

/** Where a statement has the key that it is about. */
interface AskedKey {
  /** An SQL expression for its id. */
  readonly id: string;
  readonly parameters: number;
}

const SECOND_PARAMETER: AskedKey = { id: '$2', parameters: 2 };

/**
 * Common table expressions that hide the tables of keys, assignments and guardrails: the statement after them reads the rows as they would
 * be with the hypothetical assignment. So an evaluation runs the statements of real requests, and cannot differ from them. Of the
 * guardrails there are those that can apply to the key, so that no other is read.
 */
function hypotheticalTables({ id, parameters }: AskedKey): string {
  const [ofKey, ofMember, newKey, unsaved] = [1, 2, 3, 4].map((position) => `$${parameters + position}`);
  return `WITH api_keys AS (
      SELECT k.* FROM api_keys k WHERE ${newKey}::jsonb IS NULL AND k.organization_id = $1 AND k.id = ${id}
      UNION ALL SELECT hypothetical.* FROM jsonb_populate_record(NULL::api_keys, ${newKey}::jsonb) AS hypothetical WHERE ${newKey}::jsonb IS NOT NULL
    ), guardrail_key_assignments AS (
      SELECT a.organization_id, a.key_id, a.guardrail_id FROM guardrail_key_assignments a
      WHERE ${ofKey}::uuid IS NULL AND a.organization_id = $1 AND a.key_id = ${id}
      UNION ALL SELECT k.organization_id, k.id, ${ofKey}::uuid FROM api_keys k WHERE ${ofKey}::uuid IS NOT NULL
    ), tried AS (
      SELECT CASE WHEN (${unsaved}::jsonb ->> 'id')::uuid = ${ofMember}::uuid THEN (${unsaved}::jsonb ->> 'workspace_id')::uuid
        ELSE (SELECT g.workspace_id FROM guardrails g WHERE g.organization_id = $1 AND g.id = ${ofMember}::uuid) END AS workspace_id
    ), member_guardrails AS (
      SELECT a.organization_id, a.user_id, a.guardrail_id, a.workspace_id, a.applies_everywhere
      FROM api_keys k JOIN member_guardrails a ON a.organization_id = $1 AND a.user_id = k.user_id CROSS JOIN tried
      WHERE ${ofMember}::uuid IS NULL OR a.guardrail_id = ${ofMember}::uuid OR a.workspace_id IS DISTINCT FROM tried.workspace_id
      UNION ALL
      SELECT k.organization_id, k.user_id, ${ofMember}::uuid, tried.workspace_id, tried.workspace_id IS NULL
      FROM api_keys k CROSS JOIN tried WHERE ${ofMember}::uuid IS NOT NULL AND NOT EXISTS (
        SELECT FROM member_guardrails a WHERE a.organization_id = $1 AND a.user_id = k.user_id AND a.guardrail_id = ${ofMember}::uuid)
    ), guardrails AS (
      SELECT g.*, g.xmin FROM guardrails g
      WHERE g.organization_id = $1 AND g.id IS DISTINCT FROM (${unsaved}::jsonb ->> 'id')::uuid AND g.id = ANY (ARRAY(
        SELECT w.default_guardrail_id FROM api_keys k JOIN workspaces w
          ON w.organization_id = $1 AND (w.id = k.workspace_id OR k.workspace_id IS NULL AND w.is_default)
        UNION ALL SELECT a.guardrail_id FROM member_guardrails a
        UNION ALL SELECT a.guardrail_id FROM guardrail_key_assignments a
      ))
      UNION ALL SELECT unsaved.*, '0'::xid AS xmin FROM jsonb_populate_record(NULL::guardrails, ${unsaved}::jsonb) AS unsaved
        WHERE ${unsaved}::jsonb IS NOT NULL
    )`;
}

/**
 * A statement with a hypothetical assignment, whose parameters ({@link hypotheticalValues}) follow those of the statement.
 *
 * @param name the name of the new statement
 * @param asked about one key: its first parameter is the organization
 * @param key by default its second and last parameter
 */
export function hypotheticalStatement<Row extends object, Values extends readonly unknown[]>(
  name: string,
  asked: Statement<Row, Values>,
  key = SECOND_PARAMETER,
): Statement<Row, [...Values, ...HypotheticalValues]> {
  return statement(name, `${hypotheticalTables(key)} SELECT * FROM (${asked.text}) AS asked`);
}

/** The values of the added parameters. @param keyId the id of the key; for a new key, one that no key has */
export function hypotheticalValues(
  organizationId: string,
  keyId: string,
  { guardrailOfKey, guardrailOfMember, newKey, unsaved }: HypotheticalAssignment,
): HypotheticalValues {
  const row = newKey === undefined ? null : JSON.stringify(rowOf(organizationId, keyId, newKey));
  return [guardrailOfKey, guardrailOfMember, row, unsaved];
}

/** The row of the new key. Every other column is null, as of a key without limits; the empty hash matches no key. */
function rowOf(organizationId: string, keyId: string, { userId, workspaceId }: NewKey): object {
  return {
    organization_id: organizationId,
    id: keyId,
    hash: '\\x',
    user_id: userId,
    workspace_id: workspaceId,
    include_byok_in_limit: false,
  };
}
