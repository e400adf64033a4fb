import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ImportRequest, MemoryStorage, rdfPatchOf, WorldsEngine } from '../../src/index.ts';

const EX = 'https://example.org/';
const row = (code: string, s: string, o: string, g?: string) =>
  `${code} <${EX}${s}> <${EX}p> ${o}${g === undefined ? '' : ` <${EX}${g}>`} .\n`;

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null, storage: new MemoryStorage() });
  for (const slug of ['w', 'v']) await engine.createWorld({ slug });
});
afterEach(() => engine.close());

const patch = (data: string, options: Partial<ImportRequest> = {}) =>
  engine.import({ source: 'w', data, contentType: 'application/rdf-patch', ...options });
const quads = async (source = 'w', of = engine) =>
  new TextDecoder()
    .decode(await of.export({ source }))
    .split('\n')
    .filter(Boolean)
    .sort();

describe('an RDF Patch', () => {
  it('adds and deletes in one commit, and says how much', async () => {
    await patch(row('A', 'a', '"1"') + row('A', 'b', '"2"'));
    const before = (await engine.getWorld({ source: 'w' }))!.revision;
    const result = await patch(
      `# a comment\nH id <uuid:0686c69d-8f89-4496-acb5-744f0157a8db> .\nH "prev" "none" .\nTX .\n` +
        `${row('D', 'a', '"1"')}${row('D', 'a', '"absent"')}${row('A', 'c', '"3"@en-GB', 'g')}${row('A', 'b', '"2"')}TC .\n`,
    );
    expect(result).toMatchObject({ quads: 4, inserted: 1, deleted: 1, createdGraphs: 1, revision: before + 1 });
    expect(await quads()).toEqual([`<${EX}b> <${EX}p> "2" .`, `<${EX}c> <${EX}p> "3"@en-GB <${EX}g> .`]);
  });

  it('is in order: of a quad the last change counts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('A', 'D'), fc.nat(3), fc.option(fc.nat(1), { nil: undefined })), {
          maxLength: 30,
        }),
        fc.array(fc.nat(3), { maxLength: 3 }),
        async (changes, before) => {
          await engine.import({ source: 'w', data: '', contentType: 'application/n-quads', mode: 'replace' });
          const model = new Set<string>();
          const text = (code: string, n: number, g?: number) =>
            row(code, `s${n}`, `"${n}"`, g === undefined ? undefined : `g${g}`);
          const apply = (line: string) =>
            line.startsWith('A') ? model.add(line.slice(2).trim()) : model.delete(line.slice(2).trim());
          const first = before.map((n) => text('A', n));
          const second = changes.map(([code, n, g]) => text(code, n, g));
          await patch(first.join(''));
          for (const line of first) apply(line);
          const known = new Set(model);
          const { inserted, deleted } = await patch(second.join(''));
          for (const line of second) apply(line);
          expect(await quads()).toEqual([...model].sort());
          expect(inserted).toBe([...model].filter((line) => !known.has(line)).length);
          expect(deleted).toBe([...known].filter((line) => !model.has(line)).length);
        },
      ),
      { numRuns: 60, seed: 8 },
    );
  });

  it('may have several transactions, of which those with TA have no effect', async () => {
    const aborted = `TX .\n${row('A', 'b', '"2"', 'g')}${row('D', 'a', '"1"')}TA .\n`;
    const data = `TX .\n${row('A', 'a', '"1"')}TC .\n${aborted}H id "next" .\nTX .\n${row('A', 'c', '"3"')}TC .\n`;
    expect(await patch(data)).toMatchObject({ inserted: 2, deleted: 0, createdGraphs: 0 });
    expect(await quads()).toEqual([`<${EX}a> <${EX}p> "1" .`, `<${EX}c> <${EX}p> "3" .`]);
  });

  it.each([
    ['a transaction without an end', `TX .\n${row('A', 'a', '"1"')}`, 3],
    ['an end without a transaction', `${row('A', 'a', '"1"')}TC .\n`, 2],
    ['a transaction in another', 'TX .\nTX .\n', 2],
    ['a header in a transaction', 'TX .\nH id "1" .\n', 2],
    ['an unknown row', `${row('A', 'a', '"1"')}X <${EX}a> .\n`, 2],
    ['a row without its code', `<${EX}a> <${EX}p> "1" .\n`, 1],
    ['a row without a dot', 'TX\n', 1],
    ['a blank node as predicate', `A <${EX}a> <_:p> "1" .\n`, 1],
    ['a header without a name', 'H <urn:x> .\n', 1],
    ['a relative IRI', 'A <a> <p> <o> .\n', 1],
  ])('with %s is INVALID_RDF, and changes nothing', async (_, data, line) => {
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    await expect(patch(data)).rejects.toMatchObject({ code: 'INVALID_RDF', location: { line } });
    expect((await engine.getWorld({ source: 'w' }))!.revision).toBe(revision);
    expect(await quads()).toEqual([]);
  });

  it('has prefixes that are passed over, with a note', async () => {
    const result = await patch(`PA "rdf" <${EX}> .\nPA ex "${EX}" .\nPD ex .\n${row('A', 'a', '"1"')}`);
    expect(result).toMatchObject({ inserted: 1, notes: [expect.stringContaining('PA and PD')] });
  });

  it('goes into one graph if one is named, and replaces nothing', async () => {
    const graph = `${EX}g`;
    await patch(row('A', 'a', '"1"') + row('A', 'b', '"2"'), { graph });
    expect(await patch(row('D', 'a', '"1"'), { graph })).toMatchObject({ deleted: 1 });
    expect(await quads()).toEqual([`<${EX}b> <${EX}p> "2" <${EX}g> .`]);
    await expect(patch(row('A', 'a', '"1"', 'h'), { graph })).rejects.toMatchObject({ code: 'INVALID_RDF' });
    await expect(patch(row('A', 'a', '"1"'), { mode: 'replace' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('is known by the name of its file, and may come with other documents', async () => {
    const { inserted } = await engine.import({
      source: 'w',
      data: new File([row('A', 'a', '"1"')], 'x.rdfp'),
    });
    expect(inserted).toBe(1);
    const result = await engine.importAll({
      source: 'w',
      documents: [
        { data: row('D', 'a', '"1"'), contentType: 'application/rdf-patch' },
        { data: `<${EX}b> <${EX}p> "2" .`, contentType: 'text/turtle' },
      ],
    });
    expect(result).toMatchObject({ inserted: 1, deleted: 1 });
    expect(await quads()).toEqual([`<${EX}b> <${EX}p> "2" .`]);
  });

  it('adds no terms of quads that it only deletes', async () => {
    await patch(row('A', 'a', '"1"'));
    const { terms } = await engine.stats();
    await patch(row('D', 'never', '"seen"', 'graph') + row('D', 'a', `"x"^^<${EX}type>`));
    expect((await engine.stats()).terms).toBe(terms);
  });

  it('finds terms that other commits stored while it was read', async () => {
    const lines = [row('D', 'late', '"1"'), row('D', 'late', '"x"^^<urn:type>', 'lateGraph'), row('A', 'late', '"2"')];
    async function* slowly() {
      yield lines[0] + lines[1];
      await engine.import({
        source: 'w',
        data: `<${EX}late> <${EX}p> "1" .\n<${EX}late> <${EX}p> "x"^^<urn:type> <${EX}lateGraph> .\n`,
      });
      yield lines[2];
    }
    const result = await engine.import({ source: 'w', data: slowly(), contentType: 'application/rdf-patch' });
    expect(result).toMatchObject({ inserted: 1, deleted: 2 });
    expect(await quads()).toEqual([`<${EX}late> <${EX}p> "2" .`]);
  });

  it('has memory that returns to the pool', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => row(i % 3 ? 'A' : 'D', `s${i % 100}`, `"${i}"`));
    await patch(rows.join(''));
    expect(engine.memoryPool.usedBytes).toBe(0);
  });
});

describe('blank nodes of a patch', () => {
  it('with labels of the patch are new nodes, one per label', async () => {
    const text = `A _:b <${EX}p> <_:b> .\nA <_:a/label:any> <${EX}p> "1" .\n`;
    await patch(text);
    await patch(text);
    expect(await quads()).toHaveLength(4);
    expect(await patch(`D _:b <${EX}p> _:b .\n`)).toMatchObject({ deleted: 0 });
  });

  it('are known by the labels that this library gave out', async () => {
    await engine.import({ source: 'w', data: `_:x <${EX}p> "1" .\n` });
    const [line] = await quads();
    const { deleted, inserted } = await patch(`D ${line}\nA ${line!.replace('"1"', '"2"')}\n`);
    expect([deleted, inserted]).toEqual([1, 1]);
    expect(await quads()).toEqual([line!.replace('"1"', '"2"')]);
  });

  it('of another world are nodes of the patch', async () => {
    await engine.import({ source: 'w', data: `_:x <${EX}p> "1" .\n` });
    const [line] = await quads();
    await patch(`A ${line}\n`, { source: 'v' });
    const [copy] = await quads('v');
    expect(copy).not.toBe(line);
    expect(await engine.isIsomorphic({ source: 'w', to: { source: 'v' } })).toBe(true);
  });
});

describe('blank nodes that no world of the namespace has', () => {
  const label = `b${'0'.repeat(24)}70`;
  const line = `A _:${label} <${EX}p> "1" .\n`;

  it('become those very nodes, of the first world that gets them', async () => {
    await patch(line);
    expect(await quads()).toEqual([`_:${label} <${EX}p> "1" .`]);
    await patch(line, { source: 'v' });
    expect(await quads('v')).not.toEqual(await quads());
    expect(await patch(line.replace('A', 'D'))).toMatchObject({ deleted: 1 });
  });

  it('are CONFLICT if another world gets them meanwhile', async () => {
    async function* slowly() {
      yield line;
      await patch(line, { source: 'v' });
    }
    const importing = engine.import({ source: 'w', data: slowly(), contentType: 'application/rdf-patch' });
    await expect(importing).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await quads()).toEqual([]);
    await patch(line);
    expect(await engine.isIsomorphic({ source: 'w', to: { source: 'v' } })).toBe(true);
  });
});

