import { describeBulkAssign } from '../../support/assignment-tests.js';
import { MEMBERS } from '../../support/assignments.js';

describeBulkAssign(MEMBERS);
