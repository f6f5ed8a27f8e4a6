import http from 'node:http';
import type { AuditEvent, ListAuditEventsResponse } from '../../../src/modules/audit/dto/audit-event.dto.js';
import { AuditRepository } from '../../../src/modules/audit/audit.repository.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { until } from '../../support/time/until.js';

/** More events than are read at a time. */
const EVENTS = 250;

describe('exportAuditEvents', () => {
  const app = sharedApplication();
  const organization = organizationPerTest(app);

  afterEach(() => jest.restoreAllMocks());

  const exported = async (query = '', key = organization.managementKey): Promise<AuditEvent[]> => {
    const answer = await app.api.get<string>(`/audit-events/export${query}`, { key });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const lines = answer.body.split('\n');
    expect(lines.pop()).toBe('');
    return lines.map((line) => JSON.parse(line) as AuditEvent);
  };

  const recordEvents = async (): Promise<void> => {
    for (let count = 0; count < EVENTS; count += 1) await app.factory.key(organization);
  };

  const listed = async (query: string): Promise<readonly AuditEvent[]> => {
    const path = `/audit-events?limit=100&${query}`;
    return (await app.api.get<ListAuditEventsResponse>(path, { key: organization.managementKey })).body.data;
  };

  it('answers 200 with every event once, as the list has it, in the order of the chain', async () => {
    await recordEvents();

    const events = await exported();

    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: events.length }, (_, index) => index + 1),
    );
    expect(events.length).toBeGreaterThanOrEqual(EVENTS);
    expect(events.slice(0, 100)).toEqual(await listed('offset=0'));
    expect(await exported(`?after=${events.length - 2}`)).toEqual(events.slice(-2));
    expect(await exported(`?after=${events.length}`)).toEqual([]);
  });

  it('answers 200 with what the filters of the list find, and with nothing of another organization', async () => {
    await app.factory.guardrail(organization);
    const other = await app.factory.organization();
    for (const query of [
      'action=guardrail.create',
      'actor=command_line',
      `actor=${organization.userId}&action=guardrail.create`,
      `target=${other.managementKeyId}`,
      'since=2026-01-01T00:00:00Z',
      'until=2026-01-01T00:00:00Z',
    ]) {
      expect(await exported(`?${query}`)).toEqual(await listed(query));
    }
    const organizations = (await exported('', other.managementKey)).map(({ id }) => id);
    expect(organizations).not.toEqual(expect.arrayContaining((await exported()).map(({ id }) => id)));
  });

  it.each([
    ['since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z', ['until']],
    ['after=-1', ['after']],
    ['limit=10', ['limit']],
  ])('answers 400 for ?%s', async (query, paths) => {
    const answer = await app.api.get(`/audit-events/export?${query}`, { key: organization.managementKey });
    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
  });

  /** An export as it comes, and whether it has ended as HTTP has it. */
  const received = (): Promise<{ status: number | undefined; text: string; isComplete: boolean }> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${organization.managementKey}` };
      http
        .get(`${app.origin}${app.environment.apiBasePath}/audit-events/export`, { headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          response.on('error', () => undefined);
          response.on('close', () => {
            resolve({ status: response.statusCode, text, isComplete: response.complete });
          });
        })
        .on('error', reject);
    });

  it('begins with 200 and ends incomplete if the database fails in between', async () => {
    await recordEvents();
    expect(await received()).toMatchObject({ status: 200, isComplete: true });
    const repository = app.application.get(AuditRepository);
    const batch = repository.batch.bind(repository);
    jest
      .spyOn(repository, 'batch')
      .mockImplementationOnce(batch)
      .mockRejectedValueOnce(new Error('the connection is gone'));

    const { status, text, isComplete } = await received();

    expect({ status, isComplete }).toEqual({ status: 200, isComplete: false });
    expect(text.split('\n').length).toBe(101);
  });

  it('answers 429 beyond four at a time, and 200 when one has ended', async () => {
    const repository = app.application.get(AuditRepository);
    let letGo!: () => void;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    let waiting = 0;
    const batch = repository.batch.bind(repository);
    const spy = jest.spyOn(repository, 'batch').mockImplementation(async (...values) => {
      waiting += 1;
      await gate;
      return batch(...values);
    });
    const open = Array.from({ length: 4 }, () => exported());
    await until(() => Promise.resolve(waiting === 4));

    const refused = await app.api.get('/audit-events/export', { key: organization.managementKey });
    expectRefusal(refused, { status: 429, reason: 'too_many_audit_exports', userId: organization.userId });
    expect(refused.headers.get('retry-after')).toBe('1');
    letGo();
    await Promise.all(open);
    spy.mockRestore();

    expect((await exported()).length).toBeGreaterThan(0);
  });
});
