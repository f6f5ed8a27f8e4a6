import { until } from '../../test/support/time/until.js';
import { type Supervised, Supervisor } from './supervisor.js';

class FakeServer implements Supervised {
  isStopped = false;
  end: (how: string) => void = () => undefined;
  readonly ended = new Promise<string>((resolve) => (this.end = resolve));

  stop(): Promise<void> {
    this.isStopped = true;
    this.end('exit code 0');
    return Promise.resolve();
  }

  requestStop(): void {
    void this.stop();
  }
}

describe('Supervisor', () => {
  let logged: string[];
  const log = (line: string): unknown => logged.push(line);

  beforeEach(() => {
    logged = [];
  });

  it('stops restarting a server that keeps failing after as many attempts as it has delays', async () => {
    const server = new FakeServer();
    const relaunch = jest.fn(() => Promise.reject(new Error('no such luck')));
    const supervisor = new Supervisor(server, relaunch, log, [0, 1, 2]);
    server.end('killed by SIGKILL');
    await supervisor.finished;
    expect(relaunch).toHaveBeenCalledTimes(3);
    expect(logged.at(0)).toBe('PostgreSQL ended unexpectedly (killed by SIGKILL)');
    expect(logged.at(-1)).toBe('PostgreSQL keeps failing: given up after 3 restarts');
    await supervisor.stop();
  });

  it('counts a server that starts and soon ends as failing', async () => {
    const server = new FakeServer();
    const relaunch = jest.fn(() => {
      const next = new FakeServer();
      setImmediate(() => next.end('exit code 1'));
      return Promise.resolve(next);
    });
    const supervisor = new Supervisor(server, relaunch, log, [0, 1]);
    server.end('exit code 1');
    await supervisor.finished;
    expect(relaunch).toHaveBeenCalledTimes(2);
  });

  it('does not restart a server that was stopped on request, not even after a delay', async () => {
    const server = new FakeServer();
    const relaunch = jest.fn(() => Promise.resolve(new FakeServer()));
    const supervisor = new Supervisor(server, relaunch, log, [60_000]);
    server.end('exit code 1');
    await until(() => Promise.resolve(logged.length > 0));
    await supervisor.stop();
    expect(relaunch).not.toHaveBeenCalled();
  });

  it('stops a server that was still starting when the stop was requested', async () => {
    const [server, next] = [new FakeServer(), new FakeServer()];
    let finishStart!: (server: FakeServer) => void;
    const relaunch = jest.fn(() => new Promise<FakeServer>((resolve) => (finishStart = resolve)));
    const supervisor = new Supervisor(server, relaunch, log, [0]);
    server.end('exit code 1');
    await until(() => Promise.resolve(relaunch.mock.calls.length > 0));
    const stopped = supervisor.stop();
    finishStart(next);
    await stopped;
    expect(next.isStopped).toBe(true);
  });

  it('leaves no listener on the process', async () => {
    const before = process.listenerCount('exit');
    const supervisor = new Supervisor(new FakeServer(), () => Promise.resolve(new FakeServer()), log);
    expect(process.listenerCount('exit')).toBe(before + 1);
    await supervisor.stop();
    expect(process.listenerCount('exit')).toBe(before);
  });
});
