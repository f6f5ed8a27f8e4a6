export { IdempotencyModule } from './idempotency.module.js';
