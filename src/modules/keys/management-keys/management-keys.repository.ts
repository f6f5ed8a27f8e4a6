import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { type Page, type PageRequest, pageStatement, VIEW_BY_NAME } from '../../../persistence/page-statement.js';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { ApiKeyEntity } from '../entities/api-key.entity.js';

const HAS_HASH = `k.organization_id = $1 AND k.kind = 'management_key'
  AND (k.hash = $2 OR k.previous_hash = $2 AND k.previous_hash_expires_at > now())`;

/** A page of the management keys of an organization, oldest first. They are few, and have an index of their own, by which they are counted. */
export const MANAGEMENT_KEYS_PAGE = pageStatement<ApiKeyEntity, [organizationId: string]>({
  name: 'management_keys_page',
  entity: ApiKeyEntity,
  where: `organization_id = $1 AND kind = 'management_key'`,
  parameters: 1,
  total: `(SELECT count(*) FROM api_keys WHERE organization_id = $1 AND kind = 'management_key')`,
  order: ['createdAt', 'id'],
  view: VIEW_BY_NAME,
});

/** A management key by its hash, or by the one before during the grace of a rotation. */
export const MANAGEMENT_KEY_BY_HASH = statement<ApiKeyEntity, [organizationId: string, hash: Buffer]>(
  'management_key_by_hash',
  `SELECT ${columnsOf(ApiKeyEntity, 'k')} FROM api_keys k WHERE ${HAS_HASH}`,
);

/** A management key, locked for a transaction that will change it. */
export const LOCK_MANAGEMENT_KEY = statement<ApiKeyEntity, [organizationId: string, hash: Buffer]>(
  'management_key_lock',
  `${MANAGEMENT_KEY_BY_HASH.text} FOR UPDATE OF k`,
);

/** Whether a member is a service account. */
export const IS_SERVICE_ACCOUNT = statement<{ id: string }, [organizationId: string, userId: string]>(
  'management_key_service_account',
  `SELECT id FROM organization_members
    WHERE organization_id = $1 AND user_id = $2 AND kind = 'service' AND deactivated_at IS NULL`,
);

/** The rows of management keys. */
@Injectable()
export class ManagementKeysRepository {
  constructor(private readonly statements: Statements) {}

  page(organizationId: string, request: PageRequest): Promise<Page<ApiKeyEntity>> {
    return this.statements.page(MANAGEMENT_KEYS_PAGE, [organizationId], request);
  }

  find(organizationId: string, hash: Buffer): Promise<ApiKeyEntity | undefined> {
    return this.statements.first(MANAGEMENT_KEY_BY_HASH, [organizationId, hash]);
  }

  lockForUpdate(tx: Transaction, organizationId: string, hash: Buffer): Promise<ApiKeyEntity | undefined> {
    return tx.first(LOCK_MANAGEMENT_KEY, [organizationId, hash]);
  }

  async isServiceAccount(organizationId: string, userId: string): Promise<boolean> {
    return (await this.statements.first(IS_SERVICE_ACCOUNT, [organizationId, userId])) !== undefined;
  }
}
