/**
 * Makes the golden files: what this version of the library writes, which every later version has to
 * read.
 *
 *     npx tsx packages/core/test/engine/durable/golden/make-golden.ts v1
 *
 * Run it once for each version of the storage format, and commit what it makes; existing folders
 * are refused, since golden files are never written again. Time and chance are fixed, so that the
 * same library makes the same bytes.
 */
import crypto from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import os, { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LettersEmbedder } from './letters-embedder.ts';
import { seenContents } from './seen-contents.ts';

let seed = 20260101;
/** Bytes of a linear congruential generator. */
const random = (length: number): Uint8Array =>
  Uint8Array.from({ length }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed >>> 24;
  });
// The file storage names its files and incarnations itself. Before it is loaded.
crypto.randomBytes = ((length: number) => Buffer.from(random(length))) as typeof crypto.randomBytes;
os.hostname = () => 'golden';
syncBuiltinESMExports();
const { fileStorage } = await import('@rdf-worlds/storage-file');
const { dataFactory, WorldsEngine } = await import('../../../../src/index.ts');

const { quad, namedNode, literal } = dataFactory;
let now = Date.UTC(2026, 0, 1);
const clock = () => (now += 1000);

const [version] = process.argv.slice(2);
if (!/^v\d+$/.test(version ?? '')) throw new Error('Name the version of the format: v1.');
const golden = join(fileURLToPath(new URL('.', import.meta.url)), version);
await mkdir(golden);

const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-golden-'));
const engine = await WorldsEngine.open({
  storage: fileStorage({ path, maxLogFileBytes: 1500 }),
  embedder: new LettersEmbedder(),
  textIndex: null,
  compaction: 'manual',
  // All of it is to stay.
  retainChangesMs: 1e15,
  clock,
  random,
});

const one = (n: number, text = `text ${n}`, graph?: string) =>
  quad(
    namedNode(`http://golden.example/s${n}`),
    namedNode('http://golden.example/p'),
    literal(text),
    graph ? namedNode(`http://golden.example/${graph}`) : undefined,
  );
const WORDS = ['apple', 'birch', 'cedar', 'dahlia', 'elder', 'fern', 'grass', 'hazel'];
/** No two have the same vector. */
const word = (n: number) => `${WORDS[n % 8]} ${'x'.repeat(n >> 3)}`;

// A namespace that is gone: its revision is the floor of those that begin later.
await engine.createWorld({ namespace: 'gone', slug: 'w' });
for (let n = 0; n < 4; n++) await engine.write({ source: 'gone/w', insert: [one(n)] });
await engine.deleteNamespace({ namespace: 'gone' });

// Checkpoints, term segments with gaps, vectors, a truncated log of several files.
await engine.createWorld({ slug: 'words', label: 'Words', description: 'What is embedded' });
await engine.write({ source: 'words', insert: Array.from({ length: 60 }, (_, n) => one(n, word(n))) });
await engine.createWorld({ slug: 'dropped' });
await engine.write({ source: 'dropped', insert: Array.from({ length: 20 }, (_, n) => one(n, `dropped ${n}`, 'g')) });
await engine.checkpoint({ namespace: 'default' });
await engine.write({ source: 'words', delete: Array.from({ length: 30 }, (_, n) => one(n, word(n))) });
await engine.deleteWorld({ source: 'dropped' });
await engine.compact({ namespace: 'default', forgetChanges: true });
await engine.flush({ namespace: 'default' });
await engine.checkpoint({ namespace: 'default' });
for (let n = 100; n < 112; n++) {
  await engine.write({ source: 'words', insert: [one(n, `${word(n)} behind the checkpoint`, `g${n % 2}`)] });
}
await engine.deleteGraph({ source: 'words', graph: 'http://golden.example/g1' });
// A term that was freed comes again, under another number.
await engine.write({ source: 'words', insert: [one(3, 'dropped 3')] });

