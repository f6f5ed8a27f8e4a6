import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotentRequests } from '../../http/idempotency/idempotent-requests.js';
import { IdempotencyKeyEntity } from './entities/idempotency-key.entity.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';
import { IdempotentRequestsService } from './idempotent-requests.service.js';

/** Requests that are done once, however often they are sent (docs/interface/conventions.md#idempotency-keys). */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKeyEntity])],
  providers: [IdempotencyKeysRepository, { provide: IdempotentRequests, useClass: IdempotentRequestsService }],
  exports: [IdempotentRequests],
})
export class IdempotencyModule {}
