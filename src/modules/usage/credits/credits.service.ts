import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { CreditsRepository } from './credits.repository.js';
import type { CreditsResponse } from './dto/credits.dto.js';

/** What an organization may spend, and what it has spent (docs/interface/usage.md#credits). */
@Injectable()
export class CreditsService {
  constructor(private readonly repository: CreditsRepository) {}

  /** US dollars, each the double next to the exact sum. Budgets together can be more than the largest double. */
  async get({ organizationId }: ManagementPrincipal): Promise<CreditsResponse> {
    const { budgets, usage } = await this.repository.sums(organizationId);
    return { data: { total_credits: Math.min(Number(budgets), Number.MAX_VALUE), total_usage: Number(usage) } };
  }
}
