import type { Statement } from '../../../persistence/statement.js';
import type { Statements } from '../../../persistence/statements.js';
import { CredentialsRepository, KEY_OWNER, KEY_OWNERS } from './credentials.repository.js';

/** What an engine says that cannot plan a statement over several organizations. */
const NOT_SUPPORTED = Object.assign(new Error('complex joins are only supported when ...'), { code: '0A000' });

/** A database that knows every key, and says which statements it was sent. */
function databaseThat(refuses: Error): { statements: Statements; sent: string[] } {
  const sent: string[] = [];
  const statements = {
    first: ({ name }: Statement<object, never>, [organizationId]: readonly string[]) => {
      sent.push(name);
      return Promise.resolve({ id: `key of ${organizationId}` });
    },
    rows: ({ name }: Statement<object, never>) => {
      sent.push(name);
      return Promise.reject(refuses);
    },
  };
  return { statements: statements as unknown as Statements, sent };
}

describe('CredentialsRepository', () => {
  const ownersOf = (repository: CredentialsRepository, ids: readonly string[]): Promise<unknown[]> =>
    Promise.all(
      ids.map((organizationId) => repository.keyOwner({ organizationId, hash: Buffer.from(organizationId) })),
    );

  it('looks up one key after another from when a database has refused to look up several at once', async () => {
    const { statements, sent } = databaseThat(NOT_SUPPORTED);
    const repository = new CredentialsRepository(statements);
    const expected = [{ id: 'key of org_1' }, { id: 'key of org_2' }, { id: 'key of org_3' }];

    // The first one goes by itself, and the others are gathered behind it.
    for (let round = 0; round < 2; round += 1) {
      expect(await ownersOf(repository, ['org_1', 'org_2', 'org_3'])).toEqual(expected);
    }

    expect(sent.filter((name) => name === KEY_OWNERS.name)).toHaveLength(1);
    expect(sent.filter((name) => name === KEY_OWNER.name)).toHaveLength(6);
  });

  it('fails with any other failure of that', async () => {
    const { statements } = databaseThat(new Error('the connection is gone'));
    const repository = new CredentialsRepository(statements);

    await expect(ownersOf(repository, ['org_1', 'org_2', 'org_3'])).rejects.toThrow('the connection is gone');
  });
});