describe('the change feed as RDF Patch', () => {
  it('makes an exact copy of a world, blank nodes included', async () => {
    const reifies = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>';
    await engine.import({
      source: 'w',
      data: `_:x <${EX}p> "a\\n\\"\\\\\\u0001"@ar--rtl .\n_:r ${reifies} <<( _:x <${EX}p> 'x' )>> .\n`.replaceAll(
        "'",
        '"',
      ),
    });
    await engine.import({ source: 'w', data: `_:x <${EX}p> "1"^^<${EX}type> _:g .\n` });
    await engine.update({
      sources: ['w'],
      query: `DELETE { ?x <${EX}p> ?o } INSERT { ?x <${EX}q> ?o } WHERE { ?x <${EX}p> ?o }`,
    });
    await using copy = await WorldsEngine.open({ textIndex: null });
    await copy.createWorld({ slug: 'w' });
    const last = (await engine.getWorld({ source: 'w' }))!.revision;
    const texts: string[] = [];
    for await (const change of engine.changes({ after: 0 })) {
      if (change.world.slug !== 'w') continue;
      const text = [...rdfPatchOf(change)].join('');
      texts.push(text);
      await copy.import({ source: 'w', data: text, contentType: 'application/rdf-patch' });
      if (change.revision === last) break;
    }
    expect(await quads('w', copy)).toEqual(await quads());
    expect(texts[0]).toBe('H namespace "default" .\nH world "w" .\nH revision "1" .\nH kind "created" .\nTX .\nTC .\n');
    // All patches one behind the other, as one commit.
    await copy.createWorld({ slug: 'whole', namespace: 'other' });
    const whole = { slug: 'whole', namespace: 'other' };
    await copy.import({ source: whole, data: texts.join(''), contentType: 'application/rdf-patch' });
    const again = new TextDecoder().decode(await copy.export({ source: whole }));
    expect(again.split('\n').filter(Boolean).sort()).toEqual(await quads());
  });
});
