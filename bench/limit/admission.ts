import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { Batcher, type Outcome } from '../../src/concurrency/batcher.js';
import { decisionOf } from '../../src/modules/spend/admission-decision.js';
import { ADMISSION_STATE, admissionStateValues } from '../../src/modules/spend/admission-state.repository.js';
import { textOfUnits } from '../../src/modules/spend/decimal-amount.js';
import { OpenLimits } from '../../src/modules/spend/open-limits.js';
import { INSERT_RESERVATIONS, LOCK_ADMISSIONS, RENEW_LEASE } from '../../src/modules/spend/reservations.repository.js';
import { Spenders, type SpendingRequest } from '../../src/modules/spend/spenders.js';
import { rows } from './rows.js';
import { type ChatBody, worstCaseOf } from './worst-case.js';

/** A request to which a limit applies. */
export interface LimitAdmission extends SpendingRequest {
  readonly organizationId: string;
  readonly generationId: string;
  readonly body: ChatBody;
}

/** As many as the service admits in one transaction. */
const MAXIMUM_BATCH_SIZE = 200;

/** The lease of the service: for how many seconds it is good, and after how many milliseconds it is renewed. */
const LEASE_SECONDS = 30;
const RENEWAL_MS = 5_000;

const processId = randomUUID();

let lease: Promise<unknown> | undefined;

let admissions: Batcher<LimitAdmission, void> | undefined;

/** Reserves what a request may cost at most. Requests that wait are admitted together, as in the service. */
export async function admit(pool: Pool, request: LimitAdmission): Promise<void> {
  admissions ??= new Batcher((organizationId, requests) => reserve(pool, organizationId, requests), MAXIMUM_BATCH_SIZE);
  await admissions.run(request.organizationId, request);
}

async function reserve(
  pool: Pool,
  organizationId: string,
  requests: readonly LimitAdmission[],
): Promise<readonly Outcome<void>[]> {
  await (lease ??= holdLease(pool));
  const spenders = new Spenders(requests);
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await rows(client, LOCK_ADMISSIONS, [organizationId]);
    const [state] = await rows(client, ADMISSION_STATE, admissionStateValues(organizationId, spenders.all));
    const open = new OpenLimits(state!.limits ?? [], state!.reserved ?? []);
    const reservations = requests.map(({ body, ...request }, index) => {
      const number = spenders.numberOf(requests[index]!);
      const decision = decisionOf(worstCaseOf(body), open.of(number));
      if (!('fits' in decision)) throw decision;
      open.take(number, decision);
      return {
        ...request,
        processId,
        amountUsd: textOfUnits(decision.amount),
        byokAmountUsd: textOfUnits(decision.byokAmount),
        request: {
          requestId: request.generationId,
          requestedModel: body.model,
          model: body.model,
          apiType: 'completions',
          streamed: false,
        } as const,
      };
    });
    await rows(client, INSERT_RESERVATIONS, INSERT_RESERVATIONS.values(reservations));
    await client.query('COMMIT');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
  return requests.map(() => ({ status: 'fulfilled', value: undefined }));
}

/** Says that the process lives, now and from now on. */
function holdLease(pool: Pool): Promise<unknown> {
  const renew = (): Promise<unknown> => rows(pool, RENEW_LEASE, [processId, LEASE_SECONDS]);
  setInterval(() => void renew(), RENEWAL_MS).unref();
  return renew();
}
