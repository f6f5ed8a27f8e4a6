import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { DomainError } from '../../../../http/errors/domain-error.js';
import type { GatehouseRequest } from '../../../../http/request.js';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';
import { RequestSlots } from '../../../../http/request-limits/request-slots.js';
import { ServiceLogger } from '../../../../telemetry/logging/service-logger.js';
import { CatalogLookup } from '../../../catalog/catalog-lookup.service.js';
import { type Decision, undecided } from '../request/decision.js';
import { InferenceRequest } from '../request/inference-request.js';
import { NO_SUBJECT } from '../request/request-subject.js';
import { Outcome } from '../request/outcome.js';
import { showRates, type RateHeaders } from '../rates/rate-headers.js';
import { RequestRates } from '../rates/request-rates.service.js';
import { CallerContexts } from '../context/caller-contexts.service.js';
import { knownModel, splitPreset } from '../context/requested-models.js';
import { SettlementService } from '../settlement/settlement.service.js';
import { RefusalRecordLimit } from './refusal-record-limit.js';
import type { InferenceRecord } from '../../../../telemetry/operations.js';
import { isObject } from '../../../../http/validation/constraints.js';

/** The metadata key of a {@link RecordedOperation}. */
export const RECORDED_OPERATION_METADATA = 'gatehouse:recorded-operation';

/** What a record of an early refusal says of the operation, and how its clients are told of their rates. */
export interface RecordedOperation {
  readonly apiType: InferenceRecord;
  /** The headers that the clients of the operation read about limits per minute, besides those of every operation. */
  readonly rateHeaders?: RateHeaders | undefined;
}

/** A request that was refused before it reached its controller. */
interface EarlyRefusal {
  readonly caller: ApiKeyPrincipal;
  readonly request: GatehouseRequest;
  readonly response: Response;
  readonly error: DomainError;
}

/** The status of what a limit on the gateway's own work refuses, which has to cost less than the work would have. */
const TOO_MANY_REQUESTS = 429;

/**
 * Counts and records requests that are refused before they reach their controller: for the form of their body, or because their
 * organization has too much on its way (docs/interface/generations.md#early-refusals).
 */
@Injectable()
export class EarlyRefusalsService {
  constructor(
    private readonly limit: RefusalRecordLimit,
    private readonly contexts: CallerContexts,
    private readonly rates: RequestRates,
    private readonly catalog: CatalogLookup,
    private readonly settlement: SettlementService,
    private readonly slots: RequestSlots,
    private readonly environment: Environment,
    private readonly logger: ServiceLogger,
  ) {}

  /**
   * Records a refusal if there is room for it, and counts the request toward its limits per minute unless it was one too many for the
   * gateway itself. The caller is told of the refusal also if neither can be done.
   */
  async refuse({ caller, request, response, error }: EarlyRefusal, operation: RecordedOperation): Promise<void> {
    const isRecorded = this.limit.take(caller);
    const isCounted = error.status !== TOO_MANY_REQUESTS;
    const inference = await this.requestOf(caller, request, operation, isRecorded);
    const decision = isRecorded || isCounted ? await this.counted(caller, isCounted) : undecided(inference, undefined);
    showRates(response, decision.rates, operation.rateHeaders);
    if (isRecorded) {
      response.setHeader('X-Generation-Id', inference.id);
      await this.settlement.recordRefusal({ request: inference, decision, outcome: new Outcome() }, error);
    } else {
      await this.settlement.countRefusal(caller, decision.rates, error);
    }
  }

  /** What is known of the request: its workspace, and how it was counted. */
  private async counted(caller: ApiKeyPrincipal, isCounted: boolean): Promise<Decision<undefined>> {
    const decision = undecided({ caller, subject: NO_SUBJECT }, undefined);
    try {
      return await this.slots.run(caller.organizationId, async () => {
        const context = await this.contexts.of(caller);
        // The key was deleted meanwhile.
        if (context === undefined) return decision;
        const { workspaceId } = context;
        const rates = isCounted ? await this.rates.countRefused(caller, context) : undefined;
        return { ...decision, workspaceId, ...(rates !== undefined && { rates }) };
      });
    } catch (cause) {
      this.logger.warn(`a refused request could not be counted: ${(cause as Error).message}`);
      return decision;
    }
  }

  /** The record of the refusal. Of what the caller wrote it has only headers and the request id, like every record. */
  private async requestOf(
    caller: ApiKeyPrincipal,
    request: GatehouseRequest,
    { apiType }: RecordedOperation,
    isRecorded: boolean,
  ): Promise<InferenceRequest> {
    return new InferenceRequest(caller, request, {
      apiType,
      streamed: wantsStream(request.body),
      requestedModel: isRecorded ? await this.modelOf(request.body) : '',
      ...NO_SUBJECT,
      dataRegion: this.environment.dataRegion,
    });
  }

  /** The id of the model of the catalog that a body names; empty for any other name, which may be anything. */
  private async modelOf(body: unknown): Promise<string> {
    const name = modelNamedIn(body);
    if (name === undefined) return '';
    try {
      return knownModel(await this.catalog.catalog(), name)?.model.row.id ?? '';
    } catch (cause) {
      this.logger.warn(`the model of a refused request could not be looked up: ${(cause as Error).message}`);
      return '';
    }
  }
}

/** The name of the model that a body asks for first, whatever else is wrong with it; undefined without any. */
function modelNamedIn(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  const { model, models } = body;
  const first = model ?? (Array.isArray(models) ? (models as unknown[])[0] : undefined);
  return typeof first === 'string' ? splitPreset(first).model : undefined;
}

/** Whether a body asks for a stream, whatever else is wrong with it. */
function wantsStream(body: unknown): boolean {
  return isObject(body) && body['stream'] === true;
}
