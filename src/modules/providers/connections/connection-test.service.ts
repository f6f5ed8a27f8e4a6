import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { PUBLIC_ADDRESSES } from '../../../http/addresses/allowed-addresses.js';
import { beginningOf, drop, type OutgoingAnswer } from '../../../http/outgoing/outgoing-answer.js';
import { OutgoingClient } from '../../../http/outgoing/outgoing-client.js';
import { parsedIfJson } from '../../../http/input/json-bounds.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import { providerErrorOf } from '../../codecs/errors/error-object.js';
import type { UpstreamDialect } from '../../codecs/upstream-codecs.js';
import { type Credential, UpstreamAuthorization } from '../credentials/upstream-authorization.js';
import { DIALECT_HEADERS } from '../upstream/dialect-headers.js';
import { JSON_TYPE } from '../upstream/media-type.js';
import type { ConnectionTest } from './connection-test.js';
import type { ProviderConnection } from './provider-connection.js';
import { ProviderConnections } from './provider-connections.js';
import { ConnectionsRepository } from './connections.repository.js';

/** How long a provider may take to answer, in milliseconds. */
const TIME_LIMIT_MS = 15_000;

/** How much of an answer is read, in bytes. */
const MAXIMUM_ANSWER = 65_536;

/** Of the connections of tests: how long making one may take and an idle one stays, in milliseconds, and the longest head of an answer. */
const CONNECTIONS = { connectTimeoutMs: 10_000, keepAliveMs: 4_000, maximumHead: 32_768 };

/** A request that shows whether a credential is accepted, and generates nothing. */
interface Probe {
  readonly url: string;
  /** Undefined for a GET. */
  readonly body?: string;
  /** The status of a provider that accepts the credential. */
  readonly accepted: number;
}

/** Tries connections out for an operator. */
@Injectable()
export class ConnectionTestService implements OnApplicationShutdown {
  private readonly anywhere: OutgoingClient;
  private readonly publicly: OutgoingClient;

  constructor(
    environment: Environment,
    private readonly connections: ProviderConnections,
    private readonly repository: ConnectionsRepository,
    private readonly authorization: UpstreamAuthorization,
  ) {
    this.anywhere = new OutgoingClient(environment, { ...CONNECTIONS, addresses: undefined });
    const refusal = (): Error => new Error('the address leads into a private network');
    this.publicly = new OutgoingClient(environment, {
      ...CONNECTIONS,
      addresses: { allowed: PUBLIC_ADDRESSES, refusal },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.anywhere.close(), this.publicly.close()]);
  }

  /** Asks a provider for the list of its models, or for what it has in its place, with the credential of its connection. */
  async test(provider: string): Promise<ConnectionTest> {
    const { connected } = await this.connections.current();
    const connection = connected.get(provider);
    if (connection === undefined) {
      return { outcome: (await this.repository.find(provider)) === undefined ? 'not_connected' : 'unreadable' };
    }
    const { protocol } = connection;
    return protocol === 'echo' ? { outcome: 'builtin' } : this.ask(connection, protocol);
  }

  private clientFor({ allowedAddresses }: ProviderConnection): OutgoingClient {
    return allowedAddresses === undefined ? this.anywhere : this.publicly;
  }

  private async ask(connection: ProviderConnection, dialect: UpstreamDialect): Promise<ConnectionTest> {
    const probe = probeOf(connection);
    const url = probe?.url ?? connection.baseUrl;
    const content = probe?.body === undefined ? null : { type: JSON_TYPE, pieces: [Buffer.from(probe.body)] };
    const method = content === null ? 'GET' : 'POST';
    const { key, form } = DIALECT_HEADERS[dialect];
    const credential: Credential = { scheme: connection.credential, apiKey: connection.apiKey, keyHeader: key };
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    const begin = performance.now();
    try {
      const { headers, secrets } = await this.authorization.of(credential, { method, url, content }, signal);
      if (probe === undefined) return { outcome: 'token_issued' };
      const { status, body } = await this.clientFor(connection).send(url, {
        method,
        headers: {
          accept: 'application/json',
          ...(content !== null && { 'content-type': content.type }),
          ...form,
          ...headers,
        },
        body: probe.body,
        signal,
      });
      const isAccepted = status === probe.accepted;
      const upstream = { ...connection, issuedSecrets: new Set(secrets) };
      if (isAccepted) drop(body);
      const reason = isAccepted ? undefined : providerErrorOf(await documentOf(body), upstream, { status })?.message;
      const durationMs = Math.round(performance.now() - begin);
      return { outcome: 'answered', url, status, durationMs, isAccepted, reason };
    } catch (error) {
      if (error instanceof ProviderError) return { outcome: 'no_token', cause: error.message };
      return { outcome: 'unreachable', url, cause: causeOf(error) };
    }
  }
}

/** @returns undefined where a token is all that can be had without a model */
function probeOf({ baseUrl, protocol, address, credential }: ProviderConnection): Probe | undefined {
  if (address?.form === 'vertex') return undefined;
  if (address?.form === 'azure-deployment') {
    return { url: `${baseUrl}/models?api-version=${encodeURIComponent(address.apiVersion)}`, accepted: 200 };
  }
  if (protocol === 'converse' || address?.form === 'bedrock-invoke') {
    // The lists are at the service beside the one that runs models.
    return { url: `${baseUrl.replace('//bedrock-runtime', '//bedrock')}/foundation-models`, accepted: 200 };
  }
  if (protocol === 'gemini') return { url: `${baseUrl}/models?pageSize=1`, accepted: 200 };
  // The clouds have no list of models in this dialect, and refuse a request without any field only once they know who asks.
  if (protocol === 'anthropic' && credential !== undefined)
    return { url: `${baseUrl}/messages`, body: '{}', accepted: 400 };
  return { url: `${baseUrl}/models`, accepted: 200 };
}

/** A short answer as JSON; undefined for anything else. */
async function documentOf(body: OutgoingAnswer['body']): Promise<unknown> {
  const { bytes, isWhole } = await beginningOf(body, MAXIMUM_ANSWER);
  return isWhole ? parsedIfJson(bytes.toString()) : undefined;
}

/** The innermost reason. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer in ${TIME_LIMIT_MS / 1_000} seconds`;
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
