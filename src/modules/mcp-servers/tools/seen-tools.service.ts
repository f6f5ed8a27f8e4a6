import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import { AuditTrail, SERVICE } from '../../audit/audit-trail.js';
import type { AuditedChanges } from '../../audit/audited-event.js';
import { MemberTokens } from '../connections/member-tokens.service.js';
import type { McpToolEntity } from '../entities/mcp-tool.entity.js';
import { McpConnectionRequired, McpServerNotFound } from '../mcp-servers.errors.js';
import { MCP_SERVERS, McpServersRepository } from '../mcp-servers.repository.js';
import { LIST_FAILED_MS, listedItems, LONGEST_LIST_MS } from '../upstream/listed-items.js';
import { McpFailure } from '../upstream/mcp-failure.js';
import { MODERN_REVISION, revisionsIn } from '../upstream/mcp-revisions.js';
import { type McpCall, McpUpstream } from '../upstream/mcp-upstream.service.js';
import type { ReadyMcpServer } from '../upstream/ready-mcp-server.js';
import { McpToolsRepository } from './mcp-tools.repository.js';
import { type SeenTool, seenToolOf } from './tool-definition.js';

/** How long tools count as they were seen, in milliseconds. */
const FRESH_MS = 60_000;

/** Of how many servers a process remembers that it has looked. */
const LOOKED = 10_000;

/** How many tools of a server are kept. */
const MAXIMUM_TOOLS = 1_000;

const TOOLS = { method: 'tools/list', field: 'tools' };

/** What was found when the tools of a server were asked for. */
export interface ToolsFound {
  readonly revision: string | null;
  /** Why there are none; null where it gave them. */
  readonly failure: string | null;
  readonly tools: number;
  /** Names that are not used: no tools, or too large. */
  readonly unusable: number;
}

/** What was found when a server was tested. */
export interface TestFound extends ToolsFound {
  /** The revisions that it has, newest first. */
  readonly revisions: readonly string[];
}

/** Looks at the tools of servers, and stores what has changed (docs/interface/mcp-servers.md#pins). */
@Injectable()
export class SeenTools {
  private readonly looked = new LRUCache<string, true>({ max: LOOKED });
  private readonly underWay = new Map<string, Promise<ToolsFound>>();

