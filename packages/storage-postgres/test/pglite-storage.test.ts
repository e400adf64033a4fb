import { PGlite } from '@electric-sql/pglite';
import { storageContract } from '@rdf-worlds/testkit';
import { afterAll, describe, it } from 'vitest';
import { inTurn } from '../../../test/turn.ts';
import { pgliteStorage } from '../src/index.ts';

describe('pgliteStorage keeps the contract of storages:', () => {
  const database = new PGlite();
  afterAll(() => database.close());
  let places = 0;
  const makePlace = () => {
    const schema = `contract-${++places}`;
    return {
      make: () => pgliteStorage({ database, schema }),
      dispose: async () => {
        await database.exec(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      },
    };
  };
  // The statements are those of postgresStorage, which is tested with other parts of the contract.
  for (const { name, run } of inTurn(storageContract(makePlace), 4, 2)) it(name, run);
});
