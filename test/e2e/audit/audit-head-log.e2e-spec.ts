import { AuditHeadLogService } from '../../../src/modules/audit/audit-head-log.service.js';
import { AuditVerificationService } from '../../../src/modules/audit/audit-verification.service.js';
import { TestApplication } from '../../support/application/test-application.js';

interface HeadLine {
  readonly message: string;
  readonly organization_id: string;
  readonly expect: string;
}

describe('the log of audit chain heads', () => {
  let app: TestApplication;
  let replica: TestApplication;

  beforeEach(async () => {
    app = await TestApplication.start();
    replica = await TestApplication.start({ database: app.database });
  });

  afterEach(async () => {
    await replica.stop();
    await app.stop();
  });

  const linesOf = ({ logLines }: TestApplication): HeadLine[] =>
    logLines.map((line) => JSON.parse(line) as HeadLine).filter(({ message }) => message === 'audit head');

  it('gets one line for each organization in 24 hours, from one replica only when several try at once', async () => {
    const organizations = [await app.factory.organization(), await app.factory.organization()];
    const services = [app, replica].map((one) => one.application.get(AuditHeadLogService));

    const done = await Promise.all(services.map((service) => service.logIfDue()));
    const again = await Promise.all(services.map((service) => service.logIfDue()));

    expect([done.filter(Boolean), again]).toEqual([[true], [false, false]]);
    const lines = [...linesOf(app), ...linesOf(replica)];
    expect(lines.map((line) => line.organization_id)).toEqual(organizations.map((one) => one.organizationId).sort());
    await app.rows(`UPDATE audit_head_log SET logged_at = now() - interval '24 hours'`);
    expect(await services[1]!.logIfDue()).toBe(true);
  });

  it('gives the value for --expect of a later verification, which then finds a rewritten chain of the same length', async () => {
    const { organizationId } = await app.factory.organization();
    await app.application.get(AuditHeadLogService).logIfDue();
    const [sequence, hash] = linesOf(app)[0]!.expect.split(':');
    const anchor = { sequence: sequence!, hash: hash! };
    const verification = app.application.get(AuditVerificationService);

    expect((await verification.verify(organizationId, [anchor])).issues).toEqual([]);
    const other = { ...anchor, hash: '0'.repeat(64) };
    expect((await verification.verify(organizationId, [other])).issues).toMatchObject([{ kind: 'anchor' }]);
  });

  it('is written later when an organization has no chain head yet', async () => {
    expect(await app.application.get(AuditHeadLogService).logIfDue()).toBe(false);
    expect(await app.rows(`SELECT FROM audit_head_log WHERE logged_at > '-infinity'`)).toEqual([]);
  });

  it('gets the head of every organization when there are more than one read returns', async () => {
    await app.rows(
      `INSERT INTO audit_heads (organization_id, sequence, hash) SELECT 'org_' || n, n, sha256(n::text::bytea)
       FROM generate_series(1, 1001) n`,
    );
    await app.application.get(AuditHeadLogService).logIfDue();
    expect(new Set(linesOf(app).map((line) => line.organization_id)).size).toBe(1_001);
  });
});
