import type { ProcessContext } from '../app.module.js';
import { InstallationService, type NewOrganization } from '../modules/installation/installation.service.js';
import { startListening } from './listening-application.js';
import type { RunningService } from './running-service.js';

/** The service in this process. */
export async function startAlone(context: ProcessContext): Promise<RunningService> {
  let made: NewOrganization | undefined;
  const application = await startListening(context, async (prepared) => {
    made = await prepared.get(InstallationService).ensure();
  });
  return { ...application, made, gone: new Promise(() => undefined) };
}
