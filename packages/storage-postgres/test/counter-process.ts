import { once } from 'node:events';
import { WorldsEngine, WorldsError } from '@rdf-worlds/core';
import pg from 'pg';
import { postgresStorage } from '../src/index.ts';
import {
  type CounterJob,
  type CounterReport,
  type Increments,
  ownSource,
  type Replica,
  revisedSource,
  SHARED,
} from './counter-job.ts';

// counter-process JOB: increments counters for a while, beside other processes, by SPARQL update
// and by reading and `ifRevision`, and prints a report. After a line of input it prints what its
// engine, still the same, holds of every world, and ends.
const { address, schema, process: self, processes, durationMs, maintains }: CounterJob = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ ...address, max: 6 });
const engine = await WorldsEngine.open({
  storage: postgresStorage({ pool, schema }),
  compaction: 'manual',
  checkpointLogBytes: 20_000,
});
let conflicts = 0;

async function byUpdate(source: string): Promise<number> {
  let done = 0;
  do {
    await engine.update({
      sources: [source],
      query: `DELETE { <urn:n> <urn:value> ?n } INSERT { <urn:n> <urn:value> ?m }
        WHERE { <urn:n> <urn:value> ?n BIND(STR(1 + <http://www.w3.org/2001/XMLSchema#integer>(?n)) AS ?m) }`,
    });
    done++;
    if (maintains && done % 20 === 10)
      await engine.compact({ namespace: source.split('/')[0], forgetChanges: true }).catch(ignoreConflict);
  } while (performance.now() < endMs);
  return done;
}

async function byRevision(source: string): Promise<number> {
  let done = 0;
  // Once at least, so that a busy machine counts too.
  while (done === 0 || performance.now() < endMs) {
    const { revision } = (await engine.getWorld({ source }))!;
    const result = await engine.select({ sources: [source], query: 'SELECT ?m { <urn:m> <urn:value> ?m }' });
    const [row] = await result.array();
    const now = Number(row.get('m')!.value);
    const query = `DELETE DATA { <urn:m> <urn:value> "${now}" } ; INSERT DATA { <urn:m> <urn:value> "${now + 1}" }`;
    try {
      await engine.update({ sources: [source], query, ifRevision: revision });
      done++;
    } catch (error) {
      ignoreConflict(error);
      conflicts++;
    }
  }
  return done;
}

function ignoreConflict(error: unknown): void {
  if (!(error instanceof WorldsError && error.code === 'CONFLICT')) throw error;
}

/** In two worlds: the updates of one would make every `ifRevision` of the other obsolete. */
async function counted(source: string): Promise<Increments> {
  const [updates, revisions] = await Promise.all([byUpdate(source), byRevision(revisedSource(source))]);
  return { byUpdate: updates, byRevision: revisions };
}

async function replicaOf(source: string): Promise<Replica> {
  // The last commits of the others may still be on their way here.
  await engine.catchUp({ namespace: source.split('/')[0] });
  const quads = await engine.export({ source, contentType: 'application/n-quads', canonicalOrder: true });
  const hits: string[] = [];
  for (const row of await (
    await engine.select({ sources: [source], query: 'SELECT ?v { ?s <urn:value> ?v }' })
  ).array()) {
    const query = row.get('v')!.value;
    for (const { subject } of await engine.search({ query, sources: [source] })) hits.push(`${query} ${subject}`);
  }
  return { source, quads: Buffer.from(quads).toString('utf8'), hits: [...new Set(hits)].sort() };
}

const sources = [SHARED, ...Array.from({ length: processes }, (_, at) => ownSource(at))].flatMap((source) => [
  source,
  revisedSource(source),
]);
// Loads them, so that this engine follows all.
for (const source of sources) await replicaOf(source);
const endMs = performance.now() + durationMs;
const input = once(process.stdin, 'data');
const [shared, own] = await Promise.all([counted(SHARED), counted(ownSource(self))]);
const report: CounterReport = { shared, own, conflicts };
console.log(`counted ${JSON.stringify(report)}`);
await input;
const replicas: Replica[] = [];
for (const source of sources) replicas.push(await replicaOf(source));
console.log(`holds ${JSON.stringify(replicas)}`);
await engine.close();
await pool.end();
process.stdin.destroy();
