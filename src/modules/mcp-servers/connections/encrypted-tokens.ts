import { Injectable } from '@nestjs/common';
import { Cipher } from '../../encryption/cipher.js';
import { EncryptedColumn } from '../../encryption/encrypted-column.js';
import { EncryptedTables } from '../../encryption/encrypted-tables.js';
import { McpConnectionsRepository, type StoredMcpTokens } from './mcp-connections.repository.js';

/** The tokens of a member for a server. */
export interface MemberTokenSet {
  readonly access: string;
  /** Null where the member has to connect anew when the access token ends. */
  readonly refresh: string | null;
}

type TokenBinding = Pick<StoredMcpTokens, 'organizationId' | 'serverId' | 'userId'>;

/** The tokens of members for MCP servers, bound to organization, server and member. */
@Injectable()
export class EncryptedMcpTokens extends EncryptedColumn<
  'encryptedTokens',
  TokenBinding,
  StoredMcpTokens,
  MemberTokenSet
> {
  readonly name = 'connections to MCP servers';
  protected readonly column = 'encryptedTokens';

  constructor(
    tables: EncryptedTables,
    cipher: Cipher,
    private readonly repository: McpConnectionsRepository,
  ) {
    super(tables, cipher);
  }

  async replace(row: StoredMcpTokens, bytes: Buffer): Promise<boolean> {
    return this.repository.replace(row, bytes);
  }

  protected stored(): AsyncIterable<StoredMcpTokens> {
    return this.repository.every();
  }

  protected boundTo({ organizationId, serverId, userId }: TokenBinding): readonly string[] {
    return ['mcp_connection', organizationId, serverId, userId];
  }
}
