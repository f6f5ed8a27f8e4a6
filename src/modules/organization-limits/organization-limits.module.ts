import { Global, Module } from '@nestjs/common';
import { LargeRows } from './large-rows.js';
import { Quotas } from './quotas.js';

/** Limits on what one organization stores and reads (docs/limits.md). */
@Global()
@Module({ providers: [LargeRows, Quotas], exports: [LargeRows, Quotas] })
export class OrganizationLimitsModule {}
