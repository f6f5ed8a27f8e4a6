import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../../auth/principal.js';
import { Environment } from '../../../../config/environment.js';
import { FairQueue } from '../../../../concurrency/fair-queue.js';
import { requireNoIssues } from '../../../../http/errors/require-all.js';
import { DestinationAddresses } from '../../addresses/destination-addresses.js';
import type { DestinationConfig } from '../../config-mask.js';
import { withDefaults } from '../../destination-changes.js';
import type { DestinationType } from '../../destination-settings.js';
import type { DestinationTestResult } from '../../dto/deliveries.dto.js';
import type { DestinationEntity } from '../../entities/destination.entity.js';
import { EncryptedConfigs } from '../../encrypted-configs.js';
import { adapterOf } from '../adapters/destination-adapters.js';
import type { DeliveryTarget, DeliveryVerdict } from '../destination-adapter.js';
import { outgoing } from '../sending/outgoing-generations.service.js';
import { HttpReceiverTransport } from '../sending/receiver-transport.js';
import { TooManyDestinationTests } from '../../observability.errors.js';
import { signingSecretsOf } from '../sending/webhook-messages.service.js';
import { verdictOfError } from '../verdicts.js';
import { testEvent } from './test-event.js';

/** A destination that is stored, or that may be. */
type TestedDestination = Pick<
  DestinationEntity,
  | 'id'
  | 'type'
  | 'workspaceId'
  | 'privacyMode'
  | 'broadcastGenerationCost'
  | 'broadcastGenerationIdentity'
  | 'broadcastGenerationRequestContext'
>;

/** What a configuration that is not stored is tested with. */
const NOT_STORED = {
  id: '00000000-0000-0000-0000-000000000000',
  workspaceId: '00000000-0000-0000-0000-000000000000',
  privacyMode: false,
  broadcastGenerationCost: false,
  broadcastGenerationIdentity: false,
  broadcastGenerationRequestContext: false,
};

const UNREADABLE = { delivered: false, status: null, message: 'The configuration cannot be decrypted.' };

/** A receiver may take its time, and a test is a way to have many of them called. */
const QUEUE = {
  overload: TooManyDestinationTests,
  concurrency: 16,
  concurrencyPerOrganization: 2,
  waitingPerOrganization: 2,
  retryAfterSeconds: 2,
};

/** Tries destinations with one generation that says it is a test (docs/interface/destinations.md#tests). */
@Injectable()
export class DestinationTests {
  private readonly queue = new FairQueue(QUEUE);

  constructor(
    private readonly configs: EncryptedConfigs,
    private readonly addresses: DestinationAddresses,
    private readonly transport: HttpReceiverTransport,
    private readonly environment: Environment,
  ) {}

  /**
   * Tries a stored destination, whatever its state is.
   *
   * @param signal ends the test
   * @throws TooManyDestinationTests
   */
  async ofStored(destination: DestinationEntity, signal: AbortSignal): Promise<DestinationTestResult> {
    const config = await this.configs.of(destination);
    return config === undefined ? UNREADABLE : this.send(destination.organizationId, destination, config, signal);
  }

  /**
   * Tries a configuration that is not stored.
   *
   * @throws BadRequestError for a forbidden address
   * @throws TooManyHostLookups when too many names of the organization are being looked up
   * @throws TooManyDestinationTests
   */
  async ofNew(
    { organizationId }: ManagementPrincipal,
    type: DestinationType,
    given: DestinationConfig,
    signal: AbortSignal,
  ): Promise<DestinationTestResult> {
    const config = withDefaults(type, given);
    requireNoIssues(await this.addresses.issuesOf(type, config, { organizationId, signal }, withDefaults(type, {})));
    return this.send(organizationId, { ...NOT_STORED, type }, config, signal);
  }

  private async send(
    organizationId: string,
    destination: TestedDestination,
    config: DestinationConfig,
    signal: AbortSignal,
  ): Promise<DestinationTestResult> {
    const event = testEvent(organizationId, destination.workspaceId, this.environment.dataRegion);
    const target = { destinationId: destination.id, config, encoding: null, signingSecrets: signingSecretsOf(config) };
    const adapter = adapterOf(destination.type);
    const deliver = async (encoding?: 'protobuf'): Promise<DeliveryVerdict> =>
      adapter.deliver(
        [outgoing(destination, event)],
        target satisfies DeliveryTarget,
        this.transport.endingWith(signal),
        encoding,
      );
    const verdict = await this.queue
      .run(
        organizationId,
        async () => {
          const first = await deliver();
          return first.outcome === 'unsupported_encoding' ? deliver('protobuf') : first;
        },
        signal,
      )
      .catch(verdictOfError);
    return resultOf(verdict);
  }
}

function resultOf(verdict: DeliveryVerdict): DestinationTestResult {
  if (verdict.outcome === 'delivered') return { delivered: true, status: null, message: verdict.note ?? null };
  return { delivered: false, status: verdict.status, message: verdict.message };
}
