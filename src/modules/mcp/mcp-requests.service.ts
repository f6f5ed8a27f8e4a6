import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { ApiKeyPrincipal } from '../../auth/principal.js';
import { Environment } from '../../config/environment.js';
import { InvalidCredential } from '../../http/errors/request.errors.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { DataRegionNotAllowed } from '../inference/inference.errors.js';
import { CallerContexts } from '../inference/pipeline/context/caller-contexts.service.js';
import { CompiledPolicies } from '../inference/pipeline/policy/compiled-policies.js';
import { showRates } from '../inference/pipeline/rates/rate-headers.js';
import { RequestRates } from '../inference/pipeline/rates/request-rates.service.js';
import { LimitsInForce } from '../limits/limits-in-force.service.js';
import type { McpContext, McpRequestOf } from './mcp-request.js';

/** What requests to the endpoint are answered under, and their limits per minute. */
@Injectable()
export class McpRequests {
  constructor(
    private readonly contexts: CallerContexts,
    private readonly policies: CompiledPolicies,
    private readonly limits: LimitsInForce,
    private readonly rates: RequestRates,
    private readonly slots: RequestSlots,
    private readonly environment: Environment,
  ) {}

  /** @throws InvalidCredential where the key was deleted meanwhile, DataRegionNotAllowed */
  async contextOf(caller: ApiKeyPrincipal): Promise<McpContext> {
    const { organizationId, credentialId } = caller;
    return this.slots.run(organizationId, async () => {
      const context = await this.contexts.of(caller);
      if (context === undefined) throw new InvalidCredential();
      const policy = await this.policies.get(organizationId, credentialId, context.policyVersion);
      const limits = await this.limits.of(organizationId, context.workspaceId, context.limitsVersion);
      const { dataRegion } = this.environment;
      const { value: regions, guardrailIds } = policy.rules.allowedDataRegions;
      if (regions?.includes(dataRegion) === false) {
        throw new DataRegionNotAllowed(dataRegion, [], guardrailIds);
      }
      return { context, policy, limits };
    });
  }

  /** Counts a request for the limits per minute of its key and workspace, and does it. @throws the refusal of one */
  async counted<Result>(
    response: Response,
    request: McpRequestOf,
    work: (request: McpRequestOf) => Promise<Result>,
  ): Promise<Result> {
    const { caller, context } = request;
    const { rates, refusal } = await this.rates.count(caller, context, () => 0);
    showRates(response, rates);
    if (refusal !== undefined) throw refusal;
    try {
      return await work(request);
    } finally {
      await this.rates.settle(caller.organizationId, rates, 0);
    }
  }
}
