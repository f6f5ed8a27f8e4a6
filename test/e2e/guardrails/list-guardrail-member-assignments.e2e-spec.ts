import { describeGuardrailAssignmentList } from '../../support/assignment-tests.js';
import { MEMBERS } from '../../support/assignments.js';

describeGuardrailAssignmentList(MEMBERS);
