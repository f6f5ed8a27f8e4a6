import type { Command } from 'commander';
import { commandLine } from './command-line.js';

const namesOf = ({ commands }: Command): string[] => commands.map((command) => command.name());

const isLoaded = ({ commands, options, registeredArguments: given }: Command): boolean =>
  commands.length + options.length + given.length > 0;

const loadedIn = ({ commands }: Command): string[] => commands.filter(isLoaded).map((command) => command.name());

describe('the command line', () => {
  it('lists every command with what it does and loads none of them for the help', async () => {
    const program = await commandLine(['--help']);
    const help = program.helpInformation().replaceAll(/\s+/g, ' ');

    expect(namesOf(program)).toEqual(expect.arrayContaining(['init', 'provider', 'scim', 'distribute']));
    for (const command of program.commands) expect(help).toContain(command.description());
    expect(loadedIn(program)).toEqual([]);
    expect(loadedIn(await commandLine(['no-such-command', 'init']))).toEqual([]);
  });

  it('loads each command by its name, and for its help', async () => {
    // One without options and arguments looks the same, loaded or not.
    const names = namesOf(await commandLine([])).filter((name) => name !== 'schema');
    for (const name of names) {
      expect(loadedIn(await commandLine([name, 'list']))).toEqual([name]);
    }
    expect(loadedIn(await commandLine(['help', 'provider']))).toEqual(['provider']);
  });
});
