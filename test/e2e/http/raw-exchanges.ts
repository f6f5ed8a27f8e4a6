import { sharedApplication } from '../../support/application/shared-application.js';
import type { Answer } from '../../support/network/api-client.js';
import { type ByteExchange, exchangeBytes } from '../../support/network/raw-connection.js';
import { expectEnvelope } from '../../support/expectations/error-envelope.js';
import { expectNoSideEffects } from '../../support/expectations/no-side-effects.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** What the tests send on raw connections, and how they read the answers. */
export function rawExchanges() {
  const app = sharedApplication({ topic: 'suite' });
  const organization = sharedOrganization(app);

  const authorization = (): string => `Authorization: Bearer ${organization.managementKey}\r\n`;

  const exchange = (bytes: string, until: number | 'closed', halfCloses = false): Promise<ByteExchange> =>
    exchangeBytes(app.origin, [bytes], until, halfCloses);

  /** Checks that bytes get one answer, an envelope of that status, and then the end of the connection. */
  const expectCutOff = async (bytes: string, status: number, reason: string, halfCloses = false): Promise<void> => {
    await expectNoSideEffects(app, async () => {
      const { answers, isClosed } = await exchange(bytes, 'closed', halfCloses);
      expect(answers).toHaveLength(1);
      expect(expectEnvelope(answers[0]!, status).error.metadata.reason).toBe(reason);
      expect(answers[0]!.headers.get('connection')).toBe('close');
      expect(isClosed).toBe(true);
    });
  };

  const get = (target: string, headers = ''): string =>
    `GET ${target} HTTP/1.1\r\nHost: gateway.example\r\n${authorization()}${headers}\r\n`;

  const statuses = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

  return { app, organization, authorization, exchange, expectCutOff, get, statuses };
}
