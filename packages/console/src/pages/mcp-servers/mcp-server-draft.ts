import type { Schema } from '../../api/types';
import { pairsOf, textOfPairs } from '../../components/lines';

/** What stands in the form of an MCP server, but for its secret. */
export interface McpServerDraft {
  readonly name: string;
  readonly url: string;
  readonly authentication: Schema<'McpServerAuthentication'>;
  readonly header: string;
  readonly authorizationServer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly enabled: boolean;
  readonly trusted: boolean;
  readonly follow: boolean;
  /** Null for all. */
  readonly workspaces: readonly string[] | null;
  readonly price: number | null;
  /** One `tool=price` a line. */
  readonly toolPrices: string;
  readonly timeout: number | null;
}

/** A server that nobody has filled in. */
export const NEW_SERVER: McpServerDraft = {
  name: '',
  url: '',
  authentication: 'none',
  header: '',
  authorizationServer: '',
  clientId: '',
  scope: '',
  enabled: true,
  trusted: false,
  follow: false,
  workspaces: null,
  price: null,
  toolPrices: '',
  timeout: null,
};

/** The draft of a server as it is. */
export function draftOf(server: Schema<'McpServer'>): McpServerDraft {
  const { name, url, authentication, enabled, trusted, follow } = server;
  return {
    ...{ name, url, authentication, enabled, trusted, follow },
    header: server.header ?? '',
    authorizationServer: server.authorization_server ?? '',
    clientId: server.client_id ?? '',
    scope: server.scope ?? '',
    workspaces: server.workspace_ids,
    price: server.price_per_call,
    toolPrices: textOfPairs(server.tool_prices),
    timeout: server.timeout_ms,
  };
}

/** The draft as the interface takes it. @param secret is sent only where one was filled in */
export function toRequest(draft: McpServerDraft, secret: string): Schema<'UpdateMcpServerRequest'> & { url: string } {
  const { url, authentication, header, enabled, trusted, follow, workspaces, price, toolPrices, timeout } = draft;
  return {
    ...{ url: url.trim(), authentication, enabled, trusted, follow },
    header: authentication === 'header' ? header.trim() : null,
    ...(isByTokens(authentication)
      ? {
          authorization_server: textOrNull(draft.authorizationServer),
          client_id: textOrNull(draft.clientId),
          scope: textOrNull(draft.scope),
        }
      : { authorization_server: null, client_id: null, scope: null }),
    ...(authentication === 'none' ? { secret: null } : secret !== '' && { secret }),
    workspace_ids: workspaces === null ? null : [...workspaces],
    price_per_call: price,
    // What is no number the service says itself.
    tool_prices: Object.fromEntries(
      Object.entries(pairsOf(toolPrices)).map(([name, text]) => [name, text === '' ? text : Number(text)]),
    ),
    ...(timeout !== null && { timeout_ms: timeout }),
  };
}

/** Whether it is shown tokens of its authorization server. */
export function isByTokens(authentication: McpServerDraft['authentication']): boolean {
  return authentication === 'oauth_client_credentials' || authentication === 'oauth_member';
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
