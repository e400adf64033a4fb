import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { canonize, NQuads } from 'rdf-canonize';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CanonicalizeRequest, dataFactory, MemoryPool, WorldsEngine } from '../../src/index.ts';
import { anyStatements, document, type Statement } from './statements.ts';

const P = 'https://example.org/p';
const RUNS = Number(process.env.CANONICAL_RUNS ?? 100);
const SEED = Number(process.env.CANONICAL_SEED ?? 17);

const REFERENCE = {
  algorithm: 'RDFC-1.0',
  messageDigestAlgorithm: 'SHA-256',
  maxWorkFactor: Number.POSITIVE_INFINITY,
} as const;

/**
 * What another implementation makes of statements in several orders: one form, unless RDFC-1.0
 * leaves open which of two nodes comes first.
 */
async function canonicalForms(statements: readonly Statement[], messageDigestAlgorithm: string): Promise<Set<string>> {
  const orders = fc.sample(fc.shuffledSubarray([...statements], { minLength: statements.length }), {
    numRuns: 64,
    seed: 1,
  });
  const forms = orders.map((order) =>
    canonize(NQuads.parse(document(order)), { ...REFERENCE, messageDigestAlgorithm }),
  );
  return new Set(await Promise.all(forms));
}

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  for (const slug of ['w', 'v']) await engine.createWorld({ slug });
});
afterEach(() => engine.close());

const load = (data: string, source = 'w') =>
  engine.import({ source, data, contentType: 'application/n-quads', mode: 'replace' });
const canonical = async (data: string, options: Omit<CanonicalizeRequest, 'source'> = {}) => {
  await load(data);
  return new TextDecoder().decode((await engine.canonicalize({ source: 'w', ...options })).document);
};
const edges = (pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([from, to]) => `_:n${from} <${P}> _:n${to} .\n`).join('');

