import { GenerationsService, type NewGeneration } from '../../../src/modules/generations/generations.service.js';
import type { GenerationDetails } from '../../../src/modules/generations/generation-details.js';
import { UsageRollUpService } from '../../../src/modules/usage/totals/usage-roll-up.service.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { chargedGeneration, keepRecordsOf } from '../inference/spend/charged-generation.js';

const DAY_MS = 86_400_000;

/** What a test says of a record; the rest does not matter to it. */
export interface UsedGeneration extends Partial<Omit<NewGeneration, 'details'>> {
  readonly endpoint?: string;
  readonly details?: Partial<GenerationDetails>;
}

/** A request that was refused before a provider was asked. */
export const REFUSED: UsedGeneration = {
  status: 400,
  provider: null,
  costUsd: '0',
  promptTokens: null,
  completionTokens: null,
};

/** A request that its provider has not answered. */
export const FAILED: UsedGeneration = { ...REFUSED, status: 503, provider: 'alpha' };

/** The beginning of the day (UTC) before a number of days. @param later in milliseconds after it */
export function dayBefore(days: number, later = 0): Date {
  return new Date((Math.floor(Date.now() / DAY_MS) - days) * DAY_MS + later);
}

/** A day as YYYY-MM-DD. */
export function dateOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}

/** Makes the partitions of the month before a number of days. */
export async function keepRecordsBefore(app: TestApplication, days: number): Promise<void> {
  await keepRecordsOf(app, dateOf(dayBefore(days)).slice(0, 7));
}

/** Adds what was recorded to the totals, as the service does every few seconds. */
export async function rollUpUsage(app: TestApplication): Promise<void> {
  await app.application.get(UsageRollUpService).rollUp();
}

/**
 * Records an answer of a provider to each of some requests of a key, half of them at once. The first half is then added to the totals, so
 * that what is read has parts of both kinds.
 */
export async function recordUsed(
  app: TestApplication,
  organization: NewOrganization,
  key: IssuedCredential,
  records: readonly UsedGeneration[],
): Promise<void> {
  const middle = Math.ceil(records.length / 2);
  await recordAtOnce(app, organization, key, records.slice(0, middle));
  await rollUpUsage(app);
  await recordAtOnce(app, organization, key, records.slice(middle));
}

async function recordAtOnce(
  app: TestApplication,
  organization: NewOrganization,
  key: IssuedCredential,
  records: readonly UsedGeneration[],
): Promise<void> {
  const generations = app.application.get(GenerationsService);
  await Promise.all(
    records.map(({ endpoint, details, ...fields }) => {
      const { provider = 'alpha', model = 'acme/writer', isByok = false } = fields;
      const sample = chargedGeneration(organization, key, { ...fields, provider, model });
      const attempt = {
        provider: provider!,
        providerName: 'Alpha Cloud',
        model,
        endpoint: endpoint ?? provider!,
        status: 200,
        isByok,
        latencyMs: 1,
      };
      return generations.record({
        ...sample,
        details: { ...sample.details, attempts: provider === null ? [] : [attempt], ...details },
      });
    }),
  );
}
