import { filledBefore } from '../../support/application/filled-before.js';
import { madeMcpServer } from '../../support/resources/mcp-servers.js';
import { callbackOf } from '../../../src/modules/mcp-servers/authorization/client-metadata.js';
import { startModernServer } from '../mcp/real-servers.js';
import { CLIENTS, startProtectedServer } from '../mcp/protected-server.js';
import { consolePerTest } from './console-browser.js';

describe('the connections to MCP servers in the console', () => {
  const context = consolePerTest({ ALLOW_PRIVATE_DESTINATIONS: 'true' });
  const page = () => context.ui.page;
  const real = filledBefore(beforeAll, startModernServer);
  afterAll(() => real.stop());

  it('are made at the sign-in page of the server, and ended', async () => {
    const { app, organization } = context;
    const server = await startProtectedServer(real.url, callbackOf(app.origin));
    try {
      await madeMcpServer(app, organization, {
        name: 'tickets',
        url: server.url,
        authentication: 'oauth_member',
        client_id: CLIENTS.members.id,
        secret: CLIENTS.members.secret,
      });
      await context.ui.go('/mcp-connections');
      await page().getByText('not connected').waitFor();
      expect(await context.ui.calledOperations()).toEqual(['GET /mcp-connections']);
      expect(await context.ui.barriers()).toEqual([]);

      await page().getByRole('button', { name: 'Connect tickets' }).click();
      await page().getByRole('button', { name: 'Disconnect tickets' }).waitFor();
      expect(new URL(page().url()).pathname).toBe('/console/mcp-connections');
      expect(await context.ui.barriers()).toEqual([]);

      await page().getByRole('button', { name: 'Disconnect tickets' }).click();
      await page().getByText('not connected').waitFor();
    } finally {
      await server.stop();
    }
  });

  it('are refused (409) with the sentence of the interface to who comes back with what is not theirs', async () => {
    await context.ui.go('/mcp-connections/callback?code=1&state=2');
    await page().getByText('This member has not begun this connection, or too long ago. Connect again.').waitFor();
    expect(await context.ui.barriers()).toEqual([]);
    // The browser writes the 409 into its console.
    expect(context.ui.complaints.splice(0)).toEqual([expect.stringContaining('409')]);
  });
});
