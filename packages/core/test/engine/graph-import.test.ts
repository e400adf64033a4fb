import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, type GraphName, type ImportData, WorldsEngine } from '../../src/index.ts';
import { Pending } from './pending.ts';
import { linesOf, stateOf } from './world-state.ts';

const { namedNode, blankNode, literal, quad, defaultGraph, variable } = dataFactory;
const line = (n: number, graph = '') => `<urn:s${n}> <urn:p> "${n}" ${graph}.\n`;
const lines = (from: number, to: number, graph = '') =>
  Array.from({ length: to - from }, (_, i) => line(from + i, graph)).join('');

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: `${lines(0, 3)}${lines(0, 3, '<urn:g> ')}${lines(7, 8, '<urn:other> ')}` });
});
afterEach(() => engine.close());

/** The lines of one graph, without its name. */
const graphLines = async (graph: GraphName, source = 'w') =>
  new TextDecoder()
    .decode(await engine.export({ source, graph, contentType: 'application/n-triples' }))
    .split('\n')
    .slice(0, -1)
    .sort();
const numbered = (...numbers: number[]) => numbers.map((n) => line(n).trimEnd()).sort();

/** The same two triples in every format, those that may hold graphs too. */
const DOCUMENTS: readonly (readonly [contentType: string, document: string])[] = [
  ['application/n-triples', lines(1, 2) + lines(9, 10)],
  ['application/n-quads', lines(1, 2) + lines(9, 10)],
  ['text/turtle', '<urn:s1> <urn:p> "1" . <urn:s9> <urn:p> "9" .'],
  ['application/trig', '<urn:s1> <urn:p> "1" . { <urn:s9> <urn:p> "9" }'],
  ['text/n3', '<urn:s1> <urn:p> "1" . <urn:s9> <urn:p> "9" .'],
  ['application/ld+json', '[{"@id":"urn:s1","urn:p":"1"},{"@id":"urn:s9","urn:p":"9"}]'],
  [
    'application/rdf+xml',
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:">
       <rdf:Description rdf:about="urn:s1"><u:p>1</u:p></rdf:Description>
       <rdf:Description rdf:about="urn:s9" u:p="9"/></rdf:RDF>`,
  ],
];

describe('import into one graph', () => {
  it.each(DOCUMENTS)('of %s adds its triples there', async (contentType, data) => {
    const done = await engine.import({ source: 'w', graph: 'urn:g', data, contentType });
    expect(done).toMatchObject({ quads: 2, inserted: 1, deleted: 0, createdGraphs: 0 });
    expect(await graphLines('urn:g')).toEqual(numbered(0, 1, 2, 9));
    expect(await graphLines(defaultGraph())).toEqual(numbered(0, 1, 2));
    expect(await graphLines('urn:other')).toEqual(numbered(7));
  });

  it.each(DOCUMENTS)('of %s replaces the existing triples', async (contentType, data) => {
    const done = await engine.import({ source: 'w', graph: 'urn:g', mode: 'replace', data, contentType });
    expect(done).toMatchObject({ quads: 2, inserted: 1, deleted: 2, createdGraphs: 0 });
    expect(await graphLines('urn:g')).toEqual(numbered(1, 9));
    expect(await graphLines(defaultGraph())).toEqual(numbered(0, 1, 2));
    expect(await graphLines('urn:other')).toEqual(numbered(7));
  });

  it.each(['merge', 'replace'] as const)('that does not exist makes it: %s', async (mode) => {
    const done = await engine.import({ source: 'w', graph: namedNode('urn:new'), mode, data: lines(5, 7) });
    expect(done).toMatchObject({ inserted: 2, deleted: 0, createdGraphs: 1 });
    expect(await graphLines('urn:new')).toEqual(numbered(5, 6));
    expect(await linesOf(engine, 'w')).toHaveLength(9);
  });

  it.each(['merge', 'replace'] as const)('of nothing makes it too, empty: %s', async (mode) => {
    const done = await engine.import({ source: 'w', graph: 'urn:new', mode, data: '' });
    expect(done).toMatchObject({ quads: 0, inserted: 0, deleted: 0, createdGraphs: 1 });
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:new' })).toBe(true);
    const again = await engine.import({ source: 'w', graph: 'urn:new', mode, data: '' });
    expect(again).toEqual({ ...done, createdGraphs: 0 });
  });

  it('the default graph', async () => {
    const graph = defaultGraph();
    expect(await engine.import({ source: 'w', graph, data: lines(2, 5) })).toMatchObject({ inserted: 2, deleted: 0 });
    const replaced = await engine.import({ source: 'w', graph, mode: 'replace', data: lines(4, 6) });
    expect(replaced).toMatchObject({ inserted: 1, deleted: 4, createdGraphs: 0 });
    expect(await graphLines(graph)).toEqual(numbered(4, 5));
    expect(await graphLines('urn:g')).toEqual(numbered(0, 1, 2));
    expect(await engine.import({ source: 'w', graph, mode: 'replace', data: '' })).toMatchObject({ deleted: 2 });
    expect(await graphLines(graph)).toEqual([]);
  });

  it('a graph that is named by a blank node, if the world has it', async () => {
    await engine.import({ source: 'w', data: '_:g <urn:p> "x" _:g .' });
    let graph: GraphName | undefined;
    for await (const { graph: found } of engine.quads({ source: 'w', object: literal('x') }))
      graph = found as GraphName;
    await engine.import({ source: 'w', graph, mode: 'replace', data: '_:g <urn:p> "y" .' });
    expect(await graphLines(graph!)).toEqual([expect.stringMatching(/^_:\w+ <urn:p> "y" \.$/)]);
    // The node of the document is another one, whatever it is called.
    expect((await graphLines(graph!))[0]).not.toContain((graph as { value: string }).value);
    const before = await stateOf(engine, 'w');
    for (const label of ['g', 'b00000000000000000000000001'])
      await expect(engine.import({ source: 'w', graph: blankNode(label), data: lines(0, 1) })).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining(`_:${label}`),
      });
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it('RDF/JS quads, of the default graph', async () => {
    const data = [quad(namedNode('urn:s1'), namedNode('urn:p'), literal('1'))];
    await engine.import({ source: 'w', graph: 'urn:g', mode: 'replace', data });
    expect(await graphLines('urn:g')).toEqual(numbered(1));
  });

  it.each([
    ['application/n-quads', line(1) + line(2, '<urn:g> ')],
    ['application/n-quads', line(1) + line(2, '_:g ')],
    ['application/trig', '<urn:s> <urn:p> 1 . <urn:g> { <urn:s> <urn:p> 2 }'],
    ['application/trig', '[] { <urn:s> <urn:p> 2 }'],
    ['application/ld+json', '{"@id":"urn:g","@graph":[{"@id":"urn:s","urn:p":2}]}'],
    ['quads', [quad(namedNode('urn:s'), namedNode('urn:p'), literal('1'), namedNode('urn:g'))]],
  ] as readonly (readonly [string, ImportData])[])(
    'of a document with named graphs, as %s, is INVALID_RDF',
    async (contentType, data) => {
      const before = await stateOf(engine, 'w');
      for (const graph of ['urn:g', 'urn:new', defaultGraph()])
        for (const mode of ['merge', 'replace'] as const) {
          const request = { source: 'w', graph, mode, data, ...(contentType !== 'quads' && { contentType }) };
          await expect(engine.import(request)).rejects.toMatchObject({
            code: 'INVALID_RDF',
            message: expect.stringContaining('named graphs'),
          });
        }
      expect(await stateOf(engine, 'w')).toEqual(before);
    },
  );

  it.each([
    ['', 'an empty string'],
    ['relative/graph', 'a relative IRI'],
    ['urn:a b', 'an IRI with a space'],
    [namedNode('relative'), 'a term of a relative IRI'],
    [literal('urn:g'), 'a literal'],
    [variable?.('g'), 'a variable'],
    [null, 'null'],
    [7, 'a number'],
    [{ termType: 'NamedNode' }, 'half a term'],
  ] as readonly (readonly [unknown, string])[])('%o is not a graph: %s', async (graph) => {
    for (const call of [
      () => engine.import({ source: 'w', graph: graph as never, data: '' }),
      () => engine.importAll({ source: 'w', graph: graph as never, documents: [] }),
      () => engine.export({ source: 'w', graph: graph as never }),
      () => engine.hasGraph({ source: 'w', graph: graph as never }),
      () => engine.deleteGraph({ source: 'w', graph: graph as never }),
    ])
      await expect(call()).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/^\w+: graph: expected/),
      });
  });

  it('another mode is INVALID_ARGUMENT', async () => {
    const request = { source: 'w', data: '', mode: 'overwrite' as never };
    await expect(engine.import(request)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('a replacement', () => {
  it('of a world leaves the document and no graph besides', async () => {
    const data = `${lines(2, 4)}${lines(2, 4, '<urn:g> ')}${lines(1, 2, '<urn:new> ')}`;
    const done = await engine.import({ source: 'w', mode: 'replace', data });
    expect(done).toMatchObject({ quads: 5, inserted: 3, deleted: 5, createdGraphs: 1 });
    expect(await linesOf(engine, 'w')).toEqual(data.split('\n').slice(0, -1).sort());
    for (const [graph, isThere] of [
      ['urn:g', true],
      ['urn:new', true],
      ['urn:other', false],
    ] as const)
      expect(await engine.hasGraph({ source: 'w', graph })).toBe(isThere);
    expect(await engine.import({ source: 'w', mode: 'replace', data: '' })).toMatchObject({ inserted: 0, deleted: 5 });
    expect(await linesOf(engine, 'w')).toEqual([]);
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:g' })).toBe(false);
  });

  it('of many graphs concurrently', async () => {
    const many = Array.from({ length: 300 }, (_, g) => lines(g, g + 2, `<urn:g${g}> `)).join('');
    await engine.import({ source: 'w', data: many });
    await engine.import({ source: 'w', data: lines(500, 501, '<urn:g7> ') });
    const data = `${lines(7, 9, '<urn:g7> ')}${lines(299, 300, '<urn:g299> ')}`;
    const done = await engine.import({ source: 'w', mode: 'replace', data });
    expect(done).toMatchObject({ inserted: 0, deleted: 600 + 1 + 7 - 3 });
    expect(await linesOf(engine, 'w')).toEqual(data.split('\n').slice(0, -1).sort());
    expect((await engine.stats()).quads).toBe(3);
  });

  it('by the same triples creates no commit', async () => {
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    const same = await engine.import({ source: 'w', graph: 'urn:g', mode: 'replace', data: lines(0, 3) });
    expect(same).toMatchObject({ quads: 3, inserted: 0, deleted: 0, createdGraphs: 0, revision });
    const whole = await engine.export({ source: 'w' });
    expect(await engine.import({ source: 'w', mode: 'replace', data: whole })).toMatchObject({ inserted: 0, revision });
  });

  it('is one commit', async () => {
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    const done = await engine.import({ source: 'w', graph: 'urn:g', mode: 'replace', data: lines(2, 5) });
    expect(done.revision).toBe(revision + 1);
  });

  it('is not seen by a reader that has begun', async () => {
    const chunks = engine.exportStream({ source: 'w', graph: 'urn:g' });
    await engine.import({ source: 'w', graph: 'urn:g', mode: 'replace', data: lines(90, 99) });
    const read: Uint8Array[] = [];
    for await (const chunk of chunks) read.push(chunk);
    expect(Buffer.concat(read).toString()).toBe(lines(0, 3));
  });

  it('leaves the other worlds of the namespace alone', async () => {
    await engine.createWorld({ slug: 'v' });
    await engine.import({ source: 'v', data: lines(0, 9) + lines(0, 9, '<urn:g> ') });
    const before = await stateOf(engine, 'v');
    await engine.import({ source: 'w', mode: 'replace', data: lines(4, 5, '<urn:g> ') });
    await engine.import({ source: 'w', graph: 'urn:g', mode: 'replace', data: '' });
    expect(await stateOf(engine, 'v')).toEqual(before);
  });

  it('expects a revision like every write', async () => {
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    const request = { source: 'w', graph: 'urn:g', mode: 'replace', data: lines(5, 6) } as const;
    await expect(engine.import({ ...request, ifRevision: revision - 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await engine.import({ ...request, ifRevision: revision })).toMatchObject({ inserted: 1, deleted: 3 });
  });

  it('removes triples that others added while it was read', async () => {
    const gate = new Pending();
    const begun = new Pending();
    const data = (async function* () {
      yield Buffer.from(line(50));
      begun.resolve();
      await gate.promise;
      yield Buffer.from(line(51));
    })();
    const running = engine.import({ source: 'w', graph: 'urn:late', mode: 'replace', data });
    await begun.promise;
    await engine.import({ source: 'w', graph: 'urn:late', data: lines(51, 60) });
    gate.resolve();
    expect(await running).toMatchObject({ inserted: 1, deleted: 8, createdGraphs: 0 });
    expect(await graphLines('urn:late')).toEqual(numbered(50, 51));
  });

  it('makes a graph again that others have deleted while it was read', async () => {
    const gate = new Pending();
    const data = (async function* () {
      await gate.promise;
      yield Buffer.from(line(1));
    })();
    const running = engine.import({ source: 'w', graph: 'urn:g', mode: 'replace', data });
    await engine.deleteGraph({ source: 'w', graph: 'urn:g' });
    gate.resolve();
    expect(await running).toMatchObject({ inserted: 1, deleted: 0, createdGraphs: 1 });
    expect(await graphLines('urn:g')).toEqual(numbered(1));
  });

  it('concurrently with another: the graph is one of the two documents', async () => {
    for (let round = 0; round < 10; round++) {
      const documents = [lines(10 * round, 10 * round + 40), lines(10 * round + 20, 10 * round + 60)];
      const done = await Promise.all(
        documents.map((data) => engine.import({ source: 'w', graph: 'urn:g', mode: 'replace', data })),
      );
      const found = await graphLines('urn:g');
      expect(documents.map((data) => data.split('\n').slice(0, -1).sort())).toContainEqual(found);
      expect(new Set(done.map(({ revision }) => revision)).size).toBe(2);
    }
  });
});

describe('a replacement that fails leaves everything', () => {
  const boom = new Error('the stream broke');
  const failures: readonly (readonly [string, () => ImportData, object, string])[] = [
    [
      'a broken last line',
      () => `${lines(0, 1000)}<urn:s> <urn:p>`,
      { code: 'INVALID_RDF', location: { line: 1001 } },
      'application/n-triples',
    ],
    ['a broken end', () => '<urn:s> <urn:p> 1 . <urn:s> <urn:p', { code: 'INVALID_RDF' }, 'text/turtle'],
    ['an unknown type', () => '', { code: 'UNSUPPORTED' }, 'text/plain'],
    [
      'a stream that throws in the middle',
      async function* () {
        yield Buffer.from(lines(0, 1000));
        throw boom;
      } as () => ImportData,
      boom,
      'application/n-triples',
    ],
    [
      'quads that throw in the middle',
      function* () {
        yield quad(namedNode('urn:new'), namedNode('urn:p'), literal('x'));
        throw boom;
      } as () => ImportData,
      boom,
      'application/n-quads',
    ],
  ];

  it.each(failures)('%s', async (_, data, error, contentType) => {
    const before = await stateOf(engine, 'w');
    for (const graph of ['urn:g', 'urn:new', defaultGraph(), undefined]) {
      const request = { source: 'w', graph, mode: 'replace', data: data(), contentType } as const;
      await expect(engine.import(request)).rejects.toMatchObject(error);
    }
    expect(await stateOf(engine, 'w')).toEqual(before);
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:new' })).toBe(false);
  });

  it('a signal, at any chunk', async () => {
    for (const stopAt of [0, 1, 5, 9]) {
      const before = await stateOf(engine, 'w');
      const controller = new AbortController();
      const data = (async function* () {
        for (let i = 0; i < 10; i++) {
          if (i === stopAt) controller.abort();
          yield Buffer.from(lines(100 * i, 100 * i + 100));
        }
      })();
      const { signal } = controller;
      await expect(engine.import({ source: 'w', graph: 'urn:g', mode: 'replace', data, signal })).rejects.toMatchObject(
        { code: 'ABORTED' },
      );
      expect(await stateOf(engine, 'w')).toEqual(before);
    }
  });

  it('a signal after the last byte', async () => {
    const before = await stateOf(engine, 'w');
    const controller = new AbortController();
    const onProgress = ({ quads }: { quads: number }) => {
      if (quads === 10) controller.abort();
    };
    const { signal } = controller;
    await expect(
      engine.import({ source: 'w', mode: 'replace', data: lines(50, 60), signal, onProgress }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await stateOf(engine, 'w')).toEqual(before);
  });
});

describe('importAll', () => {
  it('reads documents of several formats in one commit', async () => {
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    const seen: { quads: number; bytes: number }[] = [];
    const turtle = '<#a> <urn:p> "a" .';
    const json = '{"@id":"urn:b","p":"b"}';
    const done = await engine.importAll({
      source: 'w',
      graph: 'urn:g',
      mode: 'replace',
      documents: [
        { data: lines(1, 3) },
        { data: turtle, contentType: 'text/turtle', baseIri: 'http://a.example/' },
        { data: json, contentType: 'application/ld+json', context: { p: 'urn:p' } },
        { data: [quad(namedNode('urn:c'), namedNode('urn:p'), literal('c'))] },
      ],
      onProgress: (progress) => seen.push({ ...progress }),
    });
    expect(done).toMatchObject({ quads: 5, inserted: 3, deleted: 1, revision: revision + 1 });
    expect(await graphLines('urn:g')).toEqual(
      [
        ...numbered(1, 2),
        '<http://a.example/#a> <urn:p> "a" .',
        '<urn:b> <urn:p> "b" .',
        '<urn:c> <urn:p> "c" .',
      ].sort(),
    );
    expect(seen.at(-1)).toEqual({ quads: 5, bytes: lines(1, 3).length + turtle.length + json.length });
  });

  it('keeps the blank nodes of its documents apart, labelled ones and others', async () => {
    const documents = [
      { data: '_:a <urn:p> _:b .\n_:a <urn:q> _:b .\n' },
      { data: '_:b <urn:p> _:a .\n' },
      { data: '_:a <urn:p> [] . [] <urn:p> _:a .', contentType: 'text/turtle' },
      { data: [quad(blankNode('a'), namedNode('urn:p'), blankNode('b'))] },
    ];
    await engine.createWorld({ slug: 'b' });
    expect(await engine.importAll({ source: 'b', documents })).toMatchObject({ quads: 6, inserted: 6 });
    const nodes = new Set<string>();
    for await (const { subject, object } of engine.quads({ source: 'b' })) nodes.add(subject.value).add(object.value);
    expect(nodes.size).toBe(2 + 2 + 3 + 2);
  });

  it('of no documents', async () => {
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    expect(await engine.importAll({ source: 'w', documents: [] })).toMatchObject({ quads: 0, revision });
    const emptied = await engine.importAll({ source: 'w', graph: 'urn:g', mode: 'replace', documents: [] });
    expect(emptied).toMatchObject({ quads: 0, deleted: 3 });
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:g' })).toBe(true);
  });

  it('leaves nothing when one of them is broken', async () => {
    const before = await stateOf(engine, 'w');
    for (const bad of [{ data: 'oops' }, { data: '', contentType: 'text/plain' }, { data: 7 as never }])
      for (const mode of ['merge', 'replace'] as const)
        await expect(
          engine.importAll({ source: 'w', mode, documents: [{ data: lines(20, 30) }, bad, { data: lines(30, 40) }] }),
        ).rejects.toThrow();
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it.each([[undefined], ['text'], [[{}]], [[{ data: '', contentType: 7 }]], [[null]]])(
    'of %j is INVALID_ARGUMENT',
    async (documents) => {
      await expect(engine.importAll({ source: 'w', documents: documents as never })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/^importAll: documents/),
      });
    },
  );

  it('is there on a world handle, with the other verbs of graphs', async () => {
    const world = engine.world('w');
    await world.importAll({ graph: 'urn:h', documents: [{ data: lines(1, 2) }] });
    expect(await world.hasGraph({ graph: 'urn:h' })).toBe(true);
    expect(Buffer.from(await world.export({ graph: 'urn:h' })).toString()).toBe(line(1));
    expect(await world.deleteGraph({ graph: 'urn:h' })).toMatchObject({ deleted: 1 });
    expect(await world.hasGraph({ graph: 'urn:h' })).toBe(false);
  });
});
