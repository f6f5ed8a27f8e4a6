import { Column, Entity, Index, Unique } from 'typeorm';
import { BelongsToOrganization } from '../../../persistence/belongs-to.js';
import { Distributed } from '../../../persistence/distribution.js';
import { OneOf } from '../../../persistence/one-of.js';
import { OrganizationRow } from '../../../persistence/organization-row.js';
import { MCP_AUTHENTICATIONS, type McpAuthentication } from '../mcp-server-vocabulary.js';

/** A server of tools of an organization (docs/interface/mcp-servers.md). */
@Entity({ name: 'mcp_servers' })
@Distributed('organization')
@Index('ix_mcp_servers_page', ['organizationId', 'createdAt', 'id'])
@Unique('uq_mcp_servers_name', ['organizationId', 'name'])
@OneOf('ck_mcp_servers_authentication', 'authentication', MCP_AUTHENTICATIONS)
@BelongsToOrganization('fk_mcp_servers_organization')
export class McpServerEntity extends OrganizationRow {
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text' })
  url: string;

  @Column({ type: 'text' })
  authentication: McpAuthentication;

  /** The name of the header with the secret; null for another authentication. */
  @Column({ type: 'text', nullable: true })
  header: string | null;

  /** The client of the gateway at the authorization server; null where there is none, and for one that its metadata document names. */
  @Column({ type: 'text', nullable: true })
  clientId: string | null;

  /** What tokens are to be good for, with spaces between; null for what the server says. */
  @Column({ type: 'text', nullable: true })
  scope: string | null;

  /** The issuer of its tokens; null for the one that the server names. */
  @Column({ type: 'text', nullable: true })
  authorizationServer: string | null;

  /** The issuer that the server has named first, which alone gets what the gateway has for its tokens; null before it has named one. */
  @Column({ type: 'text', nullable: true })
  namedIssuer: string | null;

  /** What answers show of the secret; null for none. */
  @Column({ type: 'text', nullable: true })
  secretMask: string | null;

  @Column({ type: 'bytea', nullable: true })
  encryptedSecret: Buffer | null;

  @Column({ type: 'boolean' })
  enabled: boolean;

  /** Whether what it says of the effects of its tools is believed. */
  @Column({ type: 'boolean' })
  trusted: boolean;

  /** Whether its tools are used as they are at the moment, approved or not. */
  @Column({ type: 'boolean' })
  follow: boolean;

  /** The workspaces whose keys may use it; null for all. */
  @Column({ type: 'uuid', array: true, nullable: true })
  workspaceIds: string[] | null;

  /** US dollars; null for nothing. */
  @Column({ type: 'double precision', nullable: true })
  pricePerCall: number | null;

  /** US dollars by the names of tools, in place of the price of the server. */
  @Column({ type: 'jsonb' })
  toolPrices: Readonly<Record<string, number>>;

  @Column({ type: 'integer' })
  timeoutMs: number;

  /** The newest revision that it was found to have; null before it has answered. */
  @Column({ type: 'text', nullable: true })
  protocolVersion: string | null;

  /** The newest of the revisions with a handshake that it was found to have besides the newest of all, when it was tested; null for none. */
  @Column({ type: 'text', nullable: true })
  handshakeRevision: string | null;

  /** When its tools were last asked for; null if never. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  checkedAt: Date | null;

  /** Why it gave no tools then; null if it did. */
  @Column({ type: 'text', nullable: true })
  failure: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3 })
  updatedAt: Date;
}
