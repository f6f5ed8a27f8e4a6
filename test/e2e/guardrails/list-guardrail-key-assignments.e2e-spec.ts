import { describeGuardrailAssignmentList } from '../../support/assignment-tests.js';
import { KEYS } from '../../support/assignments.js';

describeGuardrailAssignmentList(KEYS);
