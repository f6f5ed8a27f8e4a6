import { newUuid } from '../../src/persistence/identifiers.js';
import { Statements } from '../../src/persistence/statements.js';
import { implicitDefaultGuardrail } from '../../src/modules/guardrails/guardrail-settings.js';
import { GuardrailsRepository } from '../../src/modules/guardrails/guardrails.repository.js';
import { sharedApplication } from '../support/application/shared-application.js';
import { sharedOrganization } from '../support/application/shared-organization.js';

/** Whether two transactions insert at the same instant is up to chance, so there are many rounds. */
const ROUNDS = 150;

describe('inserting the default guardrail of a workspace', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  it('creates one row without an error on 16 connections at the same time', async () => {
    const { organizationId, workspaceId } = organization;
    const repository = app.application.get(GuardrailsRepository);
    const statements = app.application.get(Statements);
    const workspace = { id: workspaceId, organizationId, createdAt: new Date() };

    for (let round = 0; round < ROUNDS; round += 1) {
      const guardrail = { ...implicitDefaultGuardrail(workspace), id: newUuid() };
      await Promise.all(
        Array.from({ length: 16 }, () => statements.transaction((tx) => repository.insertIfAbsent(tx, guardrail))),
      );
    }

    const [count] = await app.rows<{ count: string }>('SELECT count(*) FROM guardrails');
    expect(count).toEqual({ count: String(ROUNDS) });
  });
});
