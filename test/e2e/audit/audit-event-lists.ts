import { sharedApplication } from '../../support/application/shared-application.js';
import type { ListAuditEventsResponse } from '../../../src/modules/audit/dto/audit-event.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { anEvent, recordEvents } from '../../support/resources/audit-chain.js';
import { filledBefore } from '../../support/application/filled-before.js';

export const PATH = '/audit-events';

/** What the tests of listAuditEvents record and ask for. */
export function auditEventLists() {
  const app = sharedApplication({ topic: 'audit-event-lists' });
  const organization = filledBefore(beforeEach, () => app.factory.unrecordedOrganization());

  const list = (query = ''): Promise<Answer<ListAuditEventsResponse>> =>
    app.api.get(`${PATH}${query}`, { key: organization.managementKey });

  /** The targets of what a query finds. */
  const found = async (query: string): Promise<string[]> => {
    const { status, body } = await list(query);
    expect(status).toBe(200);
    expect(body.total_count).toBe(body.data.length);
    return body.data.map(({ target }) => target.id);
  };

  const record = (...ids: readonly string[]): Promise<void> =>
    recordEvents(
      app,
      organization.organizationId,
      ids.map((id) => anEvent({ targetId: id })),
    );

  return { app, organization, list, found, record };
}
