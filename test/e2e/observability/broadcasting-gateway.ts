import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { ObservabilityDestination } from '../../../src/modules/observability/dto/destination.dto.js';
import type { DestinationDeliveries } from '../../../src/modules/observability/dto/deliveries.dto.js';
import { DeliveryService } from '../../../src/modules/observability/delivery/sending/delivery.service.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { ProviderServer, type ReceivedRequest } from '../../support/network/provider-server.js';
import { newDestination } from '../../support/resources/destinations.js';
import { TestGateway } from '../inference/test-gateway.js';

/** A gateway with a receiver on the loopback, which takes whatever it gets. */
export class BroadcastingGateway {
  private constructor(
    readonly gateway: TestGateway,
    readonly receiver: ProviderServer,
  ) {}

  /** @param variables of the environment */
  static async start(variables: Readonly<Record<string, string>> = {}): Promise<BroadcastingGateway> {
    const gateway = await TestGateway.start({ variables: { ALLOW_PRIVATE_DESTINATIONS: 'true', ...variables } });
    return new BroadcastingGateway(gateway, await ProviderServer.start());
  }

  get app(): TestApplication {
    return this.gateway.app;
  }

  /** Lets providers answer with a few words, and the receiver take everything. */
  reset(): void {
    this.gateway.reset();
    this.receiver.received.length = 0;
    this.receiver.answerWith(
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    );
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await this.receiver.stop();
  }

  /** An organization whose default workspace broadcasts, and a key of it. */
  async broadcasting(): Promise<{ readonly organization: NewOrganization; readonly key: IssuedCredential }> {
    const organization = await this.app.factory.organization();
    await this.broadcast(organization, true);
    return { organization, key: await this.app.factory.key(organization) };
  }

  /** Sets whether the default workspace of an organization broadcasts. */
  async broadcast({ managementKey, workspaceId }: NewOrganization, isEnabled: boolean): Promise<void> {
    const json = { is_observability_broadcast_enabled: isEnabled };
    const { status } = await this.app.api.patch(`/workspaces/${workspaceId}`, { key: managementKey, json });
    expect(status).toBe(200);
  }

  /** A webhook that leads to the receiver. @param fields of the destination besides */
  webhook(organization: NewOrganization, fields: object = {}, path = '/traces'): Promise<ObservabilityDestination> {
    const config = { url: `${new URL(this.receiver.baseUrl).origin}${path}` };
    return newDestination(this.app, organization, 'webhook', { config, ...fields });
  }

  /** Changes a destination. */
  async patch({ managementKey }: NewOrganization, id: string, json: object): Promise<void> {
    const { status, text } = await this.app.api.patch(`/observability/destinations/${id}`, {
      key: managementKey,
      json,
    });
    expect({ status, text }).toEqual({ status: 200, text });
  }

  /** How deliveries to a destination go. */
  async deliveriesOf({ managementKey }: NewOrganization, id: string): Promise<DestinationDeliveries> {
    const path = `/observability/destinations/${id}/deliveries`;
    const answer = await this.app.api.get<{ data: DestinationDeliveries }>(path, { key: managementKey });
    expect({ path, status: answer.status }).toEqual({ path, status: 200 });
    return answer.body.data;
  }

  /** Sends everything that is due, with one process. */
  async deliver(app = this.app): Promise<void> {
    const deliveries = app.application.get(DeliveryService);
    await deliveries.poll();
    await deliveries.drained();
  }

  /** Has everything that waits be due now. */
  async skipWaiting(): Promise<void> {
    await this.app.rows("UPDATE broadcast_queues SET next_at = now() - interval '1 s'");
  }

  /** The requests to the receiver, by path. */
  receivedAt(path: string): readonly ReceivedRequest[] {
    return this.receiver.received.filter((request) => request.path === path);
  }

  /** What is in the outbox. */
  async waiting(): Promise<{ readonly events: number; readonly deliveries: number }> {
    const [row] = await this.app.rows<{ events: number; deliveries: number }>(
      `SELECT (SELECT count(*) FROM broadcast_events)::int AS events, (SELECT count(*) FROM broadcast_deliveries)::int AS deliveries`,
    );
    return row!;
  }
}
