import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';

const WINDOW_MS = 60_000;

/** The records of one organization in the present minute. */
interface CountedRecords {
  total: number;
  /** The counts, by the id of the key. */
  readonly ofKeys: Map<string, number>;
}

/**
 * Bounds how many records early refusals get in a minute, by the clock, in each process (docs/limits.md#records-of-refusals): writing
 * one costs more than refusing does. Each organization has a share of its own, and of it each key.
 */
@Injectable()
export class RefusalRecordLimit {
  private window = 0;
  private counts = new Map<string, CountedRecords>();

  constructor(private readonly environment: Environment) {}

  /** Whether a refusal of a key gets a record, which is then counted. */
  take({ organizationId, credentialId }: Pick<ApiKeyPrincipal, 'organizationId' | 'credentialId'>): boolean {
    const window = Math.floor(Date.now() / WINDOW_MS);
    if (window !== this.window) {
      this.window = window;
      this.counts = new Map();
    }
    const { refusalRecordsPerKey, refusalRecordsPerOrganization } = this.environment;
    const counted = this.counts.get(organizationId) ?? { total: 0, ofKeys: new Map<string, number>() };
    const ofKey = counted.ofKeys.get(credentialId) ?? 0;
    // Nothing is remembered of keys beyond the bound of their organization.
    if (counted.total >= refusalRecordsPerOrganization || ofKey >= refusalRecordsPerKey) return false;
    counted.total += 1;
    counted.ofKeys.set(credentialId, ofKey + 1);
    this.counts.set(organizationId, counted);
    return true;
  }
}
