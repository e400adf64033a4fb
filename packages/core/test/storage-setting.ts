import { type GivenStorage, giveStorage } from './engine/durable/given-storage.ts';

// RDF_WORLDS_TEST_STORAGE=memory, file or disk: every test of the engine runs on that storage,
// unless it brings one.
const kind = process.env.RDF_WORLDS_TEST_STORAGE;
if (kind === 'memory' || kind === 'file' || kind === 'disk') giveStorage(kind satisfies GivenStorage);
else if (kind) throw new Error(`RDF_WORLDS_TEST_STORAGE is memory, file or disk, not "${kind}".`);
