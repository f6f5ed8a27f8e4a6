import { Injectable } from '@nestjs/common';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { Cipher } from '../encryption/cipher.js';
import { isMask, isMaskOf, maskCredential } from '../encryption/credential-mask.js';
import { EncryptedColumn } from '../encryption/encrypted-column.js';
import { EncryptedTables } from '../encryption/encrypted-tables.js';
import { MASKED_CREDENTIAL } from '../encryption/encryption.errors.js';
import { joinPath, type IssueWithReason } from '../../http/errors/issue.js';
import { CREDENTIALS_REQUIRED } from '../observability/observability.errors.js';
import type { InspectorEntity, SecretMasks } from './entities/inspector.entity.js';
import { InspectorsRepository, type StoredInspectorSecrets } from './inspectors.repository.js';

/** What an inspector is shown, and what signs requests to it. */
export interface InspectorSecrets {
  readonly apiKey: string | null;
  /** The secrets that sign requests (Standard Webhooks), the newest first, separated by spaces. */
  readonly signingSecret: string | null;
  /** Further headers, by their names as they were given. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The secrets of a request; what it leaves out is as it was. */
export interface GivenSecrets {
  readonly api_key?: string | null | undefined;
  readonly signing_secret?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | null | undefined;
}

export const NO_SECRETS: InspectorSecrets = { apiKey: null, signingSecret: null, headers: {} };

/** What is shown of secrets. */
export function masksOf({ apiKey, signingSecret, headers }: InspectorSecrets): SecretMasks {
  return {
    apiKey: apiKey === null ? null : maskCredential(apiKey),
    signingSecret: signingSecret === null ? null : maskCredential(signingSecret),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskCredential(value)])),
  };
}

/** Whether there is any. */
function hasSecrets({ apiKey, signingSecret, headers }: InspectorSecrets): boolean {
  return apiKey !== null || signingSecret !== null || Object.keys(headers).length > 0;
}

/** Secrets as a request changes them, and what is wrong with it. */
interface ChangedSecrets {
  readonly secrets: InspectorSecrets;
  readonly issues: readonly IssueWithReason[];
}

/**
 * Applies a request to secrets: one that it leaves out stays, null removes it, headers are replaced as a whole. The mask of a stored one keeps
 * that.
 *
 * @param isNewOrigin whether requests go to another origin from now on; then none may stay, because it would be sent there
 */
export function changedSecrets(stored: InspectorSecrets, given: GivenSecrets, isNewOrigin: boolean): ChangedSecrets {
  const issues: IssueWithReason[] = [];
  const keep = (path: string, known: string): string => {
    if (isNewOrigin) issues.push(CREDENTIALS_REQUIRED.at(path));
    return known;
  };
  const changed = (path: string, value: string | null | undefined, known: string | null): string | null => {
    if (value === null) return null;
    if (value === undefined) return known === null ? null : keep(path, known);
    if (known !== null && isMaskOf(value, known)) return keep(path, known);
    if (isMask(value)) issues.push(MASKED_CREDENTIAL.at(path));
    return value;
  };
  const known = new Map(Object.entries(stored.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const headers = given.headers === undefined ? masksOf(stored).headers : (given.headers ?? {});
  const secrets = {
    apiKey: changed('api_key', given.api_key, stored.apiKey),
    signingSecret: changed('signing_secret', given.signing_secret, stored.signingSecret),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const path = joinPath('headers', name.toWellFormed());
        return [name, changed(path, value, known.get(name.toLowerCase()) ?? null)!];
      }),
    ),
  };
  return { secrets, issues };
}

type SecretsBinding = Omit<StoredInspectorSecrets, 'encryptedSecrets'>;

/** The secrets of inspectors, bound to organization, id, protocol and address. */
@Injectable()
export class EncryptedInspectorSecrets extends EncryptedColumn<
  'encryptedSecrets',
  SecretsBinding,
  StoredInspectorSecrets,
  InspectorSecrets
> {
  readonly name = 'inspectors';
  protected readonly column = 'encryptedSecrets';

  constructor(
    tables: EncryptedTables,
    cipher: Cipher,
    private readonly repository: InspectorsRepository,
    private readonly logger: ServiceLogger,
  ) {
    super(tables, cipher);
  }

  /** @returns null for no secrets */
  encryptedOrNull(row: SecretsBinding, secrets: InspectorSecrets): Buffer | null {
    return hasSecrets(secrets) ? this.encrypted(row, secrets) : null;
  }

  /** @returns undefined for those that cannot be decrypted, which is logged with the id of the inspector */
  of(inspector: InspectorEntity): InspectorSecrets | undefined {
    const { encryptedSecrets } = inspector;
    if (encryptedSecrets === null) return NO_SECRETS;
    try {
      return this.decrypted({ ...inspector, encryptedSecrets });
    } catch (error) {
      this.logger.warn(`the secrets of inspector ${inspector.id} cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  }

  async replace(row: StoredInspectorSecrets, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceSecrets(row, bytes);
  }

  protected stored(): AsyncIterable<StoredInspectorSecrets> {
    return this.repository.everySecret();
  }

  protected boundTo({ organizationId, id, protocol, url }: SecretsBinding): readonly string[] {
    return ['inspector', organizationId, id, protocol, url ?? ''];
  }
}
