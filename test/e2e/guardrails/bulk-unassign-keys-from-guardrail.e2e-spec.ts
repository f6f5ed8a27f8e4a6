import { describeBulkUnassign } from '../../support/assignment-tests.js';
import { KEYS } from '../../support/assignments.js';

describeBulkUnassign(KEYS);
