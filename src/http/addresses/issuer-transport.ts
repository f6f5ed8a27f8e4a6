import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import type { PrivateNetworks } from '../../config/network-variables.js';
import { beginningOf } from '../outgoing/outgoing-answer.js';
import { OutgoingClient } from '../outgoing/outgoing-client.js';
import { parseAddress } from './address-form.js';
import { AllowedAddresses } from './allowed-addresses.js';

/** Time limits in milliseconds: of a connection, and of a request with its answer. */
const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 5_000;

/** How long an idle connection is kept, in milliseconds: its address was checked when it was made. */
const KEEP_ALIVE_MS = 10_000;

/** How much of an answer is read, in bytes: the keys of the largest public issuers are some 10 KiB. */
const MAXIMUM_BODY = 262_144;
const MAXIMUM_HEAD = 16_384;

/** Statuses whose answers have no body (Fetch standard). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Why an issuer of tokens gave no answer, without anything of what it answered. */
export class IssuerUnreachable extends Error {}

/** Whether an error says that an issuer gave no answer; libraries wrap what the transport says. */
export function isIssuerUnreachable(error: unknown): boolean {
  if (error instanceof IssuerUnreachable) return true;
  return error instanceof Error && error.cause !== undefined && isIssuerUnreachable(error.cause);
}

/** What of a request of the Fetch standard is sent to an issuer. */
export interface IssuerRequest {
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks servers that issue tokens, whose addresses are settings of organizations: over https, without redirects, for at most five seconds
 * and 256 KiB, and only at public addresses, which are checked for each connection (docs/interface/destinations.md#addresses).
 */
export abstract class TokenServiceTransport implements OnApplicationShutdown {
  private readonly client: OutgoingClient;
  private readonly allowed: AllowedAddresses;

  /** @param privateNetworks the private addresses that are allowed as well, and http to them */
  protected constructor(environment: Environment, privateNetworks: PrivateNetworks) {
    this.allowed = new AllowedAddresses(privateNetworks);
    const refusal = (): Error => new IssuerUnreachable('the address leads into a private network');
    this.client = new OutgoingClient(environment, {
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      keepAliveMs: KEEP_ALIVE_MS,
      maximumHead: MAXIMUM_HEAD,
      addresses: { allowed: this.allowed, refusal },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }

  /** What is wrong with an address that is to be asked later, as far as its text says. @returns undefined for one that may be asked */
  issueOf(url: string): string | undefined {
    return parseAddress(url, 'url', this.allowed).issue;
  }

  /**
   * Sends a request as the `fetch` of the Fetch standard does, so that libraries can use it.
   *
   * @throws IssuerUnreachable for an address that is not allowed, and without a whole answer in time
   */
  async fetch(url: string, { method = 'GET', headers = {}, body, signal }: IssuerRequest = {}): Promise<Response> {
    const issue = this.issueOf(url);
    if (issue !== undefined) throw new IssuerUnreachable(`the address ${issue}`);
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    try {
      const answer = await this.client.send(url, {
        method,
        headers,
        body,
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const { bytes, isWhole } = await beginningOf(answer.body, MAXIMUM_BODY);
      if (!isWhole) throw new IssuerUnreachable('its answer is too large');
      const names = Object.entries(answer.headers).flatMap(([name, value]) =>
        [value].flat().flatMap((one): [string, string][] => (one === undefined ? [] : [[name, one]])),
      );
      return new Response(WITHOUT_BODY.has(answer.status) ? null : bytes, {
        status: answer.status,
        headers: names,
      });
    } catch (error) {
      throw unreachable(error);
    }
  }

  /**
   * Reads a JSON object.
   *
   * @throws IssuerUnreachable for any other answer, too
   */
  async json(url: string): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.fetch(url, { headers: { accept: 'application/json' } });
    if (answer.status !== 200) throw new IssuerUnreachable(`it answered ${answer.status}`);
    const value: unknown = await answer.json().catch(() => undefined);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new IssuerUnreachable('its answer is no JSON object');
    }
    return value as Readonly<Record<string, unknown>>;
  }
}

/** Asks identity providers, and issuers of tokens that are exchanged. OIDC_ALLOW_PRIVATE_ISSUERS allows private addresses. */
@Injectable()
export class IssuerTransport extends TokenServiceTransport {
  constructor(environment: Environment) {
    super(environment, environment.oidcAllowPrivateIssuers);
  }
}

/** What a failure of the network says, without the address. */
function unreachable(error: unknown): IssuerUnreachable {
  if (error instanceof IssuerUnreachable) return error;
  const { name, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  if (cause instanceof IssuerUnreachable) return cause;
  return new IssuerUnreachable(
    name === 'TimeoutError' ? 'it did not answer in time' : `no connection (${code ?? name})`,
  );
}
