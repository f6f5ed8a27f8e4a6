import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import type { ToolDefinition } from '../tools/tool-definition.js';

/** A tool of a server as it was last seen, and as it was approved (docs/interface/mcp-servers.md#pins). */
@Entity({ name: 'mcp_tools' })
@Distributed('organization')
@BelongsToOrganization('fk_mcp_tools_organization')
@BelongsTo('fk_mcp_tools_server', 'McpServerEntity', 'serverId')
export class McpToolEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  @PrimaryColumn({ type: 'uuid' })
  serverId: string;

  @PrimaryColumn({ type: 'text' })
  name: string;

  @Column({ type: 'jsonb' })
  definition: ToolDefinition;

  /** Of the definition: SHA-256 in lowercase hexadecimal. */
  @Column({ type: 'text' })
  digest: string;

  /** Null: it was never approved. */
  @Column({ type: 'jsonb', nullable: true })
  approvedDefinition: ToolDefinition | null;

  @Column({ type: 'text', nullable: true })
  approvedDigest: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  approvedAt: Date | null;

  /** When it was first seen as it is now. */
  @Column({ type: 'timestamptz', precision: 3 })
  seenAt: Date;

  /** Since when the server does not offer it any more; null while it does. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  goneAt: Date | null;
}
