import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../../../config/environment.js';
import type { ProviderConnection } from '../../../providers/connections/provider-connection.js';

/** How a sealed text begins. The number is the version of what follows; a later one is not recognized by this release. */
const PREFIX = 'gatehse1';

/** How much of the digests is kept, in digits of base 16, which are letters of both alphabets of Base64: 64 bits and 128 bits. */
const MAKER_LENGTH = 16;
const MAC_LENGTH = 32;

const HEAD_LENGTH = PREFIX.length + MAKER_LENGTH + MAC_LENGTH;

/** A text that only its provider can read, and who made it. */
export interface OpenedThought {
  readonly text: string;
  readonly maker: string;
}

/** Who an answer comes from: what a provider is called with. */
type Maker = Pick<ProviderConnection, 'provider' | 'baseUrl' | 'apiKey' | 'credential'>;

/**
 * Seals of thoughts (docs/interface/inference.md#thoughts-of-earlier-turns): a text that only its provider can read goes to its client with
 * a head that says who made it, a provider at an address under a credential, by a digest that says it to this deployment alone. The seal
 * holds for one organization, and for the text as it is.
 *
 * Layout: `gatehse1`, maker (16 digits of base 16), HMAC-SHA-256 of organization, maker and text (32 digits), the text. A text is sealed
 * without a random part, so that equal answers stay equal.
 */
@Injectable()
export class ThoughtSeals {
  /** The first one seals; the others open what was sealed before the keys were exchanged. */
  private readonly keys: readonly Buffer[];

  constructor({ encryptionKeys }: Environment) {
    // Replicas have a key in common. Without any key a process is alone.
    const secrets = encryptionKeys.length > 0 ? encryptionKeys : [randomBytes(32)];
    this.keys = secrets.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'gatehouse seals of thoughts', 32)));
  }

  /** What seals the texts of one provider for one organization. */
  sealerOf(organizationId: string, connection: Maker): (text: string) => string {
    const [key] = this.keys as readonly [Buffer];
    let maker: string | undefined;
    return (text) => {
      maker ??= makerUnder(key, organizationId, connection);
      return `${PREFIX}${maker}${macUnder(key, organizationId, maker, text)}${text}`;
    };
  }

  /** Whether a text says that it is sealed. Texts from before there were seals are not. */
  isSealed(text: string): boolean {
    return text.startsWith(PREFIX);
  }

  /** @returns undefined for a text that was not sealed so for this organization by this deployment */
  opened(organizationId: string, sealed: string): OpenedThought | undefined {
    const maker = sealed.slice(PREFIX.length, PREFIX.length + MAKER_LENGTH);
    const mac = Buffer.from(sealed.slice(PREFIX.length + MAKER_LENGTH, HEAD_LENGTH));
    if (mac.length !== MAC_LENGTH) return undefined;
    const text = sealed.slice(HEAD_LENGTH);
    const isValid = this.keys.some((key) =>
      timingSafeEqual(mac, Buffer.from(macUnder(key, organizationId, maker, text))),
    );
    return isValid ? { text, maker } : undefined;
  }

  /** What a maker is called in seals: under each of the keys. */
  makersOf(organizationId: string, connection: Maker): ReadonlySet<string> {
    return new Set(this.keys.map((key) => makerUnder(key, organizationId, connection)));
  }
}

/** A credential that changes is another maker: nothing says that it is of the same account. */
function makerUnder(key: Buffer, organizationId: string, { provider, baseUrl, apiKey, credential }: Maker): string {
  const said = JSON.stringify([
    'maker',
    organizationId,
    provider,
    baseUrl,
    apiKey,
    apiKey === null ? credential : null,
  ]);
  return createHmac('sha256', key).update(said).digest('hex').slice(0, MAKER_LENGTH);
}

function macUnder(key: Buffer, organizationId: string, maker: string, text: string): string {
  const head = JSON.stringify(['thought', organizationId, maker]);
  return createHmac('sha256', key).update(head).update(text).digest('hex').slice(0, MAC_LENGTH);
}
