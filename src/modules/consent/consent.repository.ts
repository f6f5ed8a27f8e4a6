import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';

/** How many workspaces a page offers. */
const OFFERED = 200;

/** A workspace that a person can have a key in. */
export interface OwnWorkspace {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
}

/** The workspaces of a member: the default one, of which all are members, and those that they were added to. */
export const OWN_WORKSPACES = statement<OwnWorkspace, [organizationId: string, userId: string]>(
  'consent_workspaces',
  `(SELECT w.id, w.name, true AS "isDefault" FROM workspaces w WHERE w.organization_id = $1 AND w.is_default)
    UNION ALL
    (SELECT w.id, w.name, false FROM workspace_members m JOIN workspaces w ON w.organization_id = $1 AND w.id = m.workspace_id
      WHERE m.organization_id = $1 AND m.user_id = $2 AND NOT w.is_default
      ORDER BY w.name, w.id LIMIT ${OFFERED})`,
);

/** Who is asked for consent. */
export interface Person {
  readonly userName: string;
  readonly userEmail: string;
  readonly organizationName: string;
}

/** A member with the names that the page shows. */
export const CONSENTING_PERSON = statement<Person, [organizationId: string, userId: string]>(
  'consent_person',
  `SELECT u.name AS "userName", u.email AS "userEmail", o.name AS "organizationName"
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
