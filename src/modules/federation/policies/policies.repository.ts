import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { insertStatement } from '../../../persistence/insert-statement.js';
import { type Page, pageOfOrganization, type PageRequest } from '../../../persistence/page-statement.js';
import { quotaStatement } from '../../../persistence/quota-statement.js';
import { lockById } from '../../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW, UPDATED_NOW } from '../../../persistence/row-times.js';
import { statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import { updateStatement } from '../../../persistence/update-statement.js';
import { type Actor, type AuditedEvent, auditedStatement, auditEventOf } from '../../audit/index.js';
import { type KeyOwner, keyOwnerColumns } from '../../keys/index.js';
import { FederationIssuerEntity } from '../entities/federation-issuer.entity.js';
import { FederationPolicyEntity } from '../entities/federation-policy.entity.js';
import type { PolicyReference } from './policy-id.js';

/** How many policies an organization has, against its quota. */
export const POLICIES_QUOTA = quotaStatement('federation_policies_quota', 'federation_policies', 'federation_policies');

/** A policy with what answers show beside its row. */
export type ShownPolicy = FederationPolicyEntity & {
  /** Of the key that it acts as, as it is now: SHA-256 in lowercase hex. */
  readonly keyHash: string;
};

/** What answers show beside the row of a policy. @param key the column of the row */
const shownBeside = (key: string): string => `SELECT (
  SELECT encode(k.hash, 'hex') FROM api_keys k WHERE k.organization_id = $1 AND k.id = ${key}) AS "keyHash"`;

/** A page of the policies of an organization, oldest first. */
export const POLICIES_PAGE = pageOfOrganization<ShownPolicy>({
  name: 'federation_policies_page',
  entity: FederationPolicyEntity,
  beside: shownBeside('page."keyId"'),
});

/** A policy of an organization. */
export const POLICY_BY_ID = statement<ShownPolicy, [organizationId: string, id: string]>(
  'federation_policy_by_id',
  `SELECT ${columnsOf(FederationPolicyEntity, 'item')}, beside.* FROM federation_policies AS item
    CROSS JOIN LATERAL (${shownBeside('item.key_id')}) AS beside
    WHERE item.organization_id = $1 AND item.id = $2`,
);

export const LOCK_POLICY = lockById('federation_policy_lock', FederationPolicyEntity, 'FOR NO KEY UPDATE');

export const INSERT_POLICY = insertStatement(
  'federation_policy_insert',
  FederationPolicyEntity,
  CREATED_AND_UPDATED_NOW,
);

export const UPDATE_POLICY = updateStatement('federation_policy_update', FederationPolicyEntity, UPDATED_NOW);

/** Deletes a policy and records it. */
export const DELETE_POLICY = auditedStatement<never, [organizationId: string, id: string]>(
  'federation_policy_delete',
  'DELETE FROM federation_policies WHERE organization_id = $1 AND id = $2',
  2,
);

/** What a policy names, as far as the organization has it. */
export interface PolicyReferences {
  readonly hasIssuer: boolean;
  /** The id of the API key. */
  readonly keyId: string | null;
  /** Whether a Connect client has made the key. */
  readonly isOfClient: boolean | null;
}

/** Looks up what a request names. During the grace of a rotation a key is found by its old hash as well. */
export const POLICY_REFERENCES = statement<
  PolicyReferences,
  [organizationId: string, issuerId: string | null, keyHash: string | null]
>(
  'federation_policy_references',
  `SELECT EXISTS (SELECT FROM federation_issuers i WHERE i.organization_id = $1 AND i.id = $2::uuid) AS "hasIssuer",
      key.id AS "keyId", key.connect_client_id IS NOT NULL AS "isOfClient"
    FROM (SELECT) AS one LEFT JOIN LATERAL (
      SELECT k.id, k.connect_client_id FROM api_keys k
      WHERE k.organization_id = $1 AND k.hash = decode($3::text, 'hex') AND k.kind = 'api_key'
      UNION ALL
      SELECT k.id, k.connect_client_id FROM api_keys k
      WHERE k.organization_id = $1 AND k.previous_hash = decode($3::text, 'hex') AND k.previous_hash_expires_at > now()
        AND k.kind = 'api_key'
      LIMIT 1
    ) AS key ON true`,
);

type WithoutTimes<Row> = Omit<Row, 'createdAt' | 'updatedAt'>;

/** What an exchange goes by: a policy, its issuer, and the state of the key that it acts as. */
export interface ExchangePolicy {
  readonly policy: WithoutTimes<FederationPolicyEntity>;
  readonly issuer: WithoutTimes<FederationIssuerEntity>;
  readonly key: Pick<KeyOwner, 'id' | 'disabled' | 'newer' | 'suspended' | 'expired'>;
}

/** What an exchange under a policy goes by. */
export const EXCHANGE_POLICY = statement<ExchangePolicy, [organizationId: string, id: string]>(
  'federation_exchange_policy',
  `SELECT to_json(of_policy) AS policy, to_json(of_issuer) AS issuer, to_json(of_key) AS key
    FROM (SELECT ${columnsOf(FederationPolicyEntity, 'p')} FROM federation_policies p
      WHERE p.organization_id = $1 AND p.id = $2) AS of_policy
    CROSS JOIN LATERAL (SELECT ${columnsOf(FederationIssuerEntity, 'i')} FROM federation_issuers i
      WHERE i.organization_id = $1 AND i.id = of_policy."issuerId") AS of_issuer
    CROSS JOIN LATERAL (SELECT ${keyOwnerColumns('k')} FROM api_keys k
      WHERE k.organization_id = $1 AND k.id = of_policy."keyId") AS of_key`,
);

/** The rows of policies. */
@Injectable()
export class PoliciesRepository {
  constructor(private readonly statements: Statements) {}

  /** @param id in UUID form @param runner the transaction that it is read in, if there is one */
  async find(
    organizationId: string,
    id: string,
    runner: StatementRunner = this.statements,
  ): Promise<ShownPolicy | undefined> {
    return runner.first(POLICY_BY_ID, [organizationId, id]);
  }

  /** Locks a policy against changes by others until the end of the transaction. @returns it, if there is such a policy */
  async lock(tx: Transaction, organizationId: string, id: string): Promise<ShownPolicy | undefined> {
    const locked = await tx.first(LOCK_POLICY, [organizationId, id]);
    return locked === undefined ? undefined : this.find(organizationId, id, tx);
  }

  async page(organizationId: string, request: PageRequest): Promise<Page<ShownPolicy>> {
    return this.statements.page(POLICIES_PAGE, [organizationId], request);
  }

  /** Looks up what a request names; null for what it does not name. @param keyHash in lowercase hex */
  async references(organizationId: string, issuerId: string | null, keyHash: string | null): Promise<PolicyReferences> {
    return (await this.statements.first(POLICY_REFERENCES, [organizationId, issuerId, keyHash]))!;
  }

  async insert(tx: Transaction, policy: Omit<FederationPolicyEntity, 'createdAt' | 'updatedAt'>): Promise<void> {
    await tx.write(INSERT_POLICY, INSERT_POLICY.values(policy));
  }

  /** Writes a policy, and when it was changed. @param tx holds it */
  async update(tx: Transaction, policy: FederationPolicyEntity): Promise<void> {
    await tx.write(UPDATE_POLICY, UPDATE_POLICY.values(policy));
  }

  /** @param runner the transaction that holds it, if there is one @returns whether there was such a policy */
  async delete(
    organizationId: string,
    id: string,
    actor: Actor,
    event: AuditedEvent,
    runner: StatementRunner = this.statements,
  ): Promise<boolean> {
    const values = DELETE_POLICY.values([organizationId, id], auditEventOf(organizationId, actor, event));
    return (await runner.write(DELETE_POLICY, values)) > 0;
  }

  /** What an exchange under a policy goes by. */
  async forExchange({ organizationId, id }: PolicyReference): Promise<ExchangePolicy | undefined> {
    return this.statements.first(EXCHANGE_POLICY, [organizationId, id]);
  }
}
