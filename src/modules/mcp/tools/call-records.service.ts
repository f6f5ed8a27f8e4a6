import { Injectable, Optional } from '@nestjs/common';
import { ClientGoneError } from '../../../http/client-signal.js';
import { DomainError } from '../../../http/errors/domain-error.js';
import { Environment } from '../../../config/environment.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { type McpOutcome, Metrics } from '../../../telemetry/metrics/metrics.js';
import { MCP_RECORD } from '../../../telemetry/operations.js';
import { refusingGuardrailsOf } from '../../guardrails/refusing-guardrails.js';
import type { UsageCharge } from '../../generations/generation-details.js';
import { boundedText } from '../../generations/content/generation-content.js';
import { GenerationsService, type NewGeneration } from '../../generations/generations.service.js';
import { costOfAttempts, recordedCharge } from '../../inference/pipeline/cost/attempt-charge.js';
import { nameOfFilter } from '../../inference/pipeline/request/filter-name.js';
import { BroadcastOutbox } from '../../observability/delivery/outbox/broadcast-outbox.service.js';
import { BroadcastDestinations } from '../../observability/delivery/selection/broadcast-destinations.service.js';
import { isInShare } from '../../observability/delivery/selection/share.js';
import { textOfUnits } from '../../spend/decimal-amount.js';
import { refusingLimitOf } from '../../spend/spend.errors.js';
import type { ReadyMcpServer } from '../../mcp-servers/upstream/ready-mcp-server.js';
import { overrunOf } from '../../spend/worst-case.js';
import { errorMessageOf } from '../../../http/errors/error-envelope.js';
import { callEventOf, traceIdOf } from './call-event.js';
import type { CallOutcome } from './call-outcome.js';
import type { McpCall } from './mcp-call.js';
import { usesOf } from './tool-admission.service.js';

/** The status of a record if the client left before there was an answer. It is never sent. */
const CLIENT_CLOSED_REQUEST = 499;

/** The longest header that a record keeps, in characters. */
const MAXIMUM_HEADER = 512;

/** What a call is about. */
interface NamedInCall {
  readonly server: Pick<ReadyMcpServer, 'id' | 'name'>;
  /** Absent for another method. */
  readonly tool?: string;
}

