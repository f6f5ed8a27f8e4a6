import { setTimeout as delay } from 'node:timers/promises';
import { rounded } from '../support/statistics.js';
import type { TestBed } from './test-bed.js';
import type { GatewayRow } from './measure.js';
import { gatewayAt, readStream } from './streams.js';

const STREAMS = 200;

/** Longer than it takes to open all of them and to look. */
const STREAM = '60 chunks every 100 ms';

const SETTLING_MS = 2_000;

/** Resident memory of a service that has answered nothing yet, and with many streams open at once. */
export async function measureOpenStreams(testBed: TestBed): Promise<GatewayRow[]> {
  const service = await testBed.startService();
  const source = gatewayAt(service.origin, testBed.tenant.api_key);
  await readStream(source, '2 chunks every 10 ms');
  await delay(SETTLING_MS);
  const idle = service.residentMemory();
  let begun = 0;
  let report = (): void => undefined;
  const allBegun = new Promise<void>((resolve) => (report = resolve));
  const streams = Array.from({ length: STREAMS }, () =>
    readStream(source, STREAM, () => {
      begun += 1;
      if (begun === STREAMS) report();
    }),
  );
  await Promise.race([allBegun, Promise.all(streams)]);
  await delay(SETTLING_MS);
  const open = service.residentMemory();
  await Promise.all(streams);
  const difference = `+${rounded(open - idle, 0)}`;
  return [[`${STREAMS} open streams, MiB`, rounded(open, 0), rounded(idle, 0), difference, '< +100']];
}
