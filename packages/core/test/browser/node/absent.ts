/**
 * Names that tests import from modules without a counterpart in browsers, and do not use there: the
 * simulation of the testkit, HTTP servers, and peers that only campaigns compare with.
 */
function absent(): never {
  throw new Error('This is not there in a browser: the test belongs into the table of needs-node.ts.');
}

export class AsyncLocalStorage {
  readonly getStore = absent;
  readonly run = absent;
}

export class Socket {
  connect(): never {
    return absent();
  }
}

export const createServer = absent;
export const comunicaEngine = absent;
// biome-ignore lint/style/noDefaultExport: the modules that it stands for have one
export default { request: absent, Socket };
