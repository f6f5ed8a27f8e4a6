import { acceptedKey, acceptedKeys } from '../../operations/accepted-key.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { expectEnvelope, issuePaths } from '../../support/expectations/error-envelope.js';
import { interfaceOf, type Operation, pathOf } from '../../support/openapi/described-operations.js';
import {
  bodyWith,
  placeName,
  closedPlaces,
  type SchemaPlace,
  acceptsType,
} from '../../support/openapi/example-bodies.js';
import { expectNoSideEffects } from '../../support/expectations/no-side-effects.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** Stands in a body where a number is put that JSON.stringify cannot write. */
const MARK = '@number@';

interface ValueField extends SchemaPlace {
  readonly operation: Operation;
}

describe('number and boolean fields', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);
  const keys = filledBefore(beforeAll, () => acceptedKeys(app, organization));
  const api = filledBefore(beforeAll, () => interfaceOf(app.application));

  beforeAll(() => app.factory.enableScim(organization));

  const fieldsOf = (type: string): ValueField[] =>
    api.operations.flatMap((operation) =>
      (operation.body ? closedPlaces(api, operation.body) : [])
        .filter(({ schema }) => acceptsType(schema, type))
        .map((field) => ({ operation, ...field })),
    );

  /** @param literal as it stands in the body */
  const send = ({ operation, place }: ValueField, literal: string): Promise<Answer<ErrorBody>> => {
    const text = JSON.stringify(bodyWith(api, operation.body!, place, MARK));
    const raw = text.replace(`"${MARK}"`, literal);
    return app.api.send(operation.method, pathOf(operation), { key: acceptedKey(operation.operationId, keys), raw });
  };

  it('occur in the bodies of several operations', () => {
    const names = new Set(fieldsOf('number').map(({ place }) => placeName(place)));
    expect([...names]).toEqual(expect.arrayContaining(['limit', 'limit_usd']));
    expect(fieldsOf('boolean').length).toBeGreaterThan(8);
  });

  it.each(['"1"', '""', '"NaN"', '"1e400"', '1e400', '-1e400', '1e309', '-1', '-1e-300', 'true', '[]', '[1]', '{}'])(
    'are answered 400 with %s as number',
    async (literal) => {
      await expectNoSideEffects(app, async () => {
        // Some numbers may be negative.
        const fields = fieldsOf('number').filter(
          ({ schema }) =>
            !literal.startsWith('-') ||
            Number(literal) === -Infinity ||
            (schema.minimum ?? schema.exclusiveMinimum ?? 0) >= 0,
        );
        for (const field of fields) {
          const envelope = expectEnvelope(await send(field, literal), 400, field.operation.operationId);
          expect(issuePaths(envelope)).toContain(placeName(field.place));
        }
      });
    },
  );

  it.each(['"true"', '"false"', '""', '0', '1', '-0', '[]', '[true]', '{}'])(
    'are answered 400 with %s as boolean',
    async (literal) => {
      await expectNoSideEffects(app, async () => {
        for (const field of fieldsOf('boolean')) {
          const envelope = expectEnvelope(await send(field, literal), 400, field.operation.operationId);
          const [issue] = envelope.error.metadata.issues!;
          expect(issue).toEqual({
            path: placeName(field.place),
            message: acceptsType(field.schema, 'null') ? 'must be boolean or null' : 'must be boolean',
          });
        }
      });
    },
  );

  it.each([
    ['0', 0],
    ['-0', 0],
    ['-0.0e5', 0],
    ['1e-400', 0],
    ['5e-324', 5e-324],
    ['0.1', 0.1],
    ['1E2', 100],
    ['100.00', 100],
    ['9007199254740993', 9007199254740992],
    ['1.7976931348623157e308', Number.MAX_VALUE],
  ])('are answered 201 and store %s as the nearest double', async (literal, value) => {
    const answer = await app.api.post<{ data: { id: string; limit_usd: number } }>('/guardrails', {
      key: organization.managementKey,
      raw: `{"name":"limited","limit_usd":${literal},"reset_interval":"daily"}`,
    });

    expect(answer.status).toBe(201);
    expect(answer.body.data.limit_usd).toBe(value);
    const [row] = await app.rows<{ limit_usd: number }>('SELECT limit_usd FROM guardrails WHERE id = $1', [
      answer.body.data.id,
    ]);
    // Zero of either sign is zero.
    expect(row!.limit_usd + 0).toBe(value);
  });

  it('are answered 400 with an infinite number, named with the other issues', async () => {
    const answer = await app.api.post<ErrorBody>('/guardrails', {
      key: organization.managementKey,
      raw: '{"limit_usd":1e400,"reset_interval":"hourly","enforce_zdr":"yes","name":7}',
    });

    const envelope = expectEnvelope(answer, 400);
    expect(issuePaths(envelope).sort()).toEqual(['enforce_zdr', 'limit_usd', 'name', 'reset_interval']);
  });
});