describe('the canonical form', () => {
  it('is that of another implementation of RDFC-1.0', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyStatements, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('SHA-256', 'SHA-384'),
        async (statements, algorithm) => {
          const data = document(statements);
          const own = await canonical(data, { algorithm });
          const expected = await canonize(NQuads.parse(data), { ...REFERENCE, messageDigestAlgorithm: algorithm });
          // Where nodes that differ have one hash, that implementation takes the one that comes
          // first.
          if (own !== expected) expect(await canonicalForms(statements, algorithm)).toContain(own);
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  });

  it('is that of another implementation where all blank nodes look alike', async () => {
    const both = (pairs: readonly (readonly [number, number])[]) =>
      edges(pairs.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]));
    const graphs = {
      cycle: edges(Array.from({ length: 9 }, (_, i) => [i, (i + 1) % 9] as const)),
      'two cycles': edges([0, 1, 2, 3, 4, 5].map((i) => [i, i < 3 ? (i + 1) % 3 : 3 + ((i + 1) % 3)] as const)),
      prism: both([
        [0, 1],
        [1, 2],
        [2, 0],
        [3, 4],
        [4, 5],
        [5, 3],
        [0, 3],
        [1, 4],
        [2, 5],
      ]),
      // The outer cycle, its spokes, and the inner star: each node looks like each other one, from
      // any distance.
      'Petersen graph': both(
        [0, 1, 2, 3, 4].flatMap((i) => [
          [i, (i + 1) % 5] as const,
          [i, i + 5] as const,
          [i + 5, ((i + 2) % 5) + 5] as const,
        ]),
      ),
      clique: edges([0, 1, 2, 3].flatMap((i) => [0, 1, 2, 3].flatMap((j) => (i === j ? [] : [[i, j] as const])))),
      'graphs that blank nodes name': [0, 1, 2, 3, 4, 5]
        .map((i) => `_:n${i} <${P}> _:n${(i + 1) % 6} _:n${(i + 2) % 6} .\n`)
        .join(''),
      'leaves of two nodes': edges([2, 3, 4, 5, 6, 7].map((leaf) => [leaf % 2, leaf] as const)),
    };
    for (const [name, data] of Object.entries(graphs)) {
      const expected = await canonize(NQuads.parse(data), REFERENCE);
      expect(await canonical(data), name).toBe(expected);
    }
  });

  it('does not depend on labels and order, and is its own canonical form', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStatements, { maxLength: 14 }), fc.nat(), async (statements, seed) => {
        const text = await canonical(document(statements));
        const shuffled = statements.map((_, i) => statements[(i + seed) % statements.length]).reverse();
        const relabelled = document(shuffled, (node) => `_:other${(node * 7 + seed) % 1009}`);
        expect(await canonical(relabelled)).toBe(text);
        expect(await canonical(text)).toBe(text);
      }),
      { numRuns: RUNS / 2, seed: SEED },
    );
  });

  it('does not depend on order where RDFC-1.0 has one hash for nodes that differ', async () => {
    const [a, b] = ['https://example.org/a', 'https://example.org/b'];
    const statements = {
      'places in a quad': [
        { subject: 3, predicate: P, object: 4, graph: 2 },
        { subject: 2, predicate: P, object: 0, graph: 3 },
        { subject: 0, predicate: P, object: '"1"', graph: undefined },
      ],
      // In each graph three edges that end where those of the other begin: the one is a cycle of
      // six, the other two of three.
      'graphs of quads': [0, 1, 2, 3, 4, 5].flatMap((i) => [
        { subject: i, predicate: P, object: (i + 1) % 6, graph: a },
        { subject: i, predicate: P, object: i < 3 ? (i + 1) % 3 : 3 + ((i + 1) % 3), graph: b },
      ]),
    };
    for (const [name, each] of Object.entries(statements)) {
      const orders = fc.sample(fc.shuffledSubarray<Statement>(each, { minLength: each.length }), {
        numRuns: 12,
        seed: 2,
      });
      const forms = new Set<string>();
      for (const [i, order] of orders.entries()) {
        forms.add(await canonical(document(order, (node) => `_:n${(node * 5 + i) % 7}`)));
      }
      expect(forms.size, name).toBe(1);
      expect(await canonicalForms(each, 'SHA-256'), name).toContain([...forms][0]);
    }
    expect((await canonicalForms(statements['places in a quad'], 'SHA-256')).size).toBe(2);
  });

  it('returns its hash, its size and the labels of blank nodes', async () => {
    await load(`_:a <${P}> "1" .\n_:b <${P}> _:a .\n`);
    const form = await engine.canonicalize({ source: 'w' });
    const text = new TextDecoder().decode(form.document);
    expect(form).toMatchObject({ algorithm: 'SHA-256', quads: 2 });
    expect(form.hash).toBe(createHash('sha256').update(text).digest('hex'));
    expect([...form.labels.values()]).toEqual(['c14n0', 'c14n1']);
    const named = text.replaceAll(/_:(c14n\d)/g, (_, label) => {
      const own = [...form.labels].find(([, canonical]) => canonical === label)?.[0];
      return `_:${own}`;
    });
    const stored = new TextDecoder().decode(await engine.export({ source: 'w' }));
    expect(named.split('\n').sort()).toEqual(stored.split('\n').sort());
    const sha384 = await engine.hash({ source: 'w', algorithm: 'SHA-384' });
    expect(sha384).toBe(
      createHash('sha384')
        .update(await canonical(text, { algorithm: 'SHA-384' }))
        .digest('hex'),
    );
    expect(await engine.world('w').hash()).toBe(form.hash);
  });

  it('has escapes, tags and orders as canonical N-Quads', async () => {
    const value = '\0\b\t\n\v\f\r\u001f"\\\u007f\ufffeé';
    const { literal, namedNode, quad } = dataFactory;
    const subject = namedNode('https://example.org/s');
    const objects = [literal(value), literal('x', 'EN-gb'), literal('\u{1f600}'), literal('\uff5e')];
    await engine.write({ source: 'w', insert: objects.map((object) => quad(subject, namedNode(P), object)) });
    const { document: bytes } = await engine.canonicalize({ source: 'w' });
    expect(new TextDecoder().decode(bytes).split('\n')).toEqual([
      `<https://example.org/s> <${P}> "\\u0000\\b\\t\\n\\u000B\\f\\r\\u001F\\"\\\\\\u007F\\uFFFEé" .`,
      `<https://example.org/s> <${P}> "x"@en-gb .`,
      // Code points, not UTF-16 units.
      `<https://example.org/s> <${P}> "\uff5e" .`,
      `<https://example.org/s> <${P}> "\u{1f600}" .`,
      '',
    ]);
  });

  it('is of one graph if one is named', async () => {
    const line = `<https://example.org/s> <${P}> "1"`;
    await load(`${line} <https://example.org/g> .\n_:a <${P}> "2" .\n`);
    const form = await engine.canonicalize({ source: 'w', graph: 'https://example.org/g' });
    expect(new TextDecoder().decode(form.document)).toBe(`${line} .\n`);
    const graph = dataFactory.defaultGraph();
    expect(await canonical(`_:x <${P}> "2" .\n${line} <https://example.org/g> .\n`, { graph })).toBe(
      `_:c14n0 <${P}> "2" .\n`,
    );
    const none = engine.canonicalize({ source: 'w', graph: 'https://example.org/none' });
    await expect(none).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('has triple terms without blank nodes, and refuses others', async () => {
    const term = `<<( <https://example.org/s> <${P}> "x"@ar--rtl )>>`;
    const reifies = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>';
    expect(await canonical(`_:r ${reifies} ${term} .\n`)).toBe(`_:c14n0 ${reifies} ${term} .\n`);
    await load(`_:r ${reifies} <<( _:a <${P}> "x" )>> .\n`);
    await expect(engine.canonicalize({ source: 'w' })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('isIsomorphic'),
    });
  });
});

