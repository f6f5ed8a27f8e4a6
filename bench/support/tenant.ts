import { createHash } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/app.module.js';
import { makeDemonstration } from '../../src/cli/demo/demonstration.js';
import type { Demonstration } from '../../src/cli/demo/demonstration.js';
import { readEnvironment } from '../../src/config/environment.js';
import { composeSecret } from '../../src/modules/keys/credentials/key-format.js';
import { ServiceLogger } from '../../src/telemetry/logging/service-logger.js';
import { BENCH_ENCRYPTION_KEY } from './constants.js';
import type { BenchDatabase } from './database.js';

/** The organization that a benchmark acts for: what `gatehouse demo` makes. */
export async function makeTenant(database: BenchDatabase): Promise<Demonstration> {
  const environment = readEnvironment({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: BENCH_ENCRYPTION_KEY.toString('base64'),
  });
  const logger = new ServiceLogger('silent');
  const module = AppModule.forRoot({ environment, databaseUrl: database.url, logger });
  const context = await NestFactory.createApplicationContext(module, { logger });
  try {
    return await makeDemonstration(context, environment);
  } finally {
    await context.close();
  }
}

/** The SHA-256 of a fictitious secret, as the database stores it. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** A fictitious authorization code of the tenant, the same one for the same number. */
export function codeOf({ organization_id: organizationId }: Demonstration, number: number): string {
  const random = createHash('sha256').update(`bench-code-${number}`).digest();
  return composeSecret('authorization_code', organizationId, random);
}

/** A fictitious UUID, the same one for the same name; in PostgreSQL `md5(name)::uuid`. */
export function uuidOf(name: string): string {
  const hex = createHash('md5').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
