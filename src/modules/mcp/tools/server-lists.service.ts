import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { recordedName } from '../../../telemetry/recorded-tools.js';
import { isObject } from '../../../http/validation/constraints.js';
import { ContentBlocked, PromptInjectionDetected } from '../../content/content.errors.js';
import type { JsonObject } from '../../mcp-servers/upstream/json-rpc.js';
import {
  LIST_FAILED_MS,
  listedItems,
  LONGEST_LIST_MS,
  type ServerList,
} from '../../mcp-servers/upstream/listed-items.js';
import { McpFailure } from '../../mcp-servers/upstream/mcp-failure.js';
import { McpConnectionRequired } from '../../mcp-servers/mcp-servers.errors.js';
import { McpUpstream } from '../../mcp-servers/upstream/mcp-upstream.service.js';
import type { ReadyMcpServer } from '../../mcp-servers/upstream/ready-mcp-server.js';
import type { McpRequestOf } from '../mcp-request.js';
import { CallInspection } from './call-inspection.service.js';
import { CallOutcome } from './call-outcome.js';
import { joinedPrompt, joinedUri } from './joined-names.js';
import { begunCall } from './mcp-call.js';

/** How many items of a server are listed, and how large they may be together, in characters of JSON. */
const MAXIMUM_ITEMS = 1_000;
const MAXIMUM_SIZE = 1_048_576;

/** Of how many servers a process remembers that they have given no list. */
const REMEMBERED = 10_000;

/** A list that there is of all servers together. */
interface JoinedList extends ServerList {
  readonly capability: string;
  /** What names an item, and how it is called among those of other servers. */
  readonly named: string;
  readonly joined: (server: string, name: string) => string;
}

const LISTS: readonly JoinedList[] = [
  { method: 'prompts/list', field: 'prompts', capability: 'prompts', named: 'name', joined: joinedPrompt },
  { method: 'resources/list', field: 'resources', capability: 'resources', named: 'uri', joined: joinedUri },
  {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    capability: 'resources',
    named: 'uriTemplate',
    joined: joinedUri,
  },
];

/** The prompts and resources of all servers that a key may use, in one list (docs/interface/mcp.md#prompts-and-resources). */
@Injectable()
export class ServerLists {
  private readonly failed = new LRUCache<string, true>({ max: REMEMBERED, ttl: LIST_FAILED_MS });

  constructor(
    private readonly upstream: McpUpstream,
    private readonly inspection: CallInspection,
  ) {}

  /** Whether a method is one of these lists. */
  has(method: string): boolean {
    return LISTS.some((list) => list.method === method);
  }

  /**
   * A list of some servers, by server and name, in one page. What a server does not give in time, and what filters block, is not there.
   *
   * @throws ContentFilterUnavailable, TooManyMcpRequests and so on, the reason of the signal
   */
  async of(request: McpRequestOf, servers: readonly ReadyMcpServer[]): Promise<JsonObject> {
    const list = LISTS.find(({ method }) => method === request.message.method)!;
    const items = await Promise.all(servers.map((server) => this.ofServer(request, server, list)));
    return { [list.field]: items.flat() };
  }

  private async ofServer(request: McpRequestOf, server: ReadyMcpServer, list: JoinedList): Promise<JsonObject[]> {
    const items = await this.given(request, server, list);
    if (items.length === 0) return [];
    const call = begunCall(request, performance.now(), recordedName(server.name));
    const outcome = new CallOutcome();
    try {
      await this.inspection.arguments(call, {}, outcome);
      const inspected = await this.inspection.result(call, { [list.field]: items }, outcome);
      const left = inspected[list.field] as readonly JsonObject[];
      return left.map((item) => ({ ...item, [list.named]: list.joined(server.name, String(item[list.named])) }));
    } catch (error) {
      if (error instanceof ContentBlocked || error instanceof PromptInjectionDetected) return [];
      throw error;
    }
  }

  /** What a server gives, by name; nothing where it does not answer as it should. */
  private async given(
    { caller, holder, http, signal }: McpRequestOf,
    server: ReadyMcpServer,
    list: JoinedList,
  ): Promise<JsonObject[]> {
    const name = `${server.version} ${caller.userId} ${list.method}`;
    if (this.failed.has(name)) return [];
    const limit = AbortSignal.timeout(Math.min(server.timeoutMs, LONGEST_LIST_MS));
    const call = { holder, userId: caller.userId, signal: AbortSignal.any([signal, limit]), memory: http.heldMemory };
    const found = new Map<string, JsonObject>();
    try {
      const { capabilities } = await this.upstream.facts(server, call);
      if (!isObject(capabilities[list.capability])) return [];
      let [seen, size] = [0, 0];
      for await (const item of listedItems(this.upstream, server, list, call)) {
        seen += 1;
        size += JSON.stringify(item).length;
        if (seen > MAXIMUM_ITEMS || size > MAXIMUM_SIZE) break;
        const key = isObject(item) ? item[list.named] : undefined;
        // Of several with one name the first is used.
        if (typeof key === 'string' && !found.has(key)) found.set(key, item as JsonObject);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof McpConnectionRequired) return [];
      if (!(error instanceof McpFailure) && !limit.aborted) throw error;
      this.failed.set(name, true);
      return [];
    }
    return [...found].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
  }
}
