import { DeliveryService } from '../../../src/modules/observability/delivery/sending/delivery.service.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { attributesOf } from '../../support/delivery/generation-events.js';
import { type DecodedRequest, spansIn } from '../../support/delivery/trace-requests.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import { newDestination } from '../../support/resources/destinations.js';
import { until } from '../../support/time/until.js';
import { mcpGateway } from './mcp-gateway.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('calls of tools for destinations', () => {
  const gateway = mcpGateway();
  const { app, organization, real } = gateway;
  const receiver = filledBefore(beforeAll, () => ProviderServer.start());
  afterAll(() => receiver.stop());
  beforeEach(async () => {
    receiver.received.length = 0;
    receiver.answerWith((response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    const json = { is_observability_broadcast_enabled: true };
    const { managementKey: key, workspaceId } = organization;
    expect((await app.api.patch(`/workspaces/${workspaceId}`, { key, json })).status).toBe(200);
  });

  const collector = (fields: object = {}): Promise<unknown> => {
    const config = { endpoint: `${new URL(receiver.baseUrl).origin}/v1/traces/${organization.workspaceId}` };
    return newDestination(app, organization, 'otel-collector', { config, ...fields });
  };

  const keyOf = async (settings: object = {}): Promise<IssuedCredential> => {
    await gateway.added('docs', real.modern.url, { price_per_call: 0.25 });
    return gateway.guarded({ allowed_mcp_tools: ['docs/*'], ...settings });
  };

  const call = async (key: IssuedCredential, tool: string, values: object): Promise<void> => {
    const meta = { traceparent: `00-${TRACE}-${PARENT}-01` };
    await gateway.send(key, 'tools/call', { name: `docs__${tool}`, arguments: values, _meta: meta });
  };

  const waiting = async (): Promise<number> => {
    const rows = await app.rows('SELECT 1 FROM broadcast_deliveries WHERE organization_id = $1', [
      organization.organizationId,
    ]);
    return rows.length;
  };

  /** What was delivered for the organization of a test, once that are so many calls. */
  const received = async (count: number): Promise<readonly unknown[]> => {
    const ofTest = (): readonly unknown[] =>
      receiver.received.filter(({ path }) => path.endsWith(organization.workspaceId)).map(({ body }) => body);
    await until(async () => {
      const deliveries = app.application.get(DeliveryService);
      await deliveries.poll();
      await deliveries.drained();
      return ofTest().length >= count;
    });
    return ofTest();
  };

  /** The span of the call that was delivered, with its attributes. */
  const delivered = async (): Promise<{ span: ReturnType<typeof spansIn>[number]; attributes: object }> => {
    const [body] = await received(1);
    const [span] = spansIn(body as DecodedRequest);
    return { span: span!, attributes: attributesOf(span as never) };
  };

  it('have the names of the conventions for MCP, the trace of the client, their costs, and no model', async () => {
    await collector();
    await call(await keyOf(), 'echo', { text: 'Hello' });
    const { span, attributes } = await delivered();
    expect(span).toMatchObject({ name: 'tools/call echo', traceId: TRACE, parentSpanId: PARENT });
    expect(attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': '2026-07-28',
      'openinference.span.kind': 'TOOL',
      'span.type': 'tool',
      'gen_ai.usage.total_cost': 0.25,
      'trace.metadata.gatehouse.provider_name': 'docs',
    });
    expect(JSON.stringify(attributes)).toContain('You said: Hello');
    expect(attributes).not.toHaveProperty(['gen_ai.request.model']);
  });

  it('say that a tool has failed', async () => {
    await collector();
    await call(await keyOf(), 'fail', {});
    expect((await delivered()).attributes).toMatchObject({ 'error.type': 'tool_error' });
  });

  it('have no content for destinations that get none, and what filters left of it for others', async () => {
    await collector({ privacy_mode: true });
    const key = await keyOf({
      content_filter_builtins: [{ slug: 'email', action: 'redact', applies_to: ['tool_result'] }],
    });
    await call(key, 'leak', {});
    expect(JSON.stringify(await delivered())).not.toContain('Write to');
    receiver.received.length = 0;
    await collector();
    await call(key, 'leak', {});
    const sent = JSON.stringify(await received(2));
    expect(sent).toContain('Write to');
    expect(sent).not.toContain('jane@example.com');
  });

  it('are not sent where no server was asked', async () => {
    await collector();
    await gateway.send(await keyOf(), 'tools/call', { name: 'docs__unknown', arguments: {} });
    expect(await waiting()).toBe(0);
  });
});
