import { WorldsEngine, WorldsError } from '@rdf-worlds/core';
import pg from 'pg';
import { postgresStorage } from '../src/index.ts';
import type { CounterJob, CounterReport } from './counter-job.ts';

// counter-process JOB: increments two counters of one world, beside other processes, by SPARQL
// update and by reading and `ifRevision`. Prints a report.
const { address, schema, increments, maintains }: CounterJob = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ ...address, max: 4 });
const engine = await WorldsEngine.open({
  storage: postgresStorage({ pool, schema }),
  compaction: 'manual',
  checkpointLogBytes: 20_000,
});
const started = performance.now();
let conflicts = 0;

async function byUpdate(): Promise<void> {
  for (let n = 0; n < increments; n++) {
    await engine.update({
      sources: ['w'],
      query:
        'DELETE { <urn:c> <urn:n> ?n } INSERT { <urn:c> <urn:n> ?m } WHERE { <urn:c> <urn:n> ?n BIND(?n + 1 AS ?m) }',
    });
    if (maintains && n % 20 === 10) await engine.compact({ forgetChanges: true }).catch(ignoreConflict);
  }
}

async function byRevision(): Promise<void> {
  for (let done = 0; done < increments; ) {
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    const [row] = await (await engine.select({ sources: ['w'], query: 'SELECT ?m { <urn:c> <urn:m> ?m }' })).array();
    const now = Number(row.get('m')!.value);
    const query = `DELETE DATA { <urn:c> <urn:m> ${now} } ; INSERT DATA { <urn:c> <urn:m> ${now + 1} }`;
    try {
      await engine.update({ sources: ['w'], query, ifRevision: revision });
      done++;
    } catch (error) {
      ignoreConflict(error);
      conflicts++;
    }
  }
}

function ignoreConflict(error: unknown): void {
  if (!(error instanceof WorldsError && error.code === 'CONFLICT')) throw error;
}

await Promise.all([byUpdate(), byRevision()]);
const report: CounterReport = { conflicts, milliseconds: Math.round(performance.now() - started) };
await engine.close();
await pool.end();
console.log(JSON.stringify(report));