// No checkpoint: every kind of term, graphs that come and go, a world that is deleted.
await engine.createWorld({ namespace: 'kinds', slug: 'all', label: 'Ällé \u{1f333}' });
await engine.import({
  source: 'kinds/all',
  data: [
    '_:a <http://golden.example/p> _:b .',
    '_:b <http://golden.example/q> "in a graph" _:g .',
    '<http://golden.example/s> <http://golden.example/p> "colour"@en-GB .',
    '<http://golden.example/s> <http://golden.example/p> "\u6f22\u5b57 \u{1f333}"@zh-Hant .',
    '<http://golden.example/s> <http://golden.example/p> "7"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    '<http://golden.example/s> <http://golden.example/p> "2026-01-01"^^<http://www.w3.org/2001/XMLSchema#date> .',
    '<http://golden.example/s> <http://golden.example/r> <<( _:a <http://golden.example/p> <<( <http://golden.example/x> <http://golden.example/y> "z" )>> )>> .',
    '<http://golden.example/s> <http://golden.example/p> "" <http://golden.example/g> .',
  ].join('\n'),
});
await engine.update({
  sources: ['kinds/all'],
  query: `CREATE GRAPH <http://golden.example/empty>;
    INSERT DATA { GRAPH <http://golden.example/h> { [] <http://golden.example/p> 1.5e0, true } };
    DELETE WHERE { ?s <http://golden.example/p> "colour"@en-GB }`,
});
await engine.createWorld({ namespace: 'kinds', slug: 'deleted' });
await engine.write({ source: 'kinds/deleted', insert: [one(1)] });
await engine.deleteWorld({ source: 'kinds/deleted' });
await engine.updateWorld({ source: 'kinds/all', description: 'Every kind of term' });

// A checkpoint of everything that there is, of a namespace that had another life.
await engine.createWorld({ namespace: 'again', slug: 'w' });
await engine.deleteNamespace({ namespace: 'again' });
await engine.createWorld({ namespace: 'again', slug: 'w' });
// The first of these is on its way while the others come, which go to the log together.
await Promise.all([0, 1, 2].map((n) => engine.write({ source: 'again/w', insert: [one(n)] })));
await engine.checkpoint({ namespace: 'again' });

const revisions: Record<string, number> = {};
for (const [source, namespace] of [
  ['words', 'default'],
  ['kinds/all', 'kinds'],
  ['again/w', 'again'],
]) {
  revisions[namespace] = (await engine.write({ source, insert: [one(1000, 'the last commit')] })).revision;
}
const contents = await seenContents(engine, revisions);
const hits = await engine.search({ namespace: 'default', query: 'cedar elder', limit: 5, fusion: 'rrf' });
await writeJson('expected.json', {
  revisions,
  ...contents,
  hits: hits.map(({ object, score }) => ({ object, score })),
});

const chunks: Uint8Array[] = [];
for await (const chunk of engine.backupStream()) chunks.push(chunk.slice());
await writeFile(join(golden, 'backup'), Buffer.concat(chunks));

const killed = join(golden, 'killed');
await copyDirectory(path, killed);
for (const log of await logsIn(killed)) await cutZeros(log);
await engine.close();
await copyDirectory(path, join(golden, 'directory'));
await rm(path, { recursive: true });
await tearCommit(killed);

async function writeJson(name: string, value: unknown): Promise<void> {
  await writeFile(join(golden, name), `${JSON.stringify(value, undefined, 1)}\n`);
}

/** Copies a directory, without the identity of the process that made it. */
async function copyDirectory(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  for (const name of await readdir(to)) {
    if (!name.startsWith('lock-') || JSON.parse(await readFile(join(to, name), 'utf8')).released) continue;
    const holder = { pid: 1, host: 'golden', boot: 'golden', pidSpace: '', started: '', since: new Date(now) };
    await writeFile(join(to, name), JSON.stringify(holder));
  }
}

/** What a process leaves that is killed in the middle of a commit: half of its record. */
async function tearCommit(directory: string): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'rdf-worlds-golden-'));
  await cp(directory, copy, { recursive: true });
  const lock = (await readdir(copy)).find((name) => name.startsWith('lock-'))!;
  await writeFile(join(copy, lock), JSON.stringify({ released: true }));
  const writer = await WorldsEngine.open({ storage: fileStorage({ path: copy }), clock, random });
  await writer.write({ source: 'kinds/all', insert: [one(1001, 'never acknowledged')] });
  await writer.close();
  const log = (await logsIn(copy)).findLast((name) => name.includes('kinds-'))!;
  await truncate(log, (await stat(log)).size - 60);
  await cp(log, join(directory, relative(copy, log)));
  await rm(copy, { recursive: true });
}

async function logsIn(directory: string): Promise<string[]> {
  const names = (await readdir(directory, { recursive: true })).filter((name) => /log-\d{16}$/.test(name));
  return names.map((name) => join(directory, name)).sort();
}

/** The zeros behind a log would only take space. */
async function cutZeros(log: string): Promise<void> {
  const bytes = await readFile(log);
  await truncate(log, bytes.findLastIndex((byte) => byte !== 0) + 1);
}
