import { ApiClient } from '../../support/network/api-client.js';
import { DataDirectory } from '../../support/processes/data-directory.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { scrape, valueOf } from '../metrics/scrape.js';

const TOKEN = 'token-for-tests';

/** Emits an error that nothing listens for on each SIGUSR2: first those of connections, then another one. */
const EMITS_ERRORS = `data:text/javascript,${encodeURIComponent(`
  import { EventEmitter } from 'node:events';
  const errors = [
    ['UND_ERR_ABORTED', 'Request aborted'],
    ['ECONNRESET', 'read ECONNRESET'],
    [undefined, 'a fault of the program'],
  ];
  process.on('SIGUSR2', () => {
    const [code, message] = errors.shift();
    setImmediate(() => new EventEmitter().emit('error', Object.assign(new Error(message), code && { code })));
  });
`)}`;

describe('the process of the service', () => {
  let directory: DataDirectory;

  beforeAll(async () => {
    directory = await DataDirectory.make();
  });

  afterAll(async () => {
    await GatehouseProcess.killAll();
    await directory.remove();
  });

  it('still answers 200 behind errors of connections that nothing listens for, which are logged and counted, and ends with exit code 1 by any other', async () => {
    const service = GatehouseProcess.service({
      DATA_DIR: directory.path,
      METRICS_TOKEN: TOKEN,
      NODE_OPTIONS: `--import ${EMITS_ERRORS}`,
    });
    const origin = await service.origin();
    const counted = async (): Promise<number> =>
      valueOf(await scrape(`${origin}/metrics`, TOKEN), 'gatehouse_unhandled_connection_errors_total');
    // The series begins at 0, so that the first error is an increase.
    expect(await counted()).toBe(0);

    service.signal('SIGUSR2');
    await service.said(/"code":"UND_ERR_ABORTED"/);
    service.signal('SIGUSR2');
    await service.said(/"code":"ECONNRESET"/);

    expect(service.output.match(/"message":"an error of a connection was not handled"/g)).toHaveLength(2);
    expect(await counted()).toBe(2);
    expect((await new ApiClient(origin).get('/health/live')).status).toBe(200);

    service.signal('SIGUSR2');

    const { code, stderr } = await service.end();
    expect(code).toBe(1);
    expect(stderr).toContain('a fault of the program');
  }, 120_000);
});