  constructor(
    private readonly upstream: McpUpstream,
    private readonly repository: McpToolsRepository,
    private readonly servers: McpServersRepository,
    private readonly memberTokens: MemberTokens,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * The tools of a server by their names, as they were seen within the last minute. Where it does not answer, as they were seen last: what
   * they were approved as says whether they may be used.
   *
   * @param userId the member who asks. Where each has a token of their own, the tools of one may not be those of another, so that none is
   *   taken for gone; a member who has not connected sees them as they are stored
   */
  async of(server: ReadyMcpServer, userId: string): Promise<readonly McpToolEntity[]> {
    const isPersonal = server.authentication === 'oauth_member';
    const isSeen = this.looked.has(server.version) || (isPersonal && !(await this.memberTokens.has(server, userId)));
    if (!isSeen) await this.look(server, userId, !isPersonal);
    return this.repository.ofServer(server.organizationId, server.id);
  }

  /** Forgets that it has looked, where a server says that its tools have changed. */
  forget(server: ReadyMcpServer): void {
    this.looked.delete(server.version);
  }

  /**
   * Asks a server for its tools now, finds out anew how it is asked, and whether it has a revision with a handshake besides the newest one. It
   * may take as long for both as for its tools; where only these come in time, it has no such revision.
   *
   * @param userId the member who asks
   */
  async test(server: ReadyMcpServer, userId: string): Promise<TestFound> {
    this.upstream.forget(server);
    const call = { holder: `test ${newUuid()}`, userId, signal: timeFor(server) };
    const found = await this.look(server, userId);
    const isModern = found.revision === MODERN_REVISION;
    const handshakeRevision = isModern ? await this.handshakeRevision(server, call) : null;
    if (found.failure === null) await this.servers.noteHandshake(server, handshakeRevision);
    return { ...found, revisions: revisionsIn({ protocolVersion: found.revision, handshakeRevision }) };
  }

  /**
   * Asks a server for its tools now, once for all who want to know it at the same time.
   *
   * @param userId the member who asks
   * @param isWhole whether what it does not name is gone
   */
  async look(server: ReadyMcpServer, userId: string, isWhole = true): Promise<ToolsFound> {
    const name = `${server.version} ${isWhole}`;
    const known = this.underWay.get(name);
    if (known !== undefined) return known;
    const looking = this.lookNow(server, userId, isWhole).finally(() => this.underWay.delete(name));
    this.underWay.set(name, looking);
    return looking;
  }

  private async lookNow(server: ReadyMcpServer, userId: string, isWhole: boolean): Promise<ToolsFound> {
    // A session of its own: servers may show tools as they were when a session began.
    const call = {
      holder: `tools ${newUuid()}`,
      userId,
      signal: timeFor(server),
    };
    try {
      const { revision } = await this.upstream.facts(server, call);
      const { tools, unusable } = await this.listed(server, call);
      await this.store(server, tools, isWhole);
      await this.servers.noteCheck(server, revision, null);
      this.looked.set(server.version, true, { ttl: FRESH_MS });
      return { revision, failure: null, tools: tools.length, unusable };
    } catch (error) {
      const failure = failureOf(error);
      this.upstream.forget(server);
      await this.servers.noteCheck(server, null, failure);
      this.looked.set(server.version, true, { ttl: LIST_FAILED_MS });
      return { revision: null, failure, tools: 0, unusable: 0 };
    } finally {
      this.upstream.leave(server, call);
    }
  }

  private async handshakeRevision(server: ReadyMcpServer, call: McpCall): Promise<string | null> {
    try {
      return await this.upstream.handshakeRevision(server, call);
    } catch (error) {
      if (!(error instanceof McpFailure) && !call.signal.aborted) throw error;
      return null;
    }
  }

  private async listed(
    server: ReadyMcpServer,
    call: McpCall,
  ): Promise<{ readonly tools: readonly SeenTool[]; readonly unusable: number }> {
    const byName = new Map<string, SeenTool>();
    let named = 0;
    for await (const tool of listedItems(this.upstream, server, TOOLS, call)) {
      named += 1;
      if (named > 2 * MAXIMUM_TOOLS) break;
      const seen = byName.size < MAXIMUM_TOOLS ? seenToolOf(tool) : undefined;
      // Of several with one name the first is used.
      if (seen !== undefined && !byName.has(seen.definition.name)) byName.set(seen.definition.name, seen);
    }
    return { tools: [...byName.values()], unusable: named - byName.size };
  }

  /** Stores what has changed, and records it. */
  private async store(server: ReadyMcpServer, seen: readonly SeenTool[], isWhole: boolean): Promise<void> {
    const { organizationId, id } = server;
    const before = changesIn(await this.repository.ofServer(organizationId, id), seen, isWhole);
    if (before.stored.length + before.gone.length === 0) return;
    await this.statements.transaction(async (tx) => {
      // Others may have seen the same.
      if ((await MCP_SERVERS.lock(tx, organizationId, id)) === undefined) throw new McpServerNotFound();
      const { stored, gone, changes } = changesIn(
        await this.repository.ofServer(organizationId, id, tx),
        seen,
        isWhole,
      );
      if (stored.length > 0) await this.repository.storeSeen(tx, organizationId, id, stored);
      if (gone.length > 0) await this.repository.forget(tx, organizationId, id, gone);
      if (stored.length + gone.length === 0) return;
      await this.audit.record(tx, organizationId, SERVICE, { action: 'mcp_server.see_tools', targetId: id, changes });
    });
  }
}

/** What differs between tools as they are stored and as they are seen. */
function changesIn(
  known: readonly McpToolEntity[],
  seen: readonly SeenTool[],
  isWhole: boolean,
): { readonly stored: SeenTool[]; readonly gone: string[]; readonly changes: AuditedChanges } {
  const byName = new Map(known.map((tool) => [tool.name, tool]));
  const names = new Set(seen.map(({ definition }) => definition.name));
  const stored = seen.filter(({ definition, digest }) => {
    const before = byName.get(definition.name);
    return before?.digest !== digest || before.goneAt !== null;
  });
  const isGone = ({ name, goneAt }: McpToolEntity): boolean => isWhole && goneAt === null && !names.has(name);
  const gone = known.filter(isGone).map(({ name }) => name);
  const digestOf = (name: string): string | undefined => {
    const before = byName.get(name);
    return before?.goneAt === null ? before.digest : undefined;
  };
  const changed = stored.map(({ definition: { name }, digest }) => [name, { before: digestOf(name), after: digest }]);
  const ended = gone.map((name) => [name, { before: digestOf(name) }]);
  return { stored, gone, changes: Object.fromEntries([...changed, ...ended]) as AuditedChanges };
}

/** Ends when the time is over that a server has for its tools. */
function timeFor({ timeoutMs }: ReadyMcpServer): AbortSignal {
  return AbortSignal.timeout(Math.min(timeoutMs, LONGEST_LIST_MS));
}

function failureOf(error: unknown): string {
  if (error instanceof McpFailure) return error.message;
  if (error instanceof McpConnectionRequired) return 'the member who asks has not connected to the server';
  if ((error as Error).name === 'TimeoutError') return 'the server did not answer in time';
  throw error;
}
