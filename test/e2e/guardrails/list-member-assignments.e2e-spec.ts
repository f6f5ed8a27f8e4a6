import { describeAssignmentList } from '../../support/assignment-tests.js';
import { MEMBERS } from '../../support/assignments.js';

describeAssignmentList(MEMBERS, {});
