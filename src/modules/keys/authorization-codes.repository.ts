import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuthorizationCodeEntity } from './entities/authorization-code.entity.js';

/** How many expired codes one new code clears away at most, so that no single request pays for all. */
const SWEEP_SIZE = 100;

/** The rows of authorization codes and of the applications that they are for. */
@Injectable()
export class AuthorizationCodesRepository {
  async insert(manager: EntityManager, code: AuthorizationCodeEntity): Promise<void> {
    await manager.insert(AuthorizationCodeEntity, code);
  }

  /** The application of an origin, made where it is new. @returns its id */
  async applicationId(manager: EntityManager, organizationId: string, origin: string): Promise<number> {
    // The update changes nothing, but makes the row of an existing application come back.
    const rows = await manager.query<{ id: number }[]>(
      `INSERT INTO oauth_applications (organization_id, origin, created_at) VALUES ($1, $2, now())
       ON CONFLICT ON CONSTRAINT uq_oauth_applications_organization_origin DO UPDATE SET origin = excluded.origin
       RETURNING id`,
      [organizationId, origin],
    );
    return rows[0]!.id;
  }

  /** A code, locked until the transaction ends, so that of two exchanges one waits for the other. */
  async lock(manager: EntityManager, codeHash: Buffer): Promise<AuthorizationCodeEntity | null> {
    return manager.findOne(AuthorizationCodeEntity, { where: { codeHash }, lock: { mode: 'pessimistic_write' } });
  }

  async markUsed(manager: EntityManager, id: string, issuedKeyId: string): Promise<void> {
    await manager.update(AuthorizationCodeEntity, { id }, { usedAt: new Date(), issuedKeyId });
  }

  /** Clears away some codes that expired before a point in time. */
  async sweep(manager: EntityManager, expiredBefore: Date): Promise<void> {
    await manager.query(
      `DELETE FROM authorization_codes WHERE id IN (
         SELECT id FROM authorization_codes WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [expiredBefore, SWEEP_SIZE],
    );
  }
}
