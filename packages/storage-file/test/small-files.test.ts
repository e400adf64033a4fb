import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStorage } from '@rdf-worlds/storage-file';
import { storageContract } from '@rdf-worlds/testkit';
import { describe, it } from 'vitest';
import { inTurn } from '../../../test/turn.ts';

describe('fileStorage with a log file per batch, and one of them open, fulfils the contract of storages:', () => {
  const makePlace = async () => {
    const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-storage-'));
    return {
      make: () => fileStorage({ path, maxLogFileBytes: 1, maxOpenFiles: 1 }),
      dispose: () => rm(path, { recursive: true, force: true }),
    };
  };
  for (const { name, run } of inTurn(storageContract(makePlace), 3)) it(name, run);
});
