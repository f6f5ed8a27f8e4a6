import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { Cipher } from '../encryption/cipher.js';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from '../encryption/encrypted-tables.js';
import type { McpServerEntity } from './entities/mcp-server.entity.js';
import { McpServersRepository, type StoredMcpSecret } from './mcp-servers.repository.js';

type EncryptedSecret = StoredMcpSecret & EncryptedRow;

/** The secrets of MCP servers, encrypted at rest and bound to organization, id and address. */
@Injectable()
export class EncryptedMcpSecrets implements EncryptedTable<EncryptedSecret>, OnModuleInit {
  readonly name = 'MCP servers';

  constructor(
    private readonly tables: EncryptedTables,
    private readonly repository: McpServersRepository,
    private readonly cipher: Cipher,
    private readonly logger: ServiceLogger,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  /** @returns null for none */
  encrypted(owner: Omit<StoredMcpSecret, 'encryptedSecret'>, secret: string | null): Buffer | null {
    return secret === null ? null : this.cipher.seal(dataOf(owner), secret);
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

  async *rows(): AsyncGenerator<EncryptedSecret> {
    for await (const stored of this.repository.everySecret()) yield { ...stored, bytes: stored.encryptedSecret };
  }

  reEncrypted(row: EncryptedSecret): Buffer {
    return this.cipher.seal(dataOf(row), this.decrypted(row));
  }

  async replace(row: EncryptedSecret, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceSecret(row, bytes);
  }

  /** @throws Error when no key fits, or the row is not the one that it was encrypted for */
  private decrypted(stored: StoredMcpSecret): string {
    return this.cipher.open(dataOf(stored), stored.encryptedSecret) as string;
  }
}

function dataOf({ organizationId, id, url }: Omit<StoredMcpSecret, 'encryptedSecret'>): string[] {
  return ['mcp_server', organizationId, id, url];
}
