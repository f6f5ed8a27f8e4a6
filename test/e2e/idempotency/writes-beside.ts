import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import type { TestApplication } from '../../support/application/test-application.js';

/** What PostgreSQL and the service say of a statement that ran outside of the transaction that it was meant for. */
const MISPLACED = /savepoint|transaction block|current transaction is aborted|25P0[12]|client was given back/i;

/** The lines of the log about statements that have gone astray. */
export function misplacedStatements(app: Pick<TestApplication, 'logLines'>): string[] {
  return app.logLines.filter((line) => MISPLACED.test(line));
}

/** Creates keys for an organization, one after the other, with an Idempotency-Key and without. */
export class WritesBeside {
  private isOver = false;
  private readonly statuses: number[] = [];

  private constructor(
    private readonly app: TestApplication,
    private readonly organization: NewOrganization,
  ) {}

  static begin(app: TestApplication, organization: NewOrganization): WritesBeside {
    const writes = new WritesBeside(app, organization);
    writes.ended = writes.write();
    return writes;
  }

  private ended: Promise<void> = Promise.resolve();

  /** @returns the status of each request, of which there is at least one */
  async end(): Promise<readonly number[]> {
    this.isOver = true;
    await this.ended;
    return this.statuses;
  }

  private async write(): Promise<void> {
    do {
      const isKeyed = this.statuses.length % 2 === 1;
      const { status } = await this.app.api.post('/keys', {
        key: this.organization.managementKey,
        json: { name: 'Deployment' },
        ...(isKeyed && { headers: { 'idempotency-key': newUuid() } }),
      });
      this.statuses.push(status);
    } while (!this.isOver);
  }
}
