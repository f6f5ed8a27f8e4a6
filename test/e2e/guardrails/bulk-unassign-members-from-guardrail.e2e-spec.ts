import { describeBulkUnassign } from './bulk-unassign-tests.js';
import { MEMBERS } from './assignments.js';

describeBulkUnassign(MEMBERS);
