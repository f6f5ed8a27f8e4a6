import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';

/** The names of gateways of this kind in a `Via`. */
const GATEWAY_NAMES = /\bgatehouse-[\da-f]{16}\b/g;

/**
 * How often a request may have come through this deployment before. Once is what an endpoint does that stands for another model of the same
 * gateway; a loop comes back again.
 */
const PASSES = 1;

/** How many names of a `Via` are read and passed on: the last ones, of which a loop has more than it needs. */
const MAXIMUM_NAMES = 32;

/**
 * The header `Via` (RFC 9110, section 7.6.3) of requests to providers, by which a request that comes back is known
 * (docs/interface/inference.md#loops). It has the gateways that the request has come through, each by a name that says nothing of it; what
 * other proxies have added is not passed on.
 */
@Injectable()
export class ViaHeader {
  /** The names of this deployment: the first is the one that it goes by, the others are those under earlier keys. */
  private readonly names: readonly string[];

  constructor({ encryptionKeys }: Environment) {
    // Replicas have a key in common, and deployments have different ones. Without any key a process is alone.
    const keys = encryptionKeys.length > 0 ? encryptionKeys : [randomBytes(32)];
    this.names = keys.map(nameOf);
  }

  /** Whether a request comes back to this deployment again and again. @param received its `Via` */
  isOfLoop(received: string | undefined): boolean {
    return gatewaysIn(received).filter((name) => this.names.includes(name)).length > PASSES;
  }

  /** The `Via` with which a request is sent on. @param received that of the client's request; undefined for none */
  sentAfter(received: string | undefined): string {
    return [...gatewaysIn(received), this.names[0]!].map((name) => `1.1 ${name}`).join(', ');
  }
}

function gatewaysIn(received = ''): readonly string[] {
  return (received.match(GATEWAY_NAMES) ?? []).slice(-MAXIMUM_NAMES);
}

function nameOf(key: Buffer): string {
  return `gatehouse-${createHmac('sha256', key).update('gatehouse via').digest('hex').slice(0, 16)}`;
}
