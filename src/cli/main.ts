import 'reflect-metadata';
import { commandLine } from './command-line.js';

try {
  const program = await commandLine(process.argv.slice(2));
  await program.parseAsync();
} catch (error) {
  // Loaded only now, because it knows errors of many modules.
  const { reportStartUpError } = await import('../bootstrap/start-up-error.js');
  reportStartUpError(error);
}
