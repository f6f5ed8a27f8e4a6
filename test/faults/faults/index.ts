import type { Fault } from '../support/fault.js';
import { BUDGETS_KILLED } from './budgets-killed.js';
import { BUDGETS_UNDER_LOAD } from './budgets-under-load.js';
import { DATABASE_GONE } from './database-gone.js';
import { DELETED_KEYS } from './deleted-keys.js';
import { DELIVERIES_KILLED } from './deliveries-killed.js';
import { EQUAL_MAPPINGS } from './equal-mappings.js';
import { FIRST_START } from './first-start.js';
import { FUZZ_BYTES } from './fuzz-bytes.js';
import { FUZZ_INTERFACE } from './fuzz-interface.js';
import { HOSTILE_ANSWERS } from './hostile-answers.js';
import { HOSTILE_TENANT, HOSTILE_TENANT_TWO_REPLICAS } from './hostile-tenant.js';
import { KILL_NINE } from './kill-nine.js';
import { LIMITS_UNDER_LOAD } from './limits-under-load.js';
import { ONE_CODE } from './one-code.js';
import { POOL_EXHAUSTED } from './pool-exhausted.js';
import { REDIS_GONE } from './redis-gone.js';
import { SHARED_RATE_LIMIT } from './shared-rate-limit.js';
import { SLOW_CLIENTS_FAULT } from './slow-clients.js';
import { STOP_UNDER_LOAD } from './stop-under-load.js';
import { STOP_WITHOUT_DATABASE } from './stop-without-database.js';

/**
 * Every fault, in the order in which they run. Those of one row run at the same time: they mostly wait, and none of them
 * stops the PostgreSQL that all use.
 */
export const ROWS: readonly (readonly Fault[])[] = [
  [KILL_NINE, SLOW_CLIENTS_FAULT, BUDGETS_KILLED, LIMITS_UNDER_LOAD],
  [DELIVERIES_KILLED],
  [DATABASE_GONE],
  [STOP_WITHOUT_DATABASE],
  [POOL_EXHAUSTED, REDIS_GONE, STOP_UNDER_LOAD],
  [HOSTILE_ANSWERS],
  [HOSTILE_TENANT],
  [HOSTILE_TENANT_TWO_REPLICAS],
  [BUDGETS_UNDER_LOAD],
  [DELETED_KEYS],
  [ONE_CODE],
  [EQUAL_MAPPINGS],
  [SHARED_RATE_LIMIT],
  [FIRST_START],
  [FUZZ_INTERFACE, FUZZ_BYTES],
];
