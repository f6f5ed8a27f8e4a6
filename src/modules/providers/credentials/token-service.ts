import { readFile } from 'node:fs/promises';
import type { Environment } from '../../../config/environment.js';
import { beginningOf, type OutgoingAnswer } from '../../../http/outgoing/outgoing-answer.js';
import { OutgoingClient } from '../../../http/outgoing/outgoing-client.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import { withoutSecrets } from '../../codecs/errors/secret-parts.js';
import { parsedIfJson } from '../../../http/input/json-bounds.js';
import { isObject } from '../../../http/validation/constraints.js';

/** How long a token service may take, in milliseconds, and one on the machine itself, which is near. */
const REQUEST_MS = 10_000;
const MACHINE_REQUEST_MS = 3_000;

/** How long making a connection may take and an idle one stays, in milliseconds, and the longest head of an answer. */
const CONNECTIONS = { connectTimeoutMs: 5_000, keepAliveMs: 4_000, maximumHead: 32_768, addresses: undefined };

/** The longest answer, and the longest of its own words that a message has. */
const MAXIMUM_ANSWER = 65_536;
const MAXIMUM_REASON = 300;

/** A request to a token service. */
export interface TokenRequest {
  /** Whose it is, in a message. */
  readonly service: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  /** A form is sent as one, a text as it is. */
  readonly body?: Readonly<Record<string, string>> | string;
  /** Whether it is a service of the machine. */
  readonly isOnMachine?: boolean;
  /** What the reason of a refusal must not show. */
  readonly secrets?: readonly string[];
}

/** The answer of a token service. */
export interface TokenAnswer {
  readonly text: string;
  readonly headers: OutgoingAnswer['headers'];
  /** The fields of a JSON object; empty for another text. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Asks token services, whose addresses are those of the clouds or were set by the operator. */
export class TokenServices {
  private readonly client: OutgoingClient;

  constructor(environment: Pick<Environment, 'egressProxies'>) {
    this.client = new OutgoingClient(environment, CONNECTIONS);
  }

  /**
   * Asks for a token, without following redirects.
   *
   * @throws ProviderError 503 where the service does not answer, 401 with its own reason where it refuses the credential
   */
  async ask(request: TokenRequest): Promise<TokenAnswer> {
    const { service } = request;
    const { status, ...answer } = await this.answerTo(request).catch((error: unknown) => {
      throw tokenServiceAway(service, error);
    });
    if (status >= 200 && status < 300) return answer;
    if (status >= 500 || status === 429) throw tokenServiceAway(service);
    throw new ProviderError(
      'refused',
      `The token service of ${service} refuses the credential: ${reasonOf(answer, status, request)}`,
      { status: 401 },
    );
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async answerTo(request: TokenRequest): Promise<TokenAnswer & { readonly status: number }> {
    const { url, method, headers = {}, body, isOnMachine = false } = request;
    const isForm = typeof body === 'object';
    const {
      status,
      headers: given,
      body: content,
    } = await this.client.send(url, {
      method,
      headers: { ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
      body: isForm ? new URLSearchParams(body).toString() : body,
      isNear: isOnMachine,
      signal: AbortSignal.timeout(isOnMachine ? MACHINE_REQUEST_MS : REQUEST_MS),
    });
    const { bytes, isWhole } = await beginningOf(content, MAXIMUM_ANSWER);
    if (!isWhole) throw new Error('the answer is too long');
    const text = bytes.toString();
    const value = parsedIfJson(text);
    return { status, text, headers: given, fields: isObject(value) ? value : {} };
  }
}

/** Reads a file that holds a token, each time anew: the platform replaces it before the token ends. @throws ProviderError if it cannot be read */
export async function tokenFile(service: string, path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new ProviderError('refused', `The file with the token for ${service} cannot be read.`, {
      status: 401,
      cause: error,
    });
  }
}

/** A setting is missing that the environment should have. */
export function missingSetting(name: string): ProviderError {
  return new ProviderError('refused', `The variable ${name} is not set.`, { status: 401 });
}

/** A token service gave no answer that can be used: this provider cannot be called, and another one may be. */
export function tokenServiceAway(service: string, cause?: unknown): ProviderError {
  return new ProviderError('refused', `The token service of ${service} does not answer.`, { status: 503, cause });
}

/** A token as a part of a header. @throws ProviderError for what cannot be one */
export function issuedToken(service: string, value: unknown): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) throw tokenServiceAway(service);
  return value;
}

/** A number, which some of these services write as a text. @returns undefined for anything else */
export function numberIn(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The words of OAuth 2.0 (RFC 6749, section 5.2), of Google's and of Amazon's services. */
function reasonOf({ fields, text }: TokenAnswer, status: number, { secrets = [] }: TokenRequest): string {
  const { error, error_description: description, message } = fields;
  const nested = isObject(error) ? error['message'] : undefined;
  const xml = /<Message>([^<]*)<\/Message>/.exec(text)?.[1];
  const words = [error, description, nested, message, xml].filter((word) => typeof word === 'string' && word !== '');
  return withoutSecrets(words.length === 0 ? `status ${status}` : words.join(': '), secrets, MAXIMUM_REASON);
}
