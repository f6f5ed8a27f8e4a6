import { sharedApplication } from '../../support/application/shared-application.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Answer } from '../../support/network/api-client.js';
import { type AssignmentKind, Assignments } from './assignments.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { UNKNOWN_UUID } from '../../support/expectations/formats.js';

/** What the tests of one operation on assignments have at hand. */
export interface Fixture {
  app: TestApplication;
  organization: NewOrganization;
  here: Assignments;
}

/** An application of requests of assignments, with an organization of its own for each test. */
export function fixtureOf(kind: AssignmentKind): Fixture {
  const app = sharedApplication({ topic: 'assignment-request-tests', variables: { KEY_DELETION_RATE_LIMIT: '1000' } });
  const fixture = { app } as Fixture;

  beforeEach(async () => {
    fixture.organization = await app.factory.organization();
    fixture.here = new Assignments(kind, app, fixture.organization);
  });

  return fixture;
}

/** Tests with ids that no guardrail has. */
export function describeGuardrailNotFound(
  fixture: Fixture,
  operationId: string,
  call: (here: Assignments, id: string) => Promise<Answer>,
): void {
  it.each([UNKNOWN_UUID, 'default', 'assignments', `${UNKNOWN_UUID}0`])(
    'answers 404 for a guardrail with the id %s',
    async (id) => {
      const answer = await call(fixture.here, id);

      expectRefusal(answer, { status: 404, reason: 'guardrail_not_found', userId: fixture.organization.userId });
      expectToFitContract(operationId, 404, answer.body);
    },
  );
}

/** Tests with empty or malformed lists. */
export function describeReferences(
  fixture: Fixture,
  call: (here: Assignments, id: string, references: readonly unknown[]) => Promise<Answer>,
): void {
  it.each<[string, unknown[], (field: string) => string[]]>([
    ['an empty list', [], (field) => [field]],
    ['an empty name', [''], (field) => [`${field}[0]`]],
    ['null and a number', [null, 'x', 1], (field) => [`${field}[0]`, `${field}[2]`]],
    ['a NUL character', ['a\u0000'], (field) => [`${field}[0]`]],
  ])('answers 400 for %s', async (_, references, pathsOf) => {
    const { organization, here } = fixture;
    const answer = await call(here, await here.newGuardrail(), references);
    const paths = pathsOf(here.kind.field);

    expectRefusal(answer, { status: 400, reason: 'invalid_parameters', paths, userId: organization.userId });
  });
}
