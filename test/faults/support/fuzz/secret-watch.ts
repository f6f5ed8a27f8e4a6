import type { Scene } from '../scene.js';
import { DESTINATION_CREDENTIAL } from '../secret-search.js';

/** The random part of a credential with its checksum, and a code's: what is as long may be one without its prefix. */
const CREDENTIAL = /[0-9a-f]{72}/g;

/** Where an answer tells a credential, and nowhere else (SERVICE.md, sections 2.4 and 4.3; the contract's code). */
const TOLD: Readonly<Record<string, (body: Record<string, unknown>) => unknown>> = {
  exchangeAuthCodeForAPIKey: (body) => body['key'],
  createAuthKeysCode: (body) => (body['data'] as Record<string, unknown> | undefined)?.['id'],
};

/** An answer, and what was asked. */
export interface WatchedAnswer {
  readonly operationId: string;
  readonly status: number;
  /** Headers and body. */
  readonly text: string;
  /** The parsed body; undefined where it is no JSON object. */
  readonly body: Record<string, unknown> | undefined;
  /** All of the request but its Authorization header: what its sender has written there is no news. */
  readonly request: string;
}

/** Looks for credentials in answers. Learns of the new ones where answers are there to tell them. */
export class SecretWatch {
  readonly leaks: string[] = [];
  readonly codes: string[] = [];
  readonly keys: string[] = [];

  constructor(private readonly scene: Scene) {}

  look({ operationId, status, text, body, request }: WatchedAnswer): void {
    const told = status === 200 && body !== undefined ? TOLD[operationId]?.(body) : undefined;
    let rest = text;
    if (typeof told === 'string') {
      this.scene.keepSecret(told);
      (operationId === 'createAuthKeysCode' ? this.codes : this.keys).push(told);
      // Once, which is where it belongs.
      rest = text.replace(told, '');
    }
    for (const [candidate] of rest.matchAll(CREDENTIAL)) {
      if (!request.includes(candidate)) this.leaks.push(`${operationId}: ${candidate.slice(0, 12)}...`);
    }
    if (DESTINATION_CREDENTIAL.test(rest)) this.leaks.push(`${operationId}: a destination's credential`);
  }
}
