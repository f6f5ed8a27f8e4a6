import { loadSpecs } from './load-specs.js';
import { SUITES } from './suites.js';

loadSpecs(SUITES['inference-3']);
