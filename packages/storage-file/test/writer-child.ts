import { openSync, writeSync } from 'node:fs';
import { fileStorage, nodeFileSystem } from '@rdf-worlds/storage-file';
import { recordOf } from './opened-storage.ts';
import { steppedFileSystem } from './stepped-file-system.ts';

// writer-child DIRECTORY NAME ACKNOWLEDGED OPTIONS [STEP MOMENT COUNT]: opens the storage, says so
// or why not, and appends records to the namespace `n`, each with the name and a number. It adds
// what was acknowledged to the file ACKNOWLEDGED, as `position text`, and says why it ended. Every
// tenth time it makes a checkpoint, and truncates. When it comes to the step for the COUNT-th time
// it says `stopped` and stops, until it is continued.
const [directory, name, file, options, stepName, moment, count] = process.argv.slice(2);
const acknowledged = openSync(file, 'a');
const say = (line: string) => writeSync(1, `${line}\n`);
let left = Number(count);
let isOpen = false;
const fileSystem = stepName
  ? steppedFileSystem(nodeFileSystem, (step) => {
      if (!isOpen || step.name !== stepName || step.moment !== moment || --left !== 0) return;
      say('stopped');
      process.kill(process.pid, 'SIGSTOP');
    })
  : nodeFileSystem;
const storage = fileStorage({ path: directory, fileSystem, ...JSON.parse(options) });
const whyNot = (error: { code?: string; message: string }) => `${error.code ?? 'ERROR'} ${error.message}`;
try {
  await storage.open();
} catch (error) {
  say(`refused ${whyNot(error as Error)}`);
  process.exit();
}
say('open');
isOpen = true;
try {
  const namespace = storage.namespace('n');
  for (let number = 0; ; number++) {
    const text = `${name}-${number}`;
    const head = await namespace.append(await namespace.head(), [recordOf(text)]);
    writeSync(acknowledged, `${head.position} ${text}\n`);
    if (number % 10 === 9) {
      await namespace.writeCheckpoint(head, [{ name: `s${head.position}`, write: () => [Buffer.from(text)] }]);
      await namespace.truncate({ ...head, position: 0 });
    }
    if (number === 20) say('writes');
  }
} catch (error) {
  say(`ended ${whyNot(error as Error)}`);
}
// It stays, with its files open, as a server does that has met an error.
setInterval(() => undefined, 1000);
