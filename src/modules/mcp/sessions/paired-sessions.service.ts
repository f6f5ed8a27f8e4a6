import { Injectable } from '@nestjs/common';
import { McpConnectionRequired } from '../../mcp-servers/mcp-servers.errors.js';
import { McpFailure } from '../../mcp-servers/upstream/mcp-failure.js';
import { MODERN_REVISION } from '../../mcp-servers/upstream/mcp-revisions.js';
import { McpUpstream } from '../../mcp-servers/upstream/mcp-upstream.service.js';
import type { ReadyMcpServer } from '../../mcp-servers/upstream/ready-mcp-server.js';
import type { McpRequestOf } from '../mcp-request.js';
import { McpSessionUnknown } from '../mcp.errors.js';
import { AvailableTools } from '../tools/available-tools.service.js';
import { askedOfClient, declaredIn, type PairedSession } from './paired-session.js';

/** Opens sessions at servers for those of clients, and says to which server one leads (docs/interface/mcp.md#sessions). */
@Injectable()
export class PairedSessions {
  constructor(
    private readonly tools: AvailableTools,
    private readonly upstream: McpUpstream,
  ) {}

  /**
   * Opens a session at the server of the path, for a client that opens one.
   *
   * @returns undefined for the path of all servers, a server of another revision or that does not answer, and a key that may use none of its tools
   * @throws McpServerUnknown, TooManyMcpRequests, the reason of the signal
   */
  async open(request: McpRequestOf, revision: string): Promise<PairedSession | undefined> {
    if (request.serverName === undefined) return undefined;
    const server = await this.usableServer(request);
    if (server === undefined) return undefined;
    const call = { ...request, userId: request.caller.userId };
    try {
      const facts = await this.upstream.facts(server, call);
      const newest = facts.revision === MODERN_REVISION ? server.handshakeRevision : facts.revision;
      // Revisions are dates. Which older ones a server has is in its answer alone.
      if (newest === null || revision > newest) return undefined;
      const announced = askedOfClient(request.message.params['capabilities']);
      const opened = await this.upstream.open(server, { revision, capabilities: announced }, call);
      if (opened === undefined) return undefined;
      const { capabilities, ...session } = opened;
      return { ...session, announced, declared: declaredIn(capabilities) };
    } catch (error) {
      if (error instanceof McpFailure || error instanceof McpConnectionRequired) return undefined;
      throw error;
    }
  }

  /** The server that a session is at. @throws McpSessionUnknown where it has changed, or the key may not use it any more */
  async serverOf(request: McpRequestOf, { version }: PairedSession): Promise<ReadyMcpServer> {
    const server = await this.usableServer(request);
    if (server?.version !== version) throw new McpSessionUnknown();
    return server;
  }

  /** The server of the path, where the key may use any tool of it. @throws McpServerUnknown */
  private async usableServer(request: McpRequestOf): Promise<ReadyMcpServer | undefined> {
    const offered = await this.tools.all(request);
    return offered.find(({ refusal, usable }) => refusal === undefined && usable !== undefined)?.server;
  }
}
