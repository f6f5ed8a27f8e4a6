import { DeliveryService } from '../../../src/modules/observability/delivery/sending/delivery.service.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { newDestination } from '../../support/resources/destinations.js';
import { sharedAlertingGateway } from './shared-alerting-gateway.js';

describe('alerts on destinations that pause', () => {
  const alerting = sharedAlertingGateway();
  const factory = {
    get factory() {
      return alerting.app.factory;
    },
  };
  const organization = organizationPerTest(factory);
  const key = keyPerTest(factory, organization);
  let broadcastReceiver: ProviderServer;

  beforeAll(async () => (broadcastReceiver = await ProviderServer.start()));
  afterAll(() => broadcastReceiver.stop());

  /** A destination that generations are sent to. @returns its id */
  const broadcasting = async (): Promise<string> => {
    const json = { is_observability_broadcast_enabled: true };
    const path = `/workspaces/${organization.workspaceId}`;
    await alerting.succeed(organization, 'PATCH', path, json);
    const config = { url: `${broadcastReceiver.baseUrl}/traces` };
    return (await newDestination(alerting.app, organization, 'webhook', { name: 'Traces', config })).id;
  };

  const deliver = async (): Promise<void> => {
    await alerting.app.rows("UPDATE broadcast_queues SET next_at = now() - interval '1 s'");
    const deliveries = alerting.app.application.get(DeliveryService);
    await deliveries.poll();
    await deliveries.drained();
  };

  it('notify once of a pause, and again of the next one', async () => {
    const destinationId = await broadcasting();
    await alerting.alert(organization, { kind: 'destination_paused' });
    broadcastReceiver.answerJson({}, 200);
    await alerting.gateway.ask(key);
    await deliver();
    await alerting.notify();
    expect(alerting.sent).toEqual([]);

    broadcastReceiver.answerJson({ error: 'who are you' }, 401);
    await alerting.gateway.ask(key);
    await deliver();
    await alerting.notify();
    await deliver();
    await alerting.notify();
    expect(alerting.sent).toMatchObject([
      {
        type: 'alert.destination_paused',
        data: {
          destination: { id: destinationId, name: 'Traces', type: 'webhook' },
          workspace_id: organization.workspaceId,
          state: 'paused',
          reason: 'HTTP 401: {"error":"who are you"}',
        },
      },
    ]);

    broadcastReceiver.answerJson({}, 200);
    await deliver();
    broadcastReceiver.answerJson({}, 410);
    await alerting.gateway.ask(key);
    await deliver();
    await alerting.notify();
    expect(alerting.sent.map(({ data }) => data['state'])).toEqual(['paused', 'gone']);
  });

  it('leave out destinations that are disabled, of another workspace, or of another organization', async () => {
    const destinationId = await broadcasting();
    const other = await alerting.app.factory.workspace(organization);
    await alerting.alert(organization, { kind: 'destination_paused', workspace_id: other });
    await alerting.alert(await alerting.app.factory.organization(), { kind: 'destination_paused' });
    await alerting.app.rows("UPDATE broadcast_queues SET state = 'paused' WHERE destination_id = $1", [destinationId]);
    await alerting.notify();
    expect(alerting.sent).toEqual([]);

    await alerting.alert(organization, { kind: 'destination_paused', workspace_id: organization.workspaceId });
    await alerting.app.rows('UPDATE observability_destinations SET enabled = false WHERE id = $1', [destinationId]);
    await alerting.notify();
    expect(alerting.sent).toEqual([]);
  });
});
