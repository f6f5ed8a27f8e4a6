import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Optional } from '@nestjs/common';
import { Environment } from '../../../../config/environment.js';
import { errorMessage } from '../../../../persistence/database-failures.js';
import { newUuid } from '../../../../persistence/identifiers.js';
import { RepeatedWork } from '../../../../persistence/repeated-work.js';
import { Statements } from '../../../../persistence/statements.js';
import { ServiceLogger } from '../../../../telemetry/logging/service-logger.js';
import { Metrics } from '../../../../telemetry/metrics/metrics.js';
import { AuditTrail, SERVICE } from '../../../audit/audit-trail.js';
import { EncryptedConfigs } from '../../encrypted-configs.js';
import { adapterOf } from '../adapters/destination-adapters.js';
import { DestinationDrain, type DrainMeans, type Stop } from './destination-drain.js';
import { DeliveryRepository, type Lease, type SendingDestination } from './delivery.repository.js';
import { OutgoingGenerations } from './outgoing-generations.service.js';
import { HttpReceiverTransport } from './receiver-transport.js';

/** How often a process looks for what waits, in milliseconds: that is also how long batches are filled. */
const POLL_MS = 1_000;

/** To how many destinations of one organization a process sends at once. */
const OF_AN_ORGANIZATION = 2;

/** How long a process that stops goes on sending what waits, and then waits for its requests, in milliseconds. */
const FLUSH_MS = 5_000;
const END_MS = 3_000;

const HOUR_MS = 3_600_000;

/** Sends what waits for destinations (docs/interface/destinations.md#delivery). All processes share the work. */
@Injectable()
export class DeliveryService {
  private readonly draining = new Map<string, Promise<void>>();
  private readonly organizations = new Map<string, number>();
  private readonly repeated: RepeatedWork;
  private readonly ending = new AbortController();
  private readonly means: DrainMeans;
  private isStopping = false;

  constructor(
    private readonly repository: DeliveryRepository,
    private readonly environment: Environment,
    private readonly logger: ServiceLogger,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    outgoing: OutgoingGenerations,
    configs: EncryptedConfigs,
    transport: HttpReceiverTransport,
    @Optional() metrics?: Metrics,
  ) {
    const failure = 'What waits for destinations could not be read; this is tried again';
    this.repeated = new RepeatedWork(() => this.poll(), { intervalMs: POLL_MS, failure, logger });
    this.means = {
      repository,
      adapter: adapterOf,
      transport: transport.endingWith(this.ending.signal),
      metrics,
      retentionMs: environment.broadcastRetentionHours * HOUR_MS,
      configOf: (destination) => configs.of(destination),
      outgoing: (destination, stored) => outgoing.of(destination, stored),
      paused: (destination, reason) => this.paused(destination, reason),
      unexpected: (error) => logger.warn(`a generation could not be written for a destination: ${errorMessage(error)}`),
      isStopping: () => this.isStopping,
    };
  }

  /** Sends from now on what waits, unless this process does not send. */
  start(): void {
    if (this.environment.broadcastWorkers > 0) this.repeated.start();
  }

  /** Sends what waits for some seconds more, lets requests end, and stops: what is left is sent by others, or after the next start. */
  async stop(): Promise<void> {
    this.repeated.stop();
    if (this.environment.broadcastWorkers === 0) return;
    const flushed = this.repeated.run().then(() => this.drained());
    await Promise.race([flushed, delay(FLUSH_MS, undefined, { ref: false })]);
    this.isStopping = true;
    await Promise.race([this.drained(), delay(END_MS, undefined, { ref: false })]);
    this.ending.abort();
    await this.drained();
  }

  /** Begins to send to destinations for which something waits, as many as this process may send to. */
  async poll(): Promise<void> {
    const free = this.environment.broadcastWorkers - this.draining.size;
    if (free <= 0 || this.isStopping) return;
    for (const queue of await this.repository.dueQueues(free, OF_AN_ORGANIZATION)) {
      if ((this.organizations.get(queue.organizationId) ?? 0) >= OF_AN_ORGANIZATION) continue;
      await this.begin({ ...queue, leaseId: newUuid() });
    }
  }

  /** Resolves when nothing is being sent. */
  async drained(): Promise<void> {
    while (this.draining.size > 0) await Promise.all(this.draining.values());
  }

  private async begin(lease: Lease): Promise<void> {
    const queue = await this.repository.lease(lease);
    if (queue === undefined) return;
    const { organizationId, leaseId } = lease;
    this.organizations.set(organizationId, (this.organizations.get(organizationId) ?? 0) + 1);
    const drain = new DestinationDrain(lease, queue, this.means)
      .run()
      .catch((error: unknown) => {
        this.logger.warn(`sending to destination ${lease.destinationId} is interrupted: ${errorMessage(error)}`);
      })
      .finally(() => {
        this.draining.delete(leaseId);
        const others = this.organizations.get(organizationId)! - 1;
        if (others > 0) this.organizations.set(organizationId, others);
        else this.organizations.delete(organizationId);
      });
    this.draining.set(leaseId, drain);
  }

  /** Records that a destination has paused, in the audit trail of its organization. */
  private async paused({ organizationId, id }: SendingDestination, { outcome, message }: Stop): Promise<void> {
    this.logger.warn(`destination ${id} has paused: ${message}`);
    const changes = {
      state: { before: 'active', after: outcome === 'gone' ? 'gone' : 'paused' },
      reason: { before: null, after: message },
    };
    const event = { action: 'observability_destination.pause', targetId: id, changes };
    await this.statements.transaction((tx) => this.audit.record(tx, organizationId, SERVICE, event));
  }
}
