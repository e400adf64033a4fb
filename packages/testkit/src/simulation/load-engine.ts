import { MemoryStorage, WorldsEngine } from '@rdf-worlds/core';
import * as reads from './simulated-reads.ts';
import * as writes from './simulated-writes.ts';

let loaded: Promise<void> | undefined;

/**
 * Does once what simulated clients do, in real time. The engine loads some of its modules when they
 * are first needed, which takes real time; the first simulation would then differ from later ones.
 */
export function loadEngine(): Promise<void> {
  loaded ??= useEngine();
  return loaded;
}

async function useEngine(): Promise<void> {
  const options = { storage: new MemoryStorage(), compaction: 'manual', checkpointLogBytes: 1 } as const;
  const engine = await WorldsEngine.open(options);
  const target = { id: 0, namespace: 'a', slug: 'x' };
  const lines = writes.newLines(0, 6);
  const changes = [
    writes.createOperation(target),
    writes.importOperation(target, lines, 'merge'),
    writes.importOperation(target, lines.slice(2), 'replace'),
    writes.insertDataOperation(target, lines),
    writes.writeOperation(target, lines.slice(0, 1), []),
    writes.incrementOperation(target),
    writes.deleteWhereOperation(target, writes.subjectOf(1)),
    writes.forkOperation(target, 'y'),
    writes.labelOperation(target),
  ];
  for (const operation of changes) await operation.run(engine);
  const read = { ...target, consistency: 'latest' } as const;
  const { exportRead, datasetRead, selectRead, joinRead, recordRead, listRead, searchRead } = reads;
  for (const make of [exportRead, datasetRead, selectRead, joinRead, recordRead, listRead])
    await make(read).run(engine);
  await searchRead(read, 'common', true).run(engine);
  for await (const _ of engine.changes({ namespace: 'a', after: 1 })) break;
  await engine.checkpoint();
  await engine.compact({ forgetChanges: true });
  await engine.check();
  await engine.close();
}
