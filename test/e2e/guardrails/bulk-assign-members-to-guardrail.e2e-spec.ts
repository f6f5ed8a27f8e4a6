import { describeBulkAssign } from './bulk-assign-tests.js';
import { MEMBERS } from './assignments.js';

describeBulkAssign(MEMBERS);
