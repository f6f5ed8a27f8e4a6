import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';

export const ENCRYPTION_STATE = statement<{ sealed: Buffer }>(
  'encryption_state',
  'SELECT sealed FROM encryption_state WHERE id = 1',
);

export const INSERT_ENCRYPTION_STATE = statement<never, [sealed: Buffer]>(
  'encryption_state_insert',
  'INSERT INTO encryption_state (id, sealed) VALUES (1, $1) ON CONFLICT DO NOTHING',
);

export const REPLACE_ENCRYPTION_STATE = statement<never, [sealed: Buffer]>(
  'encryption_state_replace',
  'INSERT INTO encryption_state (id, sealed) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET sealed = excluded.sealed',
);

/** The row that the keys of a deployment are compared with. */
@Injectable()
export class EncryptionStateRepository {
  constructor(private readonly statements: Statements) {}

  async sealed(): Promise<Buffer | undefined> {
    return (await this.statements.first(ENCRYPTION_STATE, []))?.sealed;
  }

  /** Stores the first one; one that is there already stays. */
  async insert(sealed: Buffer): Promise<void> {
    await this.statements.write(INSERT_ENCRYPTION_STATE, [sealed]);
  }

  async replace(sealed: Buffer): Promise<void> {
    await this.statements.write(REPLACE_ENCRYPTION_STATE, [sealed]);
  }
}
