import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { Dialect } from '../../../http/dialect/dialect.js';
import type { DomainError } from '../../../http/errors/domain-error.js';
import { RequestSlots } from '../../../http/request-limits/request-slots.js';
import { addressOfEndpoint } from '../../catalog/private/private-models.js';
import type { PlannedPrivateEndpoint, PrivateEndpointRow } from '../../catalog/private/private-catalog.repository.js';
import type { PrivateEndpointStatus } from '../../catalog/private/private-endpoint.js';
import type {
  ActivatePrivateEndpointResponse,
  CreatePrivateEndpointRequest,
  CreatePrivateEndpointResponse,
  DisablePrivateEndpointResponse,
  ManagedPrivateEndpoint,
  PrivateEndpointPath,
  PrivateEndpointValidation,
  ValidatePrivateEndpointRequest,
  ValidatePrivateEndpointResponse,
} from '../dto/private-endpoint.dto.js';
import {
  PrivateEndpointCheckFailed,
  PrivateEndpointCheckFailedPublicly,
  PrivateEndpointNotValidated,
  PrivateEndpointStatusConflict,
  PrivateEndpointValidationStale,
  PrivateEndpointWithoutPrices,
} from '../private-models.errors.js';
import { EndpointValidations } from './endpoint-validation.service.js';
import { PrivateEndpointsService } from './private-endpoints.service.js';

