import { registerContract, worldsContract } from '@rdf-worlds/testkit';
import { describe, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';

// The client of a server passes the same cases: packages/client/test/worlds-contract.test.ts.
describe('the contract of worlds, kept by an engine', () => {
  registerContract(
    worldsContract(async () => ({ worlds: await WorldsEngine.open({ history: { keepRevisions: 100 } }) })),
    it,
  );
});
