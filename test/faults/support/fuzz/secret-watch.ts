import { DISCLOSED_CREDENTIALS } from '../../../operations/disclosed-credentials.js';
import type { Scene } from '../scene.js';
import { DESTINATION_CREDENTIAL } from '../secret-search.js';

/** The random part of a credential with its checksum, and a code's: what is as long may be one without its prefix. */
const CREDENTIAL = /(?<![0-9a-f])[0-9a-f]{72}(?![0-9a-f])/g;

/** A credential in plaintext, or a code. */
const DISCLOSED_CREDENTIAL = /^(mk|sk|cs|pv|ac)-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}$/;

/** Every place in which some operation returns a credential. */
const ALL_PLACES = [...new Set(Object.values(DISCLOSED_CREDENTIALS).flat())];

/** How much of an answer ahead of a leak says where it is. */
const CONTEXT = 100;

/** An answer, and what was asked. */
export interface WatchedAnswer {
  /** Undefined where it is not known which operation has answered. */
  readonly operationId: string | undefined;
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
  /** What requests have written into presets, whose configurations are answered as they were sent. */
  private readonly writtenIntoPresets = new Set<string>();

  constructor(private readonly scene: Scene) {}

  look({ operationId, status, text, body, request }: WatchedAnswer): void {
    if (operationId?.startsWith('createPresets') === true && status < 300) {
      for (const [candidate] of request.matchAll(CREDENTIAL)) this.writtenIntoPresets.add(candidate);
    }
    let rest = text;
    for (const credential of status < 300 ? disclosedBy(operationId, body) : []) {
      this.scene.keepSecret(credential);
      if (credential.startsWith('ac-')) this.codes.push(credential);
      // Once, which is where it belongs.
      rest = rest.replace(credential, '');
    }
    for (const { 0: candidate, index } of rest.matchAll(CREDENTIAL)) {
      const before = rest.slice(Math.max(0, index - CONTEXT), index);
      if (!request.includes(candidate) && !this.writtenIntoPresets.has(candidate))
        this.leaks.push(`${operationId}: ${before}[here]`);
    }
    if (DESTINATION_CREDENTIAL.test(rest)) this.leaks.push(`${operationId}: a destination's credential`);
  }
}

function disclosedBy(operationId: string | undefined, body: unknown): string[] {
  const places = operationId === undefined ? ALL_PLACES : (DISCLOSED_CREDENTIALS[operationId] ?? []);
  return places.flatMap((place) => {
    const value = valueAt(body, place);
    return typeof value === 'string' && DISCLOSED_CREDENTIAL.test(value) ? [value] : [];
  });
}

/** @param place as `data.id` */
function valueAt(body: unknown, place: string): unknown {
  return place.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);
}