describe('a graph whose blank nodes look alike', () => {
  const clique = (size: number) =>
    edges(
      Array.from({ length: size * size }, (_, i) => [Math.floor(i / size), i % size] as const).filter(
        ([from, to]) => from !== to,
      ),
    );

  it('is LIMIT_EXCEEDED above maxCanonicalSteps, and changes nothing', async () => {
    await using small = await WorldsEngine.open({ textIndex: null, limits: { maxCanonicalSteps: 5000 } });
    await small.createWorld({ slug: 'w' });
    await small.import({ source: 'w', data: clique(12), contentType: 'application/n-quads' });
    const refused = { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('maxCanonicalSteps = 5000') };
    await expect(small.canonicalize({ source: 'w' })).rejects.toMatchObject(refused);
    await expect(small.hash({ source: 'w' })).rejects.toMatchObject(refused);
    await expect(small.isIsomorphic({ source: 'w', to: { source: 'w' } })).rejects.toMatchObject(refused);
    expect(small.memoryPool.usedBytes).toBe(0);
  });

  it('lets the event loop go on meanwhile', async () => {
    await using small = await WorldsEngine.open({ textIndex: null, limits: { maxCanonicalSteps: 100_000 } });
    await small.createWorld({ slug: 'w' });
    await small.import({ source: 'w', data: clique(12), contentType: 'application/n-quads' });
    // A clock that counts its readings: how fast the machine is does not matter.
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await expect(small.hash({ source: 'w' })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    isOver = true;
    clock.mockRestore();
    // One reading for some hundred steps.
    expect(turns).toBeGreaterThan(50);
  });

  it('costs no permutations of nodes of which the same is said', async () => {
    await using small = await WorldsEngine.open({ textIndex: null, limits: { maxCanonicalSteps: 20_000 } });
    await small.createWorld({ slug: 'w' });
    const leaves = Array.from({ length: 600 }, (_, i) => [i % 2, i + 2] as const);
    await small.import({ source: 'w', data: edges(leaves), contentType: 'application/n-quads' });
    const form = await small.canonicalize({ source: 'w' });
    expect([form.quads, form.labels.size]).toEqual([600, 602]);
  });

  it('can be a walk as long as the graph', async () => {
    const chain = Array.from({ length: 2000 }, (_, i) => [i, i + 1] as const);
    // Two of them, so that no node is known by its own quads; from the ends on all are known.
    const data = edges(chain) + edges(chain.map(([from, to]) => [from + 5000, to + 5000] as const));
    await using engine = await WorldsEngine.open({ textIndex: null, limits: { maxCanonicalSteps: 200_000 } });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data, contentType: 'application/n-quads' });
    expect((await engine.canonicalize({ source: 'w' })).labels.size).toBe(4002);
  });

  it('gives up when the signal fires, and when time is over', async () => {
    await load(clique(12));
    const stop = new AbortController();
    const canonicalizing = engine.canonicalize({ source: 'w', signal: stop.signal });
    setImmediate(() => stop.abort());
    await expect(canonicalizing).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(engine.hash({ source: 'w', timeoutMs: 0 })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('is LIMIT_EXCEEDED for more memory than the request may take, which returns to the pool', async () => {
    const memoryPool = new MemoryPool(1 << 24);
    await using engine = await WorldsEngine.open({ textIndex: null, memoryPool });
    await engine.createWorld({ slug: 'w' });
    const data = edges(Array.from({ length: 3000 }, (_, i) => [i, i + 1] as const));
    await engine.import({ source: 'w', data, contentType: 'application/n-quads' });
    const refused = { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('maxMemoryBytes') };
    await expect(engine.canonicalize({ source: 'w', maxMemoryBytes: 1 << 20 })).rejects.toMatchObject(refused);
    expect(memoryPool.usedBytes).toBe(0);
  });
});

describe('isomorphic worlds', () => {
  it('are those that differ in labels alone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStatements, { minLength: 1, maxLength: 10 }), async (statements) => {
        await load(document(statements));
        await load(
          document(statements.toReversed(), (node) => `_:z${9 - node}`),
          'v',
        );
        expect(await engine.isIsomorphic({ source: 'w', to: { source: 'v' } })).toBe(true);
        const more: Statement = { subject: 7, predicate: P, object: 7, graph: undefined };
        await load(document([...statements.slice(1), more]), 'v');
        expect(await engine.world('w').isIsomorphic({ to: { source: 'v' } })).toBe(
          (await engine.hash({ source: 'w' })) === (await engine.hash({ source: 'v' })),
        );
      }),
      { numRuns: 30, seed: 5 },
    );
  });

  it('are distinguished if all blank nodes have the same properties', async () => {
    const ring = (size: number, first: number) =>
      Array.from({ length: size }, (_, i) => [first + i, first + ((i + 1) % size)] as const);
    await load(edges(ring(6, 0)));
    await load(edges([...ring(3, 0), ...ring(3, 3)]), 'v');
    expect(await engine.isIsomorphic({ source: 'w', to: { source: 'v' } })).toBe(false);
  });

  it('may have blank nodes in triple terms', async () => {
    const reifies = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>';
    const both = (a: string, b: string, last: string) =>
      `_:r ${reifies} <<( _:${a} <${P}> <<( _:${b} <${P}> _:${last} )>> )>> .\n_:${a} <${P}> "a" .\n`;
    await load(both('x', 'y', 'y'));
    await load(both('k', 'l', 'l'), 'v');
    expect(await engine.isIsomorphic({ source: 'w', to: { source: 'v' } })).toBe(true);
    await load(both('k', 'l', 'k'), 'v');
    expect(await engine.isIsomorphic({ source: 'w', to: { source: 'v' } })).toBe(false);
  });

  it('may be graphs of one world; empty graphs do not count', async () => {
    const [g, h] = ['https://example.org/g', 'https://example.org/h'];
    await load(`_:a <${P}> _:b <${g}> .\n_:c <${P}> _:d <${h}> .\n`);
    expect(await engine.isIsomorphic({ source: 'w', graph: g, to: { source: 'w', graph: h } })).toBe(true);
    await load(`_:a <${P}> _:b .\n`, 'v');
    await engine.import({ source: 'v', graph: h, data: '', contentType: 'text/turtle' });
    expect(await engine.isIsomorphic({ source: 'w', graph: g, to: { source: 'v' } })).toBe(true);
  });

  it('are refused with unknown fields and worlds', async () => {
    const wrong = { source: 'w', to: { source: 'v', grpah: P } } as unknown as Parameters<
      typeof engine.isIsomorphic
    >[0];
    await expect(engine.isIsomorphic(wrong)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('grpah'),
    });
    const algorithm = 'MD5' as 'SHA-256';
    await expect(engine.canonicalize({ source: 'w', algorithm })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(engine.isIsomorphic({ source: 'w', to: { source: 'none' } })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
