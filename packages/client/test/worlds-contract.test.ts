import { registerContract, worldsContract } from '@rdf-worlds/testkit';
import { describe, it } from 'vitest';
import { WorldsClient } from '../src/index.ts';
import { startServer } from './running-server.ts';

describe('the contract of worlds, kept by a client of a server', () => {
  registerContract(
    worldsContract(async () => {
      const server = await startServer({}, { history: { keepRevisions: 100 } });
      return { worlds: new WorldsClient({ url: server.url, token: server.token }), dispose: () => server.close() };
    }),
    it,
  );
});
