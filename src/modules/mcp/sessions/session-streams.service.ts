import { Injectable } from '@nestjs/common';
import { recordedName } from '../../../telemetry/recorded-tools.js';
import { StandingCallers } from '../../../auth/standing-callers.js';
import { onItsOwn } from '../../../concurrency/request-scope.js';
import { DomainError } from '../../../http/errors/domain-error.js';
import { TooManyOpenRequests } from '../../inference/inference.errors.js';
import { RefusalRecordLimit } from '../../inference/pipeline/refusals/refusal-record-limit.js';
import { notificationIn, requestIn } from '../../mcp-servers/upstream/json-rpc.js';
import { McpFailure } from '../../mcp-servers/upstream/mcp-failure.js';
import { McpUpstream } from '../../mcp-servers/upstream/mcp-upstream.service.js';
import type { ReadyMcpServer } from '../../mcp-servers/upstream/ready-mcp-server.js';
import { McpRequests } from '../mcp-requests.service.js';
import type { McpAnswer } from '../messages/mcp-answer.js';
import { CallInspection } from '../tools/call-inspection.service.js';
import { CallOutcome } from '../tools/call-outcome.js';
import { CallRecords } from '../tools/call-records.service.js';
import { begunCall } from '../tools/mcp-call.js';
import { failureOf } from '../tools/server-calls.service.js';
import { PairedSessions } from './paired-sessions.service.js';
import { ServerMessages } from './server-messages.service.js';
import type { PairedRequest } from './session-messages.service.js';

/** How many streams there may be: of one key, and in a process. */
const PER_KEY = 16;
const PER_PROCESS = 1_000;

/** How long a stream lasts at most, in milliseconds: clients open a new one. */
const LONGEST_MS = 3_600_000;

/** How often it is looked at whether the key may still have it, in milliseconds. */
const CHECK_MS = 10_000;

const RETRY_AFTER_SECONDS = 10;

/** Why a stream ends that could go on. */
class StreamOver extends Error {}

/** The streams of sessions, on which servers say what belongs to no request (docs/interface/mcp.md#sessions). */
@Injectable()
export class SessionStreams {
  private readonly ofKeys = new Map<string, number>();
  private open = 0;

  constructor(
    private readonly requests: McpRequests,
    private readonly callers: StandingCallers,
    private readonly sessions: PairedSessions,
    private readonly upstream: McpUpstream,
    private readonly messages: ServerMessages,
    private readonly inspection: CallInspection,
    private readonly records: CallRecords,
    private readonly recordLimit: RefusalRecordLimit,
  ) {}

  /**
   * Hands the stream of a session on, until its client leaves, the server ends it, or the key may not have it any more.
   *
   * @returns whether the server has such a stream
   * @throws McpSessionUnknown, TooManyOpenRequests, McpServerFailed, McpServerTimedOut before it has begun
   */
  async run(request: PairedRequest, answer: McpAnswer): Promise<boolean> {
    const { credentialId } = request.caller;
    const own = this.ofKeys.get(credentialId) ?? 0;
    if (own >= PER_KEY || this.open >= PER_PROCESS) throw new TooManyOpenRequests(RETRY_AFTER_SECONDS);
    this.open += 1;
    this.ofKeys.set(credentialId, own + 1);
    try {
      return await this.handOn(request, answer);
    } finally {
      this.open -= 1;
      const left = this.ofKeys.get(credentialId)! - 1;
      if (left > 0) this.ofKeys.set(credentialId, left);
      else this.ofKeys.delete(credentialId);
    }
  }

  private async handOn(request: PairedRequest, answer: McpAnswer): Promise<boolean> {
    const server = await this.sessions.serverOf(request, request.paired.session);
    const ending = new AbortController();
    const signal = AbortSignal.any([request.signal, ending.signal]);
    const listening = { ...request, signal };
    const messages = await this.listen(listening, server);
    if (messages === undefined) return false;
    answer.stream();
    let current: PairedRequest = listening;
    const check = (): void =>
      void this.renewed(listening).then(
        (renewed) => (current = renewed),
        () => ending.abort(new StreamOver()),
      );
    const timers = onItsOwn(() => [
      setInterval(check, CHECK_MS),
      setTimeout(() => ending.abort(new StreamOver()), LONGEST_MS),
    ]);
    try {
      for await (const message of messages) await this.pass(message, current, server);
    } catch (error) {
      // A client takes the end of a stream as a reason to open it again.
      if (!(error instanceof McpFailure || error instanceof DomainError || error === signal.reason)) throw error;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      ending.abort(new StreamOver());
      answer.endStream();
    }
    return true;
  }

  private async listen(request: PairedRequest, server: ReadyMcpServer): Promise<AsyncIterable<unknown> | undefined> {
    const { signal, holder, caller, paired } = request;
    try {
      return await this.upstream.listen(server, paired.session, { signal, holder, userId: caller.userId });
    } catch (error) {
      throw failureOf(error, server);
    }
  }

  /** Hands one message on. */
  private async pass(message: unknown, request: PairedRequest, server: ReadyMcpServer): Promise<void> {
    const notification = notificationIn(message);
    const asked = requestIn(message);
    const method = notification?.method ?? asked?.method;
    if (method === undefined) return;
    const named = { ...request, message: { ...request.message, method } };
    const call = begunCall(named, performance.now(), recordedName(server.name));
    const outcome = new CallOutcome();
    await this.inspection.begin(call, outcome);
    const way = { call, server, outcome };
    if (notification !== undefined) await this.messages.notification(notification, way);
    const answered = asked && (await this.messages.request(asked, way));
    if (outcome.findings.length > 0 && this.recordLimit.take(request.caller)) {
      await this.records.record(call, outcome, { server });
    }
    if (answered === undefined) return;
    const { signal, holder, caller, paired } = request;
    const said = { jsonrpc: '2.0', id: asked!.id, ...answered };
    await this.upstream.tell(server, paired.session, said, { signal, holder, userId: caller.userId });
  }

  /** The request as it would be answered now. @throws DomainError where it would not be */
  private async renewed(request: PairedRequest): Promise<PairedRequest> {
    const { caller, http, paired } = request;
    if (!(await this.callers.isStillKey(http, caller))) throw new StreamOver();
    // Without its origin, by which it would be what was read at first.
    const context = await this.requests.contextOf({ ...caller, origin: null });
    const renewed = { ...request, ...context };
    await this.sessions.serverOf(renewed, paired.session);
    return renewed;
  }
}
