import { PGlite } from '@electric-sql/pglite';
import { storageContract } from '@rdf-worlds/testkit';
import { afterAll, describe, it } from 'vitest';
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
  for (const { name, run } of storageContract(makePlace)) it(name, run);
});
