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
  const storage = new MemoryStorage();
  const history = { keepRevisions: 100 };
  const engine = await WorldsEngine.open({ storage, history, compaction: 'manual', checkpointLogBytes: 1 });
  const target = { id: 0, namespace: 'a', slug: 'x' };
  const lines = writes.newLines(0, 6);
  const changes = [
    writes.createOperation(target),
    writes.importOperation(target, lines, 'merge', [0]),
    writes.importOperation(target, lines.slice(2), 'replace', []),
    writes.patchOperation(target, lines.slice(2, 3), lines.slice(0, 1), []),
    writes.dropGraphOperation(target, writes.graphOf(0)),
    writes.insertDataOperation(target, lines),
    writes.writeOperation(target, lines.slice(0, 1), []),
    writes.incrementOperation(target),
    writes.deleteWhereOperation(target, writes.subjectOf(1)),
    writes.forkOperation(target, 'y'),
    writes.labelOperation(target),
  ];
  for (const operation of changes) await operation.run(engine);
  await engine.export({ source: { namespace: 'a', slug: 'x' }, at: 2 });
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
