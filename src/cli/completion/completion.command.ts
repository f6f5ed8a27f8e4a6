import { Argument, Command } from 'commander';
import { completedCommands } from './completed-commands.js';
import { SCRIPTS, type Shell, SHELLS } from './shell-scripts.js';

/**
 * `gatehouse completion`: prints a script of a shell, made of all commands (README.md).
 *
 * @param load gives the command with all that is below it
 */
export function completionCommand(load: () => Promise<Command>): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action(async (shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](completedCommands(await load())));
    });
}