/** Records and charges what was asked of MCP servers, each once (docs/interface/mcp.md#records). */
@Injectable()
export class CallRecords {
  constructor(
    private readonly generations: GenerationsService,
    private readonly broadcasts: BroadcastDestinations,
    private readonly outbox: BroadcastOutbox,
    private readonly environment: Environment,
    private readonly logger: ServiceLogger,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /**
   * Records a call, and charges it.
   *
   * @param error what it was refused with; undefined for an answer
   * @throws the error of the database where it has to be stored and cannot be
   */
  async record(call: McpCall, outcome: CallOutcome, named: NamedInCall, error?: unknown): Promise<void> {
    const record = await this.withOutbox(call, outcome, this.recordOf(call, outcome, named, error), error);
    const seconds = (performance.now() - call.startedAt) / 1_000;
    this.metrics?.mcp.request(call.message.method, outcomeOf(record, error), seconds);
    if (error instanceof DomainError) this.metrics?.gateway.refusal(error.reason);
    for (const { kind, outcome: would } of outcome.observed) this.metrics?.gateway.observed(kind, would);
    if (record.details.overrunUsd !== undefined) this.metrics?.gateway.overrun();
    if (record.details.charges?.some(({ isCapped }) => isCapped)) this.metrics?.gateway.impossibleUsage();
    const isPaid = outcome.isCharged || record.details.charges !== undefined;
    if (outcome.admitted?.mayBeReserved === true || isPaid) {
      await this.generations.recordInAnyCase(record, () => Promise.resolve(record));
      return;
    }
    await this.generations.record(record).catch((cause: unknown) => {
      this.logger.warn(`a call of a tool could not be recorded: ${(cause as Error).message}`);
    });
  }

  /** The record with what destinations get of a call of a tool that a server was asked for, where any gets some. */
  private async withOutbox(
    call: McpCall,
    outcome: CallOutcome,
    record: NewGeneration,
    error: unknown,
  ): Promise<NewGeneration> {
    const { broadcastVersion, keyHash, workspaceId } = call.context;
    // Before anything is made of arguments and result, which may be large: most workspaces have no destinations.
    if (broadcastVersion === null || workspaceId === null) return record;
    const event = callEventOf(call, outcome, record, error);
    if (event === undefined) return record;
    const selected = await this.broadcasts.select(record.organizationId, workspaceId, broadcastVersion, {
      generationId: record.id,
      sessionId: event.sessionId,
      traceId: traceIdOf(event),
      keyHash,
      dataRegion: event.dataRegion,
    });
    if (selected === undefined) return record;
    const outbox = await this.outbox.entryOf(
      selected.needsContent ? event : { ...event, content: null },
      selected.destinations,
    );
    return { ...record, ...(outbox && { outbox }) };
  }

  private recordOf(
    { caller, context, http, id, createdAt, startedAt, model, subject, message }: McpCall,
    outcome: CallOutcome,
    named: NamedInCall,
    error: unknown,
  ): NewGeneration {
    const cancelled = error instanceof ClientGoneError;
    const refused = error instanceof DomainError ? error : undefined;
    const limitedBy = refusingLimitOf(error);
    const refusingGuardrailIds = refusingGuardrailsOf(error);
    const status = cancelled ? CLIENT_CLOSED_REQUEST : (refused?.status ?? (error === undefined ? 200 : 500));
    const { admitted, attempt, input } = outcome;
    const { isCharged } = outcome;
    const price = isCharged ? (admitted?.price ?? 0n) : 0n;
    const judging = outcome.inspection?.account.settled() ?? [];
    const ofOrganization = costOfAttempts(judging, true);
    const use = { isCharged, ofDeployment: price + costOfAttempts(judging, false), ofOrganization };
    const overrun = overrunOf(admitted?.reserved, use);
    const charges = [
      ...(price > 0n ? [chargeOf(model, named.server.name, price)] : []),
      ...judging.map(recordedCharge),
    ];
    const judgements = outcome.inspection?.recorded ?? [];
    const isLogged = input !== undefined && isInShare(id, context.contentLoggingRate);
    const duration = Math.round((performance.now() - startedAt) * 1000) / 1000;
    return {
      organizationId: caller.organizationId,
      id,
      createdAt,
      keyId: caller.credentialId,
      userId: caller.userId,
      workspaceId: context.workspaceId,
      status,
      model,
      provider: attempt?.provider ?? null,
      isByok: false,
      costUsd: textOfUnits(use.ofDeployment + ofOrganization),
      promptTokens: null,
      completionTokens: null,
      details: {
        requestId: http.requestId,
        requestedModel: model,
        apiType: MCP_RECORD,
        streamed: false,
        cancelled,
        ...(refused !== undefined && { refusal: refused.reason }),
        ...(limitedBy !== undefined && { limitedBy }),
        ...(refusingGuardrailIds.length > 0 && { refusingGuardrailIds }),
        ...(attempt !== undefined && { generationMs: duration }),
        ...(charges.length > 0 && { charges }),
        ...(judging.some(({ candidate }) => candidate.isByok) && { byokCostUsd: textOfUnits(ofOrganization) }),
        ...(overrun !== undefined && { overrunUsd: textOfUnits(overrun) }),
        ...given({
          externalUser: subject.externalUser,
          sessionId: subject.sessionId,
          labels: subject.labels,
          userAgent: headerOf(http.headers['user-agent']),
        }),
        dataRegion: this.environment.dataRegion,
        attempts: attempt === undefined ? [] : [attempt],
        filters: outcome.findings.map(({ filter, action, guardrailIds, count, place }) => ({
          filter: nameOfFilter(filter),
          action,
          guardrailIds,
          count,
          ...(place !== undefined && { place }),
        })),
        ...(judgements.length > 0 && { judgements }),
        ...(outcome.observed.length > 0 && { observed: outcome.observed }),
        mcp: {
          method: message.method,
          server: named.server.name,
          serverId: named.server.id,
          ...(named.tool !== undefined && { tool: named.tool }),
          protocolVersion: message.revision,
          ...outcome.mcp,
        },
      },
      ...(admitted?.isCounted === true && { uses: usesOf(admitted.holds, use) }),
      ...(isLogged && {
        content: {
          input: { prompt: boundedText(input) },
          output: { completion: outcome.output === undefined ? null : boundedText(outcome.output), reasoning: null },
          error: refused === undefined ? null : { status, message: refused.shownMessage ?? errorMessageOf(status) },
        },
      }),
    };
  }
}

/** What a call of a tool is charged by itself, in the form of the charge of an attempt. */
function chargeOf(model: string, endpoint: string, price: bigint): UsageCharge {
  const costUsd = textOfUnits(price);
  return {
    model,
    endpoint,
    isByok: false,
    costUsd,
    prices: { prompt: '0', completion: '0', request: costUsd },
    usage: {},
  };
}

/** What has come of a request, for metrics. */
function outcomeOf({ status, details }: NewGeneration, error: unknown): McpOutcome {
  if (details.cancelled) return 'cancelled';
  if (error === undefined) return details.mcp?.isError === true ? 'tool_failed' : 'answered';
  return status >= 500 ? 'failed' : 'refused';
}

function headerOf(value: string | undefined): string | undefined {
  return value?.slice(0, MAXIMUM_HEADER);
}

function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], null | undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as {
    [Name in keyof T]?: Exclude<T[Name], null | undefined>;
  };
}
