import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import type { ConsentBy } from '../../organizations/member-role.js';

/** How many workspaces a page offers. */
const OFFERED = 200;

/** A workspace that a person can have a key in. */
export interface OwnWorkspace {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  /** The name of the guardrail that applies to every key there; null where that was never changed, and so restricts nothing. */
  readonly guardrail: string | null;
  /** The name of the guardrail that is assigned to the person for this workspace alone; null for none. */
  readonly ownGuardrail: string | null;
}

/** The workspaces of a member: the default one, of which all are members, and those that they were added to. */
export const OWN_WORKSPACES = statement<OwnWorkspace, [organizationId: string, userId: string]>(
  'consent_workspaces',
  `(SELECT w.id, w.name, true AS "isDefault", ${defaultGuardrail()} AS guardrail, ${ownGuardrail()} AS "ownGuardrail"
      FROM workspaces w WHERE w.organization_id = $1 AND w.is_default)
    UNION ALL
    (SELECT w.id, w.name, false, ${defaultGuardrail()}, ${ownGuardrail()}
      FROM workspace_members m JOIN workspaces w ON w.organization_id = $1 AND w.id = m.workspace_id
      WHERE m.organization_id = $1 AND m.user_id = $2 AND NOT w.is_default
      ORDER BY w.name, w.id LIMIT ${OFFERED})`,
);

/** The name of the default guardrail of a workspace `w`. */
function defaultGuardrail(): string {
  return '(SELECT g.name FROM guardrails g WHERE g.organization_id = $1 AND g.id = w.default_guardrail_id)';
}

/** The name of the guardrail that the member $2 has for a workspace `w` alone. */
function ownGuardrail(): string {
  return `(SELECT g.name FROM member_guardrails held JOIN guardrails g ON g.organization_id = $1 AND g.id = held.guardrail_id
        WHERE held.organization_id = $1 AND held.user_id = $2 AND held.workspace_id = w.id AND NOT held.applies_everywhere)`;
}

/** Who is asked for consent, and what the organization has decided about that. */
export interface Person {
  readonly userName: string;
  readonly userEmail: string;
  readonly organizationName: string;
  readonly consentBy: ConsentBy;
  /** The highest limit that the key may have, in US dollars; null for any, and for none. */
  readonly maximumLimit: number | null;
  /** The names of the guardrails that are assigned to the person for all of their keys; null for none. */
  readonly guardrails: readonly string[] | null;
}

/** A member with what the page shows of them and goes by. */
export const CONSENTING_PERSON = statement<Person, [organizationId: string, userId: string]>(
  'consent_person',
  `SELECT coalesce(m.name, u.name) AS "userName", coalesce(m.email, u.email) AS "userEmail",
      o.name AS "organizationName", o.consent_by AS "consentBy", o.consent_maximum_limit AS "maximumLimit", (
        SELECT array_agg(g.name ORDER BY g.name, g.id) FROM member_guardrails held
        JOIN guardrails g ON g.organization_id = $1 AND g.id = held.guardrail_id
        WHERE held.organization_id = $1 AND held.user_id = m.user_id AND held.applies_everywhere) AS guardrails
    FROM organization_members m JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id
    WHERE m.organization_id = $1 AND m.user_id = $2`,
);

/** What a consent page shows of the organization. */
@Injectable()
export class ConsentRepository {
  constructor(private readonly statements: Statements) {}

  /** The default workspace first, if there is one. */
  async workspaces(organizationId: string, userId: string): Promise<OwnWorkspace[]> {
    return this.statements.rows(OWN_WORKSPACES, [organizationId, userId]);
  }

  async person(organizationId: string, userId: string): Promise<Person | undefined> {
    return this.statements.first(CONSENTING_PERSON, [organizationId, userId]);
  }
}
