import { GIVEN_STORAGES, giveStorage } from './engine/durable/given-storage.ts';

// RDF_WORLDS_TEST_STORAGE=file, or another of these storages: every test of the engine runs on it,
// unless it brings one.
const name = process.env.RDF_WORLDS_TEST_STORAGE;
const kind = GIVEN_STORAGES.find((each) => each === name);
if (kind) giveStorage(kind);
else if (name) throw new Error(`RDF_WORLDS_TEST_STORAGE is one of ${GIVEN_STORAGES.join(', ')}, not "${name}".`);
