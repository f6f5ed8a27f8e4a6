import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.js';
import { EmbeddedPostgresFailed } from './errors.js';
import { failure, reference, startProgram, unreference, type StartedProgram } from './program.js';
import { clusterName, settingArguments } from './server-settings.js';

const READY = 'database system is ready to accept connections';
const ADDRESS_TAKEN = 'could not create any TCP/IP sockets';
const DATA_IN_USE = /pre-existing shared memory block .* is still in use|lock file "postmaster.pid" already exists/;
/** Lines that are written at every start and stop and are not logged. */
const ROUTINE =
  /^LOG:\s+(starting PostgreSQL|listening on|database system (was shut down at|is ready|is shut down)|received fast shutdown|aborting any active transactions|shutting down|background worker "logical replication launcher")/;
const REMEMBERED_LINES = 50;
const FAST_SHUTDOWN_MS = 10_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;

/** The options of a postmaster. */
export interface PostmasterOptions {
  /** The absolute path of the program. */
  readonly program: string;
  /** PostgreSQL's own data directory, absolute and without symbolic links. Nothing serves it. */
  readonly clusterDirectory: string;
  readonly account: Account;
  /** See `settingArguments`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Receives the lines that PostgreSQL writes, except the routine ones. */
  readonly log: (line: string) => void;
}

/** The port was free when it was chosen, but has been taken since. */
export class PortTaken extends Error {
  constructor(port: number) {
    super(`Port ${port} of 127.0.0.1 is taken.`);
    this.name = 'PortTaken';
  }
}

/** PostgreSQL reported that an earlier server of the same data, or one of its processes, has not ended. */
export class DataInUse extends EmbeddedPostgresFailed {}

/** A running PostgreSQL server that accepts connections. It does not keep this process from exiting. */
export class Postmaster {
  private stopping?: Promise<void>;

  private constructor(private readonly program: StartedProgram) {}

  /**
   * Starts a server and resolves when it accepts connections, which after a crash takes as long as recovery does.
   * Throws PortTaken, DataInUse, EmbeddedPostgresUnavailable or EmbeddedPostgresFailed when it ends instead.
   *
   * @param port where to listen, on 127.0.0.1
   */
  static async launch(options: PostmasterOptions, port: number): Promise<Postmaster> {
    const { clusterDirectory: directory, account, settings } = options;
    const program = await startProgram(
      options.program,
      // The directory comes first and as a path, because a later run recognizes this process by it.
      ['-D', directory, ...settingArguments(port, clusterName(directory), settings)],
      account,
    );

    const written: string[] = [];
    const ready = new Promise<'ready'>((resolve) => {
      createInterface({ input: program.stderr }).on('line', (line) => {
        if (written.length < REMEMBERED_LINES) written.push(line);
        if (!ROUTINE.test(line)) options.log(line);
        if (line.includes(READY)) resolve('ready');
      });
    });
    const outcome = await Promise.race([ready, program.ended]);
    if (outcome !== 'ready') throw explain(port, outcome, written.join('\n'));
    unreference(program);
    return new Postmaster(program);
  }

  /** Resolves when the server has ended for any reason, with `exit code 0`, `killed by SIGKILL` and so on. */
  get ended(): Promise<string> {
    return this.program.ended;
  }

  get processId(): number | undefined {
    return this.program.child.pid;
  }

  /** Asks the server to close its connections and shut down, without waiting for it. */
  requestStop(): void {
    this.program.child.kill('SIGINT');
  }

  /**
   * Shuts the server down and resolves when it has ended. Connections are closed and their transactions rolled back. After
   * 10 s the server is stopped as by a crash, and recovers committed transactions at its next start.
   */
  stop(): Promise<void> {
    this.stopping ??= this.shutDown();
    return this.stopping;
  }

  private async shutDown(): Promise<void> {
    reference(this.program);
    this.requestStop();
    if (await this.endsWithin(FAST_SHUTDOWN_MS)) return;
    this.program.child.kill('SIGQUIT');
    if (await this.endsWithin(IMMEDIATE_SHUTDOWN_MS)) return;
    this.program.child.kill('SIGKILL');
    await this.program.ended;
  }

  private endsWithin(milliseconds: number): Promise<boolean> {
    const tooLong = sleep(milliseconds, false, { ref: false });
    return Promise.race([this.program.ended.then(() => true), tooLong]);
  }
}

function explain(port: number, ending: string, output: string): Error {
  if (output.includes(ADDRESS_TAKEN)) return new PortTaken(port);
  if (DATA_IN_USE.test(output)) return new DataInUse('An earlier PostgreSQL server of this data has not ended', output);
  return failure('PostgreSQL did not start', ending, output);
}
