import { describeBulkUnassign } from './bulk-unassign-tests.js';
import { KEYS } from './assignments.js';

describeBulkUnassign(KEYS);
