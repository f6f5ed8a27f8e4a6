import { Injectable } from '@nestjs/common';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { Cipher } from '../encryption/cipher.js';
import { EncryptedColumn } from '../encryption/encrypted-column.js';
import { EncryptedTables } from '../encryption/encrypted-tables.js';
import type { McpServerEntity } from './entities/mcp-server.entity.js';
import { McpServersRepository, type StoredMcpSecret } from './mcp-servers.repository.js';

type SecretBinding = Omit<StoredMcpSecret, 'encryptedSecret'>;

/** The secrets of MCP servers, bound to organization, id and address. */
@Injectable()
export class EncryptedMcpSecrets extends EncryptedColumn<'encryptedSecret', SecretBinding, StoredMcpSecret, string> {
  readonly name = 'MCP servers';
  protected readonly column = 'encryptedSecret';

  constructor(
    tables: EncryptedTables,
    cipher: Cipher,
    private readonly repository: McpServersRepository,
    private readonly logger: ServiceLogger,
  ) {
    super(tables, cipher);
  }

  /** @returns null for none */
  encryptedOrNull(row: SecretBinding, secret: string | null): Buffer | null {
    return secret === null ? null : this.encrypted(row, secret);
  }

  /** @returns null for none; undefined for one that cannot be decrypted, which is logged with the id of the server */
  of(server: McpServerEntity): string | null | undefined {
    const { encryptedSecret } = server;
    if (encryptedSecret === null) return null;
    try {
      return this.decrypted({ ...server, encryptedSecret });
    } catch (error) {
      this.logger.warn(`the secret of MCP server ${server.id} cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }

  async replace(row: StoredMcpSecret, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceSecret(row, bytes);
  }

  protected stored(): AsyncIterable<StoredMcpSecret> {
    return this.repository.everySecret();
  }

  protected boundTo({ organizationId, id, url }: SecretBinding): readonly string[] {
    return ['mcp_server', organizationId, id, url];
  }
}
