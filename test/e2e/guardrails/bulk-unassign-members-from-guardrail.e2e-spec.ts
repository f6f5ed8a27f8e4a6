import { describeBulkUnassign } from './assignment-tests.js';
import { MEMBERS } from './assignments.js';

describeBulkUnassign(MEMBERS);
