import { Injectable } from '@nestjs/common';
import { credentialHeaders } from '../upstream/credential-headers.js';
import type { ProviderConnection } from './provider-connection.js';
import { ProviderConnections } from './provider-connections.js';

/** How long a provider may take to answer, in milliseconds. */
const TIME_LIMIT_MS = 15_000;

/** What came of asking a provider for its models. */
export type ConnectionTest =
  | { readonly outcome: 'not_connected' }
  | { readonly outcome: 'builtin' }
  /** The status of its answer. */
  | { readonly outcome: 'answered'; readonly url: string; readonly status: number; readonly durationMs: number }
  /** Why there was none. */
  | { readonly outcome: 'unreachable'; readonly url: string; readonly cause: string };

/** Tries connections out for an operator. */
@Injectable()
export class ConnectionTestService {
  constructor(private readonly connections: ProviderConnections) {}

  /**
   * Asks a provider for the list of its models, with the credential of its connection. Only the status is reported: the text of
   * an answer may repeat the credential.
   */
  async test(provider: string): Promise<ConnectionTest> {
    const connection = (await this.connections.all()).get(provider);
    if (connection === undefined) return { outcome: 'not_connected' };
    return connection.protocol === 'echo' ? { outcome: 'builtin' } : ask(connection);
  }
}

async function ask({ baseUrl, protocol, apiKey }: ProviderConnection): Promise<ConnectionTest> {
  const url = `${baseUrl}/models`;
  const begin = performance.now();
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...credentialHeaders(protocol, apiKey) },
      // The credential is for this address only.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    });
    await response.body?.cancel();
    return { outcome: 'answered', url, status: response.status, durationMs: Math.round(performance.now() - begin) };
  } catch (error) {
    return { outcome: 'unreachable', url, cause: causeOf(error) };
  }
}

/** The innermost reason: `fetch` itself only says that it failed. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer in ${TIME_LIMIT_MS / 1_000} seconds`;
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
