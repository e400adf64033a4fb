// Worlds that outlive the process: `npm run durable`, or with a directory of your own:
// `npm run durable -- path/to/data`. Each run adds to what is there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dataFactory, WorldsEngine } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';

const open = (path) => WorldsEngine.open({ storage: fileStorage({ path }) });
const countNotes = async (engine) => {
  const [row] = await (
    await engine.select({ sources: ['notes'], query: 'SELECT (COUNT(*) AS ?n) { ?note ?p ?o }' })
  ).array();
  return Number(row.get('n').value);
};

/** Writes notes, one commit each, and says of each that it is durable; until it is killed. */
async function writeNotes(path) {
  const { quad, namedNode, literal } = dataFactory;
  const engine = await open(path);
  for (let n = await countNotes(engine); ; n++) {
    const note = quad(
      namedNode(`urn:note:${n}`),
      namedNode('urn:text'),
      literal(`note ${n} of process ${process.pid}`),
    );
    await engine.write({ source: 'notes', insert: [note] });
    process.stdout.write(`${n + 1}\n`);
  }
}

/**
 * Starts a process that writes notes, and kills it in the midst of its work. Gives how many notes
 * it was told are durable.
 */
async function killedWriter(path) {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), '--write', path];
  const writer = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(writer, 'exit');
  let told = '';
  for await (const chunk of writer.stdout) {
    told += chunk;
    if (told.split('\n').length > 100) writer.kill('SIGKILL');
  }
  // Its output ends before it does, and until then the directory is its own.
  await ended;
  return Number(told.split('\n').at(-2));
}

async function tour(path) {
  let engine = await open(path);
  await engine.createWorld({ slug: 'notes', ifExists: 'return' });
  console.log(`The directory ${path} has ${await countNotes(engine)} notes.`);
  await engine.close();

  const told = await killedWriter(path);
  engine = await open(path);
  const there = await countNotes(engine);
  console.log(`A process was killed after it was told of ${told} notes; ${there} are there.`);
  if (there < told) throw new Error('Notes are lost.');

  const elements = await readFile(new URL('./data/elements.trig', import.meta.url));
  await engine.createWorld({ slug: 'elements', ifExists: 'return' });
  const { revision } = await engine.import({
    source: 'elements',
    mode: 'replace',
    contentType: 'application/trig',
    data: elements,
  });
  await engine.update({
    sources: ['elements'],
    ifRevision: revision,
    query: 'INSERT DATA { <urn:me> <urn:read> "all of it" }',
  });
  const stale = await engine
    .update({ sources: ['elements'], ifRevision: revision, query: 'INSERT DATA { <urn:me> <urn:read> "too late" }' })
    .catch((error) => error.code);
  console.log(`A change that rests on an old revision is a ${stale}.`);

  for await (const { world, inserted } of engine.changes({ after: revision })) {
    for (const { object } of inserted) console.log(`The log says that ${world.slug} got "${object.value}".`);
    break;
  }
  await engine.close();

  engine = await open(path);
  const [hit] = await engine.search({ query: 'neptunium', sources: ['elements'] });
  console.log(`After opening again a search finds "${hit.object}".`);

  const folder = await mkdtemp(join(tmpdir(), 'rdf-worlds-backup-'));
  const file = join(folder, 'worlds.backup');
  await engine.backup(createWriteStream(file));
  const copy = await WorldsEngine.restore(createReadStream(file), {
    storage: fileStorage({ path: join(folder, 'copy') }),
  });
  const { problems } = await copy.check();
  console.log(
    `A backup of it, restored elsewhere, has ${await countNotes(copy)} notes and ${problems.length} problems.`,
  );
  await copy.close();
  await engine.close();
  await rm(folder, { recursive: true });
}

const [first, second] = process.argv.slice(2);
if (first === '--write') {
  await writeNotes(second);
} else if (first !== undefined) {
  await tour(first);
} else {
  const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-durable-'));
  await tour(path);
  await rm(path, { recursive: true });
}
