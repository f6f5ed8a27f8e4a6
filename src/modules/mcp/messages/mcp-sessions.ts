import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ApiKeyPrincipal } from '../../../auth/principal.js';
import { isObject } from '../../../http/validation/constraints.js';
import { Cipher } from '../../encryption/cipher.js';
import type { PairedSession } from '../sessions/paired-session.js';

/** How long a session may be used, in milliseconds. */
const SESSION_MS = 86_400_000;

/** How many sessions are remembered that their clients have ended. */
const ENDED = 10_000;

/** A session of a client of a revision with a handshake. */
export interface McpSession {
  /** Differs from that of every other session. */
  readonly id: string;
  readonly revision: string;
  /** The session at the server that goes with it; undefined where there is none. */
  readonly paired: PairedSession | undefined;
}

/**
 * The sessions of clients of revisions with a handshake: what is known of one is sealed in its id, so that every replica knows it and
 * none stores it (docs/interface/mcp.md#sessions).
 */
@Injectable()
export class McpSessions {
  /** The ids of sessions that were ended here: what is answered without a server would not know it. */
  private readonly ended = new LRUCache<string, true>({ max: ENDED, ttl: SESSION_MS });

  constructor(private readonly cipher: Cipher) {}

  /** The id of a new session. @param path which endpoint it is of: the name of a server, or empty */
  opened(caller: ApiKeyPrincipal, path: string, { revision, paired }: Omit<McpSession, 'id'>): string {
    const session = { id: randomUUID(), revision, paired, until: Date.now() + SESSION_MS };
    return this.cipher.seal(dataOf(caller, path), session).toString('base64url');
  }

  /** What an id says. @returns undefined for one of another key or endpoint, one that is over, and for what is no id */
  read(caller: ApiKeyPrincipal, path: string, sealed: string): McpSession | undefined {
    try {
      const session = this.cipher.open(dataOf(caller, path), Buffer.from(sealed, 'base64url'));
      if (!isObject(session) || (session['until'] as number) < Date.now()) return undefined;
      const { id, revision, paired } = session as unknown as McpSession;
      return this.ended.has(id) ? undefined : { id, revision, paired };
    } catch {
      return undefined;
    }
  }

  /** Ends a session at this replica. */
  end({ id }: Pick<McpSession, 'id'>): void {
    this.ended.set(id, true);
  }
}

function dataOf({ organizationId, credentialId }: ApiKeyPrincipal, path: string): string[] {
  return ['mcp_session', organizationId, credentialId, path];
}
