import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { TestApplication } from '../../support/application/test-application.js';
import { TokenIssuer } from '../../support/network/token-issuer.js';
import { newIssuer } from '../../support/resources/federation.js';

/** An application that asks issuers on the loopback, and another replica of it. */
export type FederatingApplication = TestApplication & { readonly otherReplica: TestApplication };

const VARIABLES = { OIDC_ALLOW_PRIVATE_ISSUERS: 'true', PUBLIC_URL: 'https://gateway.example.com' };

/** The application of a describe block, which starts before its tests and stops after them. */
export function federatingApplication(): FederatingApplication {
  const app = filledBefore(beforeAll, async () => {
    const started = await TestApplication.start({ variables: VARIABLES });
    await started.factory.starterCatalog();
    return Object.assign(started, { otherReplica: await started.replica(VARIABLES) });
  });
  afterAll(() => app.stop());
  return app;
}

/** An issuer of a test. */
export interface IssuerOfTest {
  /** Its id in the organization. */
  readonly id: string;
  readonly server: TokenIssuer;
}

/** A new issuer for each test of a describe block, whose keys are found by discovery. */
export function issuerPerTest(app: TestApplication, organization: NewOrganization): IssuerOfTest {
  const issuer = filledBefore(beforeEach, async () => {
    const server = await TokenIssuer.start();
    return { server, id: await newIssuer(app, organization, { issuer: server.issuer }) };
  });
  afterEach(() => issuer.server.stop());
  return issuer;
}
