import type { ApiKeyPrincipal } from '../../auth/principal.js';
import type { GatehouseRequest } from '../../http/request.js';
import type { CompiledLimit } from '../limits/compiled-limit.js';
import type { CompiledPolicy } from '../inference/pipeline/policy/compiled-policies.js';
import type { RequestContext } from '../inference/pipeline/context/request-context.repository.js';
import type { McpMessage } from './messages/mcp-message.js';
import type { PairedSession } from './sessions/paired-session.js';

/** What a request to the endpoint is answered under. */
export interface McpContext {
  readonly context: RequestContext;
  readonly policy: CompiledPolicy;
  readonly limits: readonly CompiledLimit[];
}

/** A request to the endpoint. */
export interface McpRequestOf extends McpContext {
  readonly caller: ApiKeyPrincipal;
  readonly http: GatehouseRequest;
  readonly message: McpMessage & { readonly id: string | number };
  /** The server that the path names; undefined for all of them together. */
  readonly serverName: string | undefined;
  /** For whom servers are asked: the key, or one of its sessions. */
  readonly holder: string;
  /** The session that goes with one at the server, where the client has such a one, and how its client is told something. */
  readonly paired?: { readonly session: PairedSession; readonly send: (message: object) => Promise<void> } | undefined;
  readonly signal: AbortSignal;
}
