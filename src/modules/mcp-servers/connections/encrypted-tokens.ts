import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cipher } from '../../encryption/cipher.js';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from '../../encryption/encrypted-tables.js';
import { McpConnectionsRepository, type StoredMcpTokens } from './mcp-connections.repository.js';

/** The tokens of a member for a server. */
export interface MemberTokenSet {
  readonly access: string;
  /** Null where the member has to connect anew when the access token ends. */
  readonly refresh: string | null;
}

type EncryptedTokens = StoredMcpTokens & EncryptedRow;

/** The tokens of members for MCP servers, encrypted at rest and bound to organization, server and member. */
@Injectable()
export class EncryptedMcpTokens implements EncryptedTable<EncryptedTokens>, OnModuleInit {
  readonly name = 'connections to MCP servers';

  constructor(
    private readonly tables: EncryptedTables,
    private readonly repository: McpConnectionsRepository,
    private readonly cipher: Cipher,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  encrypted(owner: Pick<StoredMcpTokens, 'organizationId' | 'serverId' | 'userId'>, tokens: MemberTokenSet): Buffer {
    return this.cipher.seal(dataOf(owner), tokens);
  }

  /** @throws Error when no key fits, or the row is not the one that they were encrypted for */
  decrypted(stored: StoredMcpTokens): MemberTokenSet {
    return this.cipher.open(dataOf(stored), stored.encryptedTokens) as MemberTokenSet;
  }

  async *rows(): AsyncGenerator<EncryptedTokens> {
    for await (const stored of this.repository.every()) yield { ...stored, bytes: stored.encryptedTokens };
  }

  reEncrypted(row: EncryptedTokens): Buffer {
    return this.encrypted(row, this.decrypted(row));
  }

  async replace(row: EncryptedTokens, bytes: Buffer): Promise<boolean> {
    return this.repository.replace(row, bytes);
  }
}

function dataOf(owner: Pick<StoredMcpTokens, 'organizationId' | 'serverId' | 'userId'>): string[] {
  return ['mcp_connection', owner.organizationId, owner.serverId, owner.userId];
}
