import { Injectable } from '@nestjs/common';
import { Cipher, UNBOUND_FORMAT } from '../../encryption/cipher.js';
import type { DestinationConfig } from '../config-mask.js';

/** The row of a configuration, which is authenticated with it and needed to decrypt it. */
export interface ConfigBinding {
  readonly organizationId: string;
  readonly workspaceId: string;
  /** The id of the destination. */
  readonly id: string;
  /** The type of the destination, which says which settings are credentials. */
  readonly type: string;
}

/**
 * Encrypts the configurations of destinations at rest. Organization, workspace, id and type of the destination are
 * authenticated along with it, so that a configuration cannot be decrypted in another row, or after its row was moved to
 * another organization, workspace or type.
 */
@Injectable()
export class ConfigCipher extends Cipher {
  encrypt(owner: ConfigBinding, config: DestinationConfig): Buffer {
    return this.seal(dataOf(owner), config);
  }

  /**
   * Decrypts a configuration of the present format.
   *
   * @throws Error when no key fits, or the bytes or the owner are not those that were encrypted
   */
  decrypt(owner: ConfigBinding, bytes: Buffer): DestinationConfig {
    return this.open(dataOf(owner), bytes) as DestinationConfig;
  }

  /**
   * Decrypts a configuration of the format of earlier releases.
   *
   * @param id the id of the destination
   * @throws Error as `decrypt` does
   */
  decryptUnbound(id: string, bytes: Buffer): DestinationConfig {
    return this.decryptAs(UNBOUND_FORMAT, Buffer.from(id), bytes) as DestinationConfig;
  }
}

function dataOf({ organizationId, workspaceId, id, type }: ConfigBinding): readonly string[] {
  return ['observability_destination', organizationId, workspaceId, id, type];
}