/** Validates endpoints of an organization's own, and changes their status (docs/interface/private-models.md#status). */
@Injectable()
export class EndpointStatusService {
  constructor(
    private readonly endpoints: PrivateEndpointsService,
    private readonly validations: EndpointValidations,
    private readonly slots: RequestSlots,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Makes an endpoint, and activates it at once if the request asks for it. Otherwise, and if a check fails, it is a draft.
   *
   * @param signal ends what is waited for
   * @throws what PrivateEndpointsService.plan and create throw, and TooManyEndpointValidations, with which nothing is made
   * @throws PrivateEndpointCheckFailed for a draft that does not pass validation, which is made all the same
   */
  async create(
    caller: ManagementPrincipal,
    input: CreatePrivateEndpointRequest,
    signal: AbortSignal,
  ): Promise<CreatePrivateEndpointResponse> {
    const inSlot = <Result>(work: () => Promise<Result>): Promise<Result> =>
      this.slots.run(caller.organizationId, work);
    const plan = await inSlot(() => this.endpoints.plan(caller, input, signal));
    const { activate } = input;
    if (activate === undefined) return inSlot(async () => (await this.endpoints.create(caller, plan)).shown);
    // Before anything is changed: the transaction of a request with an Idempotency-Key must not wait for a provider.
    const validation = await this.validations.of(plan, activate.workspace_id, signal);
    return inSlot(async () => {
      const { shown } = await this.endpoints.create(caller, plan, true);
      await this.recordValidation(caller, plan, activate.workspace_id, validation);
      if (!validation.passed) throw this.checkFailed(validation, shown.data);
      return this.toActive(caller, plan.id, ['draft']);
    });
  }

  /**
   * Tries an endpoint with the provider keys of a workspace.
   *
   * @throws PrivateEndpointNotFound
   * @throws TooManyEndpointValidations
   */
  async validate(
    caller: ManagementPrincipal,
    { id, workspace_id: workspaceId }: PrivateEndpointPath & ValidatePrivateEndpointRequest,
    signal: AbortSignal,
  ): Promise<ValidatePrivateEndpointResponse> {
    const endpoint = await this.endpoints.find(caller.organizationId, id);
    const validation = await this.validations.of(endpoint, workspaceId, signal);
    await this.recordValidation(caller, endpoint, workspaceId, validation);
    return { data: validation };
  }

  /** Remembers what has passed with a validation, and forgets it with one that has failed. @param validated as it was then */
  private async recordValidation(
    caller: ManagementPrincipal,
    validated: PlannedPrivateEndpoint,
    workspaceId: string,
    validation: PrivateEndpointValidation,
  ): Promise<void> {
    const configuration = configurationOf(validated);
    await this.endpoints.changeUnderLock(caller, validated.id, 'private_endpoint.validate', (before) => {
      // What was changed meanwhile was not what passed.
      const isSame = configurationOf(before) === configuration;
      if (validation.passed && isSame) {
        return { ...before, validatedConfiguration: configuration, validatedWorkspaceId: workspaceId.toLowerCase() };
      }
      // One that is active has passed, and stays until it is disabled.
      if (before.status === 'active' || !isSame) return before;
      return { ...before, validatedConfiguration: null, validatedWorkspaceId: null };
    });
  }

  /**
   * Activates a draft whose last validation has passed, once it has answered again.
   *
   * @throws PrivateEndpointNotFound
   * @throws PrivateEndpointStatusConflict for one that is disabled
   * @throws PrivateEndpointWithoutPrices, PrivateEndpointNotValidated, PrivateEndpointValidationStale, PrivateEndpointCheckFailed
   * @throws TooManyEndpointValidations
   */
  async activate(
    caller: ManagementPrincipal,
    { id }: PrivateEndpointPath,
    signal: AbortSignal,
  ): Promise<ActivatePrivateEndpointResponse> {
    return this.activateFrom(caller, id, 'draft', signal);
  }

  /** Activates one that was disabled, as {@link activate} does a draft. */
  async enable(
    caller: ManagementPrincipal,
    { id }: PrivateEndpointPath,
    signal: AbortSignal,
  ): Promise<ActivatePrivateEndpointResponse> {
    return this.activateFrom(caller, id, 'disabled', signal);
  }

  /**
   * Ends the use of an active endpoint; requests that begin from then on do not get there.
   *
   * @throws PrivateEndpointNotFound
   * @throws PrivateEndpointStatusConflict for a draft
   */
  async disable(caller: ManagementPrincipal, { id }: PrivateEndpointPath): Promise<DisablePrivateEndpointResponse> {
    await this.endpoints.find(caller.organizationId, id);
    const endpoint = await this.endpoints.changeUnderLock(caller, id, 'private_endpoint.disable', (before) => {
      if (before.status === 'draft') throw statusConflict(before);
      return { ...before, status: 'disabled' };
    });
    return this.endpoints.managed(endpoint);
  }

  private async activateFrom(
    caller: ManagementPrincipal,
    id: string,
    from: Exclude<PrivateEndpointStatus, 'active'>,
    signal: AbortSignal,
  ): Promise<ActivatePrivateEndpointResponse> {
    const endpoint = await this.endpoints.find(caller.organizationId, id);
    if (endpoint.status === 'active') return this.endpoints.managed(endpoint);
    requireActivatable(endpoint, [from]);
    const validation = await this.validations.of(endpoint, endpoint.validatedWorkspaceId!, signal);
    if (!validation.passed) throw this.checkFailed(validation);
    return this.toActive(caller, id, [from, 'active']);
  }

  private checkFailed(validation: PrivateEndpointValidation, endpoint?: ManagedPrivateEndpoint): DomainError {
    const failed = { validation, ...(endpoint && { endpoint }) };
    return this.dialect.isPublic
      ? new PrivateEndpointCheckFailedPublicly(failed)
      : new PrivateEndpointCheckFailed(failed);
  }

  private async toActive(
    caller: ManagementPrincipal,
    id: string,
    from: readonly PrivateEndpointStatus[],
  ): Promise<{ data: ManagedPrivateEndpoint }> {
    const endpoint = await this.endpoints.changeUnderLock(caller, id, 'private_endpoint.activate', (before) => {
      requireActivatable(before, from);
      return { ...before, status: 'active' };
    });
    return this.endpoints.managed(endpoint);
  }
}

/** @throws PrivateEndpointStatusConflict, PrivateEndpointWithoutPrices, PrivateEndpointNotValidated, PrivateEndpointValidationStale */
function requireActivatable(endpoint: PrivateEndpointRow, from: readonly PrivateEndpointStatus[]): void {
  if (!from.includes(endpoint.status)) throw statusConflict(endpoint);
  if (endpoint.pricing === null) throw new PrivateEndpointWithoutPrices();
  if (endpoint.validatedConfiguration === null) throw new PrivateEndpointNotValidated();
  if (endpoint.validatedConfiguration !== configurationOf(endpoint)) throw new PrivateEndpointValidationStale();
}

/** What a validation is about: one of anything else says nothing of the endpoint. */
function configurationOf(endpoint: PlannedPrivateEndpoint): string {
  return JSON.stringify([addressOfEndpoint(endpoint), endpoint.upstreamModelId, endpoint.modelPermaslug]);
}

function statusConflict({ status }: PrivateEndpointRow): PrivateEndpointStatusConflict {
  return new PrivateEndpointStatusConflict({ status });
}
