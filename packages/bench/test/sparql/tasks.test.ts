import { describe, expect, it } from 'vitest';
import { academicDocument } from '../../src/academic-data.ts';
import { UsageError } from '../../src/arguments.ts';
import { DUMP_TASK } from '../../src/sparql/dump-task.ts';
import { OxigraphStore } from '../../src/sparql/oxigraph-store.ts';
import { sampleLookups, tinyQueryTask } from '../../src/sparql/tiny-query-task.ts';
import { updateTasks } from '../../src/sparql/update-tasks.ts';
import { WorldsStore } from '../../src/sparql/worlds-store.ts';
import { fakePeer } from './fake-peer.ts';

const QUADS = 800;
const contentType = 'application/n-triples';
const input = { name: 'academic', bytes: academicDocument({ seed: 4, quads: QUADS }), contentType };
const PRODUCTS = [
  { name: 'RDF Worlds', open: () => WorldsStore.open() },
  { name: 'Oxigraph', open: async () => new OxigraphStore() },
];

describe.each(PRODUCTS)('$name', ({ open }) => {
  it.each(updateTasks({ many: 30, singles: 7 }))('$name: makes the described change and undoes it', async (task) => {
    const store = await open();
    await store.load(input);
    const { run, restore, isRepeatable } = await task.prepare(fakePeer('peer', { store }));
    const answer = await (await run())!();
    const triples = task.operations > 1 ? 7 : 30;
    const property = task.name.startsWith('DELETE') ? 'renamed' : 'text';
    const lengths = 'https://data.example/update/123456789'.length + 'Text number 123456789'.length;
    expect(answer).toEqual({
      rows: triples,
      chars: triples * (lengths + 'https://vocabulary.example/update#'.length + property.length),
    });
    expect(await store.countQuads()).toBe(QUADS + triples);
    expect(isRepeatable).toBe(false);
    await restore!();
    expect(await store.countQuads()).toBe(QUADS);
    await store.release();
  });

  it('tiny queries find their triples', async () => {
    const store = await open();
    await store.load(input);
    const task = tinyQueryTask(input);
    const { run } = await task.prepare(fakePeer('peer', { store }));
    const { rows, chars } = await (await run())!();
    expect(task.operations).toBe(100);
    expect(rows).toBeGreaterThanOrEqual(100);
    expect(chars).toBeGreaterThan(rows);
    await store.release();
  });

  it('a dump contains every quad', async () => {
    const store = await open();
    await store.load(input);
    const { run } = await DUMP_TASK.prepare(fakePeer('peer', { store }));
    expect(await (await run())!()).toEqual({ rows: QUADS, chars: 0 });
    await store.release();
  });
});

describe('the lookups of tiny queries', () => {
  it('come from all parts of the document', () => {
    const lookups = sampleLookups(input, 50);
    expect(lookups.length).toBe(50);
    expect(new Set(lookups.map(({ subject }) => subject)).size).toBeGreaterThan(20);
    const [first] = Buffer.from(input.bytes).toString().split('\n');
    expect(first).toContain(`<${lookups[0].subject}> <${lookups[0].predicate}>`);
  });

  it.each([
    { name: 'blank nodes are left out', text: '_:a <urn:p> "x" .\n<urn:s> <urn:p> "y" .\n' },
    { name: 'comments are left out', text: '# <urn:x> <urn:y> "z" .\n<urn:s> <urn:p> "y" .\r\n' },
    { name: 'a line without an end is left out', text: '<urn:s> <urn:p> "y" .\n<urn:t> <urn:p> "y" .' },
  ])('$name', ({ text }) => {
    const subjects = sampleLookups({ name: 'x', bytes: Buffer.from(text), contentType }, 10).map(
      ({ subject }) => subject,
    );
    expect(new Set(subjects)).toEqual(new Set(['urn:s']));
  });

  it('do not exist if every subject is a blank node', () => {
    const bytes = Buffer.from('_:a <urn:p> "x" .\n');
    expect(() => sampleLookups({ ...input, bytes }, 5)).toThrow('no line begins with an IRI');
  });

  it('do not exist for formats that are not line-based', () => {
    expect(() => sampleLookups({ ...input, contentType: 'text/turtle' }, 1)).toThrow(UsageError);
  });
});
