import type { Fault } from '../support/fault.js';
import type { Outcome } from '../support/caller.js';
import { summaryOf } from '../support/outcomes.js';
import { query } from '../support/postgres-server.js';
import { makeGroups } from '../support/rows.js';
import { meetAtTable, PATIENT_WITH_LOCKS } from '../support/table-lock.js';

const MAPPINGS = 200;

/** How many of them are to find no mapping at the same moment. */
const MEETING = 6;

/** Of many equal mappings over two replicas, one is created. */
export const EQUAL_MAPPINGS: Fault = {
  name: 'equal-mappings',
  title: `${MAPPINGS} equal mappings at the same time over two replicas`,
  run: async (scene) => {
    const { verdict, tenant } = scene;
    const services = await Promise.all([scene.service(PATIENT_WITH_LOCKS), scene.service(PATIENT_WITH_LOCKS)]);
    const callers = services.map((service) => scene.caller(service));
    const url = await scene.database();
    const [group, other] = await makeGroups(url, tenant, 2);
    const map = (mapped: string | undefined): Promise<Outcome[]> =>
      Promise.all(
        Array.from({ length: MAPPINGS }, (_, number) =>
          callers[number % callers.length]!.post('/scim/group-mappings', {
            scim_group_id: mapped,
            workspace_id: tenant.workspace.id,
          }),
        ),
      );

    // Once before: services that have just started open connections and compile while the others would wait at the table.
    await map(other);
    const { outcome: outcomes, met } = await meetAtTable(url, 'scim_group_mappings', MEETING, () => map(group));
    const made = outcomes.filter(({ status }) => status === 200).length;
    const refused = outcomes.filter(({ status }) => status === 409).length;
    const rows = await query(url, 'SELECT id FROM scim_group_mappings WHERE scim_group_id = $1', [group]);
    verdict.figure('sent', outcomes.length);
    verdict.figure('made', made);
    verdict.figure('refused', refused);
    verdict.figure('failed', outcomes.length - made - refused);
    verdict.figure('rows', rows.length);
    verdict.figure('met', met);
    verdict.expect(met > 1, 'several find no mapping at the same moment', met);
    verdict.expect(made === 1 && refused === MAPPINGS - 1, 'one is a 200, the others are a 409', summaryOf(outcomes));
    verdict.expect(rows.length === 1, 'there is one row', rows.length);
  },
};
