import { fileStorage } from '@rdf-worlds/storage-file';

// lock-child PATH: opens the storage, says so or why not, and stays until it is killed.
const storage = fileStorage({ path: process.argv[2] });
try {
  await storage.open();
  console.log('open');
  setInterval(() => undefined, 1000);
} catch (error) {
  console.log(`refused ${(error as { code: string }).code} ${(error as Error).message}`);
}
