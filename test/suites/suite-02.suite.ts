import { runSuite } from './spec-files.js';

runSuite(2);
