import { describeAssignmentList } from './assignment-tests.js';
import { MEMBERS } from './assignments.js';

describeAssignmentList(MEMBERS, {});
