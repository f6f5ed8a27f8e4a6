import { Column, Entity, Index, Unique } from 'typeorm';
import { BelongsTo, BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';

/** That a member lets the gateway use an MCP server in their name (docs/interface/mcp-servers.md#connections-of-members). */
@Entity({ name: 'mcp_connections' })
@Distributed('organization')
@Unique('uq_mcp_connections_member', ['organizationId', 'serverId', 'userId'])
@Index('ix_mcp_connections_member', ['organizationId', 'userId'])
@BelongsToOrganization('fk_mcp_connections_organization')
@BelongsTo('fk_mcp_connections_server', 'McpServerEntity', 'serverId')
@BelongsTo('fk_mcp_connections_user', 'OrganizationMemberEntity', 'userId', 'userId')
export class McpConnectionEntity extends OrganizationRow {
  @Column({ type: 'uuid' })
  serverId: string;

  @Column({ type: 'text' })
  userId: string;

  /** The tokens of the member, as JSON. */
  @Column({ type: 'bytea' })
  encryptedTokens: Buffer;

  /** When the access token ends; null where the server has not said so. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expiresAt: Date | null;

  /** Until when a process has it to itself to refresh the tokens; null while none does. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  refreshingUntil: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
