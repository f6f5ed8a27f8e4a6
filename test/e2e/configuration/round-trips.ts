import fc from 'fast-check';
import { type ConfigurationInterface, fileOf } from './configuration-interface.js';
import { MEMBER, RANDOM_LISTS } from './random-files.js';

const SECRETS = { secrets: { 'env:SECRET': 'secret-0123456789abcdef' } };

/** Applies random files, exports what there is, and plans that: nothing may be left to do. */
export async function roundTrips({ app }: ConfigurationInterface, count: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(RANDOM_LISTS, async (lists) => {
      const { managementKey: key, userId } = await app.factory.organization();
      const [member] = await app.rows<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]);
      const placed = JSON.parse(JSON.stringify(lists).replaceAll(MEMBER, member!.email)) as object;
      const post = (operation: string, json: object) =>
        app.api.send<{ data: { changes: unknown[] } }>('POST', `/configuration/${operation}`, { key, json });
      const applied = await post('apply', { files: [fileOf(placed)], ...SECRETS });
      expect(applied).toMatchObject({ status: 200 });
      const exported = await app.api.send<{ data: { document: object } }>(
        'GET',
        '/configuration/export?owner=platform',
        {
          key,
        },
      );
      const documents = [exported.body.data.document];
      const again = await post('plan', { files: [{ name: 'gatehouse.yaml', documents }], prune: true });
      expect(again.body).toMatchObject({ data: { changes: [], conflicts: [] } });
    }),
    { numRuns: count },
  );
}
