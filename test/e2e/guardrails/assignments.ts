import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { issueSecret } from '../../../src/modules/keys/credentials/key-format.js';
import { newOrganizationId } from '../../../src/persistence/identifiers.js';
import type { Answer } from '../../support/network/api-client.js';
import type { TestApplication } from '../../support/application/test-application.js';

/** What can have a guardrail, and how the operations on it call things. */
export interface AssignmentKind {
  readonly name: 'key' | 'member';
  /** The last part of the paths. */
  readonly segment: string;
  /** The field of a request, and the one of a listed assignment. */
  readonly field: string;
  readonly shown: string;
  /** The reason of the 404 for one that there is not. */
  readonly reason: string;
  readonly table: string;
  /** Where such things are, and what finds one by what requests name it by. */
  readonly subjects: { readonly table: string; readonly match: string };
  readonly operations: {
    readonly assign: string;
    readonly unassign: string;
    readonly list: string;
    readonly listOf: string;
  };
  /** What there is not, in every form. */
  readonly missing: readonly string[];
  /** Makes one. @returns what requests name it by */
  make(app: TestApplication, organization: NewOrganization): Promise<string>;
  /** Deletes one, as something else than this module does. */
  remove(app: TestApplication, organization: NewOrganization, reference: string): Promise<void>;
}

export const KEYS: AssignmentKind = {
  name: 'key',
  segment: 'keys',
  field: 'key_hashes',
  shown: 'key_hash',
  reason: 'key_not_found',
  table: 'guardrail_key_assignments',
  subjects: { table: 'api_keys', match: `hash = decode($1, 'hex')` },
  operations: {
    assign: 'bulkAssignKeysToGuardrail',
    unassign: 'bulkUnassignKeysFromGuardrail',
    list: 'listKeyAssignments',
    listOf: 'listGuardrailKeyAssignments',
  },
  missing: [
    issueSecret('api_key', newOrganizationId()).hash.toString('hex'),
    'x',
    'a'.repeat(63),
    `${'a'.repeat(63)}G`,
    '\u{1f512}',
  ],
  make: async (app, organization) => (await app.factory.key(organization)).hash,
  remove: async (app, { managementKey: key }, hash) => {
    await app.api.delete(`/keys/${hash}`, { key });
  },
};

export const MEMBERS: AssignmentKind = {
  name: 'member',
  segment: 'members',
  field: 'member_user_ids',
  shown: 'user_id',
  reason: 'member_not_found',
  table: 'member_guardrails',
  subjects: { table: 'organization_members', match: 'user_id = $1' },
  operations: {
    assign: 'bulkAssignMembersToGuardrail',
    unassign: 'bulkUnassignMembersFromGuardrail',
    list: 'listMemberAssignments',
    listOf: 'listGuardrailMemberAssignments',
  },
  missing: ['user_nobody', 'x', '\u{1f512}'],
  make: (app, { organizationId }) => app.factory.member(organizationId),
  remove: async (app, { organizationId }, userId) => {
    await app.rows('DELETE FROM organization_members WHERE organization_id = $1 AND user_id = $2', [
      organizationId,
      userId,
    ]);
  },
};

/** Assigns and lists one kind of thing in one organization. */
export class Assignments {
  constructor(
    readonly kind: AssignmentKind,
    private readonly app: TestApplication,
    readonly organization: NewOrganization,
  ) {}

  make(): Promise<string> {
    return this.kind.make(this.app, this.organization);
  }

  async newGuardrail(): Promise<string> {
    return (await this.app.factory.guardrail(this.organization)).id;
  }

  path(guardrailId: string): string {
    return `/guardrails/${guardrailId}/assignments/${this.kind.segment}`;
  }

  assign<Body = { assigned_count: number }>(
    guardrailId: string,
    references: readonly unknown[],
  ): Promise<Answer<Body>> {
    return this.post(this.path(guardrailId), references);
  }

  unassign<Body = { unassigned_count: number }>(
    guardrailId: string,
    references: readonly unknown[],
  ): Promise<Answer<Body>> {
    return this.post(`${this.path(guardrailId)}/remove`, references);
  }

  /** Who has which guardrail, of all or of one: pairs of reference and guardrail, and the total. */
  async listed(guardrailId?: string): Promise<{ pairs: [reference: string, guardrailId: string][]; total: number }> {
    const path = guardrailId === undefined ? `/guardrails/assignments/${this.kind.segment}` : this.path(guardrailId);
    const { body } = await this.app.api.get<{ data: Record<string, string>[]; total_count: number }>(
      `${path}?limit=100`,
      { key: this.organization.managementKey },
    );
    const pairs = body.data.map((item): [string, string] => [item[this.kind.shown]!, item['guardrail_id']!]);
    return { pairs, total: body.total_count };
  }

  /** Every row of the organization, as it is stored. */
  rows(): Promise<Record<string, unknown>[]> {
    return this.app.rows(`SELECT * FROM ${this.kind.table} WHERE organization_id = $1 ORDER BY created_at, id`, [
      this.organization.organizationId,
    ]);
  }

  private post<Body>(path: string, references: readonly unknown[]): Promise<Answer<Body>> {
    return this.app.api.post(path, {
      key: this.organization.managementKey,
      json: { [this.kind.field]: references },
      headers: { 'x-request-id': 'the-same' },
    });
  }
}
