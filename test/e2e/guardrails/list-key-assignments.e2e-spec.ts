import { describeAssignmentList } from '../../support/assignment-tests.js';
import { KEYS } from '../../support/assignments.js';

describeAssignmentList(KEYS, {
  key_name: expect.stringMatching(/^Key \d+$/) as unknown,
  key_label: expect.stringMatching(/^sk-gate-v1-.*\.\.\./) as unknown,
});
