import { existsSync } from 'node:fs';
import { type Environment, readEnvironment } from '../config/environment.js';

/**
 * The configuration of this process: its environment variables and, for those that are not set, the file `.env` of the
 * working directory.
 *
 * @throws ConfigurationError that lists every fault at once
 */
export function loadEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readEnvironment(process.env);
}

/** Where the person stood who typed the command: npm runs scripts in the package's directory, wherever it is called. */
export function callerDirectory(): string {
  return process.env['INIT_CWD'] ?? process.cwd();
}
