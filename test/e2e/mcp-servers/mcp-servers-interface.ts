import type { McpServer } from '../../../src/modules/mcp-servers/dto/mcp-server.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import type { Answer } from '../../support/network/api-client.js';

/** What tests of the operations on MCP servers share. */
export interface McpServersInterface {
  readonly app: TestApplication;
  readonly organization: NewOrganization;
  /** Checks what an operation refuses: by default for what is wrong with its fields. */
  readonly refused: (answer: Answer<never>, refusal: Partial<Refusal>) => void;
  readonly send: <Body = { data: McpServer }>(method: string, path: string, json?: object) => Promise<Answer<Body>>;
}

/** An application with an organization for each test. */
export function mcpServersInterface(variables: Readonly<Record<string, string>> = {}): McpServersInterface {
  const app = sharedApplication({ variables });
  const organization = organizationPerTest(app);
  return {
    app,
    organization,
    refused: (answer, refusal) =>
      expectRefusal(answer, {
        status: 400,
        reason: 'invalid_parameters',
        userId: organization.userId,
        ...refusal,
      }),
    send: (method, path, json) =>
      app.api.send(method, path, { key: organization.managementKey, ...(json && { json }) }),
  };
}
