import { describeBulkUnassign } from '../../support/assignment-tests.js';
import { MEMBERS } from '../../support/assignments.js';

describeBulkUnassign(MEMBERS);
