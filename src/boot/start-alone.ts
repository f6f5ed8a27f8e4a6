import type { ProcessContext } from '../app.module.js';
import { InstallationService } from '../modules/installation/installation.service.js';
import { showFirstKey } from './announcement.js';
import { startListening } from './listening-application.js';
import type { RunningService } from './running-service.js';

/** The service in this process. */
export async function startAlone(context: ProcessContext): Promise<RunningService> {
  let created = false;
  const application = await startListening(context, async (prepared) => {
    created = await prepared.get(InstallationService).ensure(showFirstKey);
  });
  return { ...application, created, gone: new Promise(() => undefined) };
}
