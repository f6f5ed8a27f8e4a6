import 'reflect-metadata';
import { reportStartUpError } from '../bootstrap/start-up-error.js';
import { commandLine } from './command-line.js';

try {
  await commandLine().parseAsync();
} catch (error) {
  reportStartUpError(error);
}
