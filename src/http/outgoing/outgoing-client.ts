import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, Client, Pool } from 'undici';
import type { Environment } from '../../config/environment.js';
import { type AllowedAddresses, lookupOf } from '../addresses/allowed-addresses.js';
import { hostOf } from '../addresses/address-form.js';
import { EgressProxies, type EgressProxy } from './egress-proxies.js';
import { type OutgoingAnswer, sendThrough } from './outgoing-answer.js';
import { connectorOf } from './outgoing-connector.js';

/** Which addresses may be called, for those that organizations choose. */
export interface AddressRule {
  readonly allowed: AllowedAddresses;
  /** Makes the error for any other address. */
  readonly refusal: () => Error;
}

/** How servers outside are called. */
export interface OutgoingSettings {
  /** How long making a connection may take, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** How long an idle connection is kept, in milliseconds; in a pool, unless the server says how long it keeps its own. */
  readonly keepAliveMs: number;
  /** How much of the head of an answer is read, in bytes. */
  readonly maximumHead: number;
  /** Which addresses may be called; undefined where all may, because the operator has set them. */
  readonly addresses: AddressRule | undefined;
}

/** How one server outside is called. */
export interface OutgoingPoolSettings extends OutgoingSettings {
  /** How many connections there may be at once. */
  readonly connections: number;
}

/** A request to a server outside. */
export interface OutgoingRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | Uint8Array | null | undefined;
  /** Whether the server is one of the machine itself, which no proxy can reach. */
  readonly isNear?: boolean | undefined;
  /** Ends the request, and the reading of its answer. It is the only limit of time but that of connecting. */
  readonly signal: AbortSignal;
}

/** A request to one server outside, which names no more than is sent. */
export interface PoolRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | Uint8Array | null;
  readonly signal: AbortSignal;
}

/** Calls servers outside over HTTP/1.1, without redirects and without compression, and through the proxies of the deployment. */
export class OutgoingClient {
  private readonly proxies: EgressProxies;
  private readonly agents = new Map<EgressProxy | undefined, Agent>();

  constructor(
    { egressProxies }: Pick<Environment, 'egressProxies'>,
    private readonly settings: OutgoingSettings,
  ) {
    this.proxies = new EgressProxies(egressProxies);
  }

  /**
   * Sends a request.
   *
   * @param url of http or https
   * @returns when the head of the answer is there
   * @throws the error of the rule of addresses, those of undici, and the reason of the signal
   */
  async send(
    url: string,
    { method = 'GET', headers = {}, body = null, isNear = false, signal }: OutgoingRequest,
  ): Promise<OutgoingAnswer> {
    const target = new URL(url);
    requireAllowed(target, this.settings);
    const proxy = isNear ? undefined : await this.proxies.proxyFor(target);
    return sendThrough(this.agentOf(proxy), {
      origin: target.origin,
      ...through(proxy, target.origin, {
        path: `${target.pathname}${target.search}`,
        method,
        headers: { 'user-agent': 'gatehouse', 'accept-encoding': 'identity', ...headers },
        body,
        signal,
      }),
    });
  }

  private agentOf(proxy: EgressProxy | undefined): Agent {
    let agent = this.agents.get(proxy);
    if (agent === undefined) {
      // The address was checked when the connection was made, so that no server may keep it for longer.
      agent = new Agent({ ...optionsOf(this.settings, proxy), keepAliveMaxTimeout: this.settings.keepAliveMs });
      this.agents.set(proxy, agent);
    }
    return agent;
  }

  /** Ends all connections, and the requests on them. */
  async close(): Promise<void> {
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()));
  }
}

/** The connections to one server outside. */
export class OutgoingPool {
  private readonly pool: Pool;
  private readonly options: Pool.Options;
  private readonly single = new Set<Client>();

  /**
   * @param proxy the proxy that they go through; undefined for none
   * @throws the error of the rule of addresses
   */
  constructor(
    private readonly origin: string,
    settings: OutgoingPoolSettings,
    private readonly proxy: EgressProxy | undefined,
  ) {
    requireAllowed(new URL(origin), settings);
    this.options = optionsOf(settings, proxy);
    this.pool = new Pool(origin, { ...this.options, connections: settings.connections });
  }

  /**
   * Sends a request as it is.
   *
   * @returns when the head of the answer is there
   * @throws the error of the rule of addresses, those of undici, and the reason of the signal
   */
  send(request: PoolRequest): Promise<OutgoingAnswer> {
    return sendThrough(this.pool, through(this.proxy, this.origin, request));
  }

  /** Sends a request as {@link send} does, on a connection of its own, which ends with it. */
  async sendAlone(request: PoolRequest): Promise<OutgoingAnswer> {
    const client = new Client(this.origin, this.options);
    this.single.add(client);
    try {
      return await sendThrough(client, through(this.proxy, this.origin, request));
    } finally {
      // One that was destroyed meanwhile cannot be closed any more.
      if (client.destroyed) this.single.delete(client);
      else void client.close().finally(() => this.single.delete(client));
    }
  }

  /** Closes the connections when their requests have ended. */
  async close(): Promise<void> {
    await this.pool.close();
  }

  /** Ends all connections, and the requests on them. */
  async destroy(): Promise<void> {
    await Promise.all([this.pool, ...this.single].map((connections) => connections.destroy()));
  }
}

/** Names are checked when they are looked up, which addresses in a URL never are. */
function requireAllowed(url: URL, { addresses }: OutgoingSettings): void {
  const host = hostOf(url);
  if (addresses !== undefined && isIP(host) !== 0 && !addresses.allowed.has(host)) throw addresses.refusal();
}

/** A request as it is written on a connection: a proxy is told the whole address of a server of http, and who asks it. */
function through<Request extends Pick<PoolRequest, 'path' | 'headers'>>(
  proxy: EgressProxy | undefined,
  origin: string,
  request: Request,
): Request {
  if (proxy === undefined || origin.startsWith('https:')) return request;
  const { authorization } = proxy;
  return {
    ...request,
    path: `${origin}${request.path}`,
    headers: { ...request.headers, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
  };
}

function optionsOf(
  { connectTimeoutMs, keepAliveMs, maximumHead, addresses }: OutgoingSettings,
  proxy: EgressProxy | undefined,
): Pool.Options {
  return {
    connect: connectorOf(
      {
        timeout: connectTimeoutMs,
        rejectUnauthorized: true,
        ...(addresses !== undefined && { lookup: lookupOf(addresses.allowed, addresses.refusal) }),
      },
      proxy,
    ),
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: maximumHead,
    pipelining: 1,
    // Each request has limits of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}
