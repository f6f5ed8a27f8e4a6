import { answerAsAsked } from '../../e2e/inference/provider-answers.js';
import { ProviderServer } from './provider-server.js';

let started: Promise<ProviderServer> | undefined;

/** The address of a server that answers every chat, one for all tests of a process, which does not keep the process alive. */
export async function answeringAddress(): Promise<string> {
  started ??= ProviderServer.start().then((server) => {
    server.answerWith(answerAsAsked);
    server.unref();
    return server;
  });
  return (await started).baseUrl;
}
