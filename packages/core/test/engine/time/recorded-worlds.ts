import { expect } from 'vitest';
import { SeededRandom } from '../../../../testkit/src/seeded-random.ts';
import { dataFactory, type World, type WorldsEngine, WorldsError } from '../../../src/index.ts';

const { namedNode, literal, quad, defaultGraph } = dataFactory;
const SLUGS = ['a', 'b', 'c', 'd'];
const GRAPHS = ['urn:g:1', 'urn:g:2'];

/** Lines of a world's N-Quads, sorted; blank nodes have the labels of the library. */
export async function linesAt(engine: WorldsEngine, source: string, at?: number | Date): Promise<string[]> {
  const text = Buffer.from(await engine.export({ source, at })).toString();
  return text.split('\n').filter(Boolean).sort();
}

interface Recorded {
  readonly timeMs: number;
  /** By slug. */
  readonly worlds: ReadonlyMap<string, { readonly record: World; readonly lines: readonly string[] }>;
}

/**
 * Makes random commits, records what every revision shows while it is the present, and compares it
 * with what the engine says of it later.
 */
export class RecordedWorlds {
  /** The history that the engine keeps, in commits. */
  readonly keepRevisions: number;
  readonly random: SeededRandom;
  readonly revisions = new Map<number, Recorded>();
  private present: ReadonlySet<string> = new Set();
  /** When the last world of each name was created, in revisions: earlier ones are other worlds. */
  private readonly bornAt = new Map<string, number>();
  private now = 1_000_000;
  private serial = 0;
  private last = 0;

  constructor(seed: number, keepRevisions: number) {
    this.random = new SeededRandom(seed);
    this.keepRevisions = keepRevisions;
  }

  readonly clock = (): number => this.now;

  /** Makes one commit, or none if the random change is empty. */
  async step(engine: WorldsEngine): Promise<void> {
    const { random } = this;
    this.now += random.below(3) * 10;
    const present = (await engine.listWorlds({ pageSize: 100 })).map(({ slug }) => slug);
    const absent = SLUGS.filter((slug) => !present.includes(slug));
    const source = present[random.below(Math.max(1, present.length))];
    const choice = random.below(20);
    if (source === undefined || (choice === 0 && absent.length > 0)) {
      await engine.createWorld({ slug: absent[random.below(absent.length)], label: `w${this.serial++}` });
    } else if (choice === 1 && present.length > 1) {
      await engine.deleteWorld({ source });
    } else if (choice === 2 && absent.length > 0) {
      await this.fork(engine, source, absent[random.below(absent.length)]);
    } else if (choice === 3) {
      await engine.updateWorld({ source, description: `d${this.serial++}` });
    } else if (choice === 4) {
      await engine.deleteGraph({ source, graph: this.graph() }).catch(notFound);
    } else if (choice === 5) {
      const triples = Array.from({ length: random.below(40) }, () => this.nQuad()).join('\n');
      await engine.import({ source, data: triples, mode: random.below(2) === 0 ? 'merge' : 'replace' });
    } else if (choice === 6) {
      await engine.update({ sources: [source], query: 'DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(isLiteral(?o)) }' });
    } else if (choice < 13) {
      const existing = await this.some(engine, source);
      await engine.write({ source, delete: existing });
    } else {
      const insert = Array.from({ length: 1 + random.below(4) }, () => this.quad());
      const existing = await this.some(engine, source);
      await engine.write({ source, insert, delete: existing.slice(0, 2) });
    }
    await this.record(engine);
  }

  /** Records the present. */
  async record(engine: WorldsEngine): Promise<void> {
    const namespace = await engine.getNamespace();
    if (!namespace || namespace.revision === this.last) return;
    this.last = namespace.revision;
    const worlds = new Map<string, { record: World; lines: string[] }>();
    for (const record of await engine.listWorlds({ pageSize: 100 })) {
      worlds.set(record.slug, { record, lines: await linesAt(engine, record.slug) });
      if (!this.present.has(record.slug)) this.bornAt.set(record.slug, this.last);
    }
    this.present = new Set(worlds.keys());
    this.revisions.set(this.last, { timeMs: this.now, worlds });
  }

  /** Compares a random revision, and a random pair of them. */
  async compare(engine: WorldsEngine): Promise<void> {
    const known = [...this.revisions.keys()];
    const revision = known[this.random.below(known.length)];
    const oldest = this.last - this.keepRevisions;
    if (revision < oldest) {
      const refusal = await engine.listWorlds({ at: revision }).catch((error) => error);
      expect(refusal).toBeInstanceOf(WorldsError);
      expect(refusal).toMatchObject({ code: 'TRUNCATED', revision: oldest });
      expect(refusal.message).toContain(`the oldest revision that is kept is ${oldest}`);
      return;
    }
    await this.compareRevision(engine, revision);
    const other = known[this.random.below(known.length)];
    if (other >= oldest) await this.compareDiff(engine, revision, other);
  }

  async compareAll(engine: WorldsEngine): Promise<void> {
    for (const revision of this.revisions.keys()) {
      if (revision >= this.last - this.keepRevisions) await this.compareRevision(engine, revision);
    }
  }

  private async compareRevision(engine: WorldsEngine, revision: number): Promise<void> {
    const { worlds } = this.revisions.get(revision)!;
    const shown: string[] = [];
    for (const slug of SLUGS) {
      const expected = this.isThisWorld(slug, revision) ? worlds.get(slug) : undefined;
      const record = await engine.getWorld({ source: slug, at: revision });
      if (!expected) {
        expect(record, `${slug} at ${revision}`).toBeNull();
        await expect(linesAt(engine, slug, revision)).rejects.toMatchObject({ code: 'NOT_FOUND' });
        continue;
      }
      shown.push(slug);
      expect(record, `${slug} at ${revision}`).toEqual(expected.record);
      expect(await linesAt(engine, slug, revision), `${slug} at ${revision}`).toEqual(expected.lines);
      const counted = await engine.select({ query: COUNT, sources: [slug], at: revision });
      expect(await counted.objects()).toEqual([{ n: expected.lines.length }]);
    }
    const listed = await engine.listWorlds({ at: revision, pageSize: 100 });
    expect(listed.map(({ slug }) => slug)).toEqual(shown);
    const counted = await engine.select({ query: COUNT_TRIPLES, at: revision });
    const all = await counted.objects();
    const triples = shown.flatMap((slug) => worlds.get(slug)!.lines.filter(isOfDefaultGraph));
    expect(all).toEqual([{ n: new Set(triples).size }]);
  }

  private async compareDiff(engine: WorldsEngine, from: number, to: number): Promise<void> {
    const both = SLUGS.filter((slug) =>
      [from, to].every((at) => this.isThisWorld(slug, at) && this.revisions.get(at)!.worlds.has(slug)),
    );
    for (const source of both) {
      const { inserted, deleted } = await engine.diff({ source, from, to });
      const [before, after] = [from, to].map((at) => this.revisions.get(at)!.worlds.get(source)!.lines);
      expect(inserted.length + deleted.length).toBe([...inserted].length + [...deleted].length);
      expect([...inserted].map(lineOf).sort()).toEqual(after.filter((line) => !before.includes(line)));
      expect([...deleted].map(lineOf).sort()).toEqual(before.filter((line) => !after.includes(line)));
    }
  }

  /** Whether the world of this slug at a revision is shown: no other one has had its name since. */
  private isThisWorld(slug: string, revision: number): boolean {
    const born = this.bornAt.get(slug);
    return born === undefined || revision >= born;
  }

  private async fork(engine: WorldsEngine, source: string, slug: string): Promise<void> {
    const known = [...this.revisions.keys()].filter((revision) => revision >= this.last - this.keepRevisions);
    const at = this.random.below(2) === 0 ? undefined : known[this.random.below(known.length)];
    const world = at === undefined ? source : SLUGS[this.random.below(SLUGS.length)];
    const recorded = this.revisions.get(at ?? this.last)?.worlds.get(world);
    const isKnown = recorded !== undefined && this.isThisWorld(world, at ?? this.last);
    const forking = engine.fork({ source: world, slug, at });
    if (!isKnown) return expect(forking).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await forking;
    expect(unlabelled(await linesAt(engine, slug))).toEqual(unlabelled(recorded.lines));
    // The fork was a commit, which may have made the moment too old.
    if (world === slug || (at !== undefined && at <= this.last - this.keepRevisions)) return;
    const { inserted, deleted } = await engine.diff({ source: world, from: at, to: { source: slug } });
    expect([inserted.length, deleted.length]).toEqual([0, 0]);
    const own = (await linesAt(engine, slug)).flatMap(labelsOf);
    expect(own.filter((label) => recorded.lines.flatMap(labelsOf).includes(label))).toEqual([]);
  }

  private async some(engine: WorldsEngine, source: string) {
    const quads = [];
    for await (const one of engine.quads({ source })) if (this.random.below(6) === 0) quads.push(one);
    return quads;
  }

  private graph(): string {
    return GRAPHS[this.random.below(GRAPHS.length)];
  }

  private quad() {
    const { random } = this;
    const subject =
      random.below(4) === 0 ? dataFactory.blankNode(`n${random.below(3)}`) : namedNode(`urn:s${random.below(12)}`);
    const object =
      random.below(3) === 0 ? dataFactory.blankNode(`n${random.below(3)}`) : literal(String(random.below(30)));
    const term = random.below(8) === 0 ? quad(subject, namedNode('urn:q'), object) : object;
    return quad(
      subject,
      namedNode(`urn:p${random.below(3)}`),
      term,
      random.below(3) === 0 ? namedNode(this.graph()) : defaultGraph(),
    );
  }

  private nQuad(): string {
    const { random } = this;
    const subject = random.below(3) === 0 ? `_:x${random.below(5)}` : `<urn:s${random.below(30)}>`;
    const graph = random.below(3) === 0 ? ` <${this.graph()}>` : '';
    return `${subject} <urn:p${random.below(3)}> "${random.below(60)}"${graph} .`;
  }
}

const COUNT = 'SELECT (COUNT(*) AS ?n) WHERE { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }';
const COUNT_TRIPLES = 'SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }';
const LABEL = /_:b[0-9a-z]+/g;

function isOfDefaultGraph(line: string): boolean {
  return !/<urn:g:\d> \.$/.test(line);
}

function labelsOf(line: string): string[] {
  return line.match(LABEL) ?? [];
}

/** Lines with blank nodes that say nothing of which they are, so that forks can be compared. */
function unlabelled(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(LABEL, '_:')).sort();
}

function termText(term: import('@rdfjs/types').Term): string {
  switch (term.termType) {
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal':
      return `"${term.value}"`;
    case 'Quad':
      return `<<( ${termText(term.subject)} ${termText(term.predicate)} ${termText(term.object)} )>>`;
    default:
      return `<${term.value}>`;
  }
}

function lineOf({ subject, predicate, object, graph }: import('@rdfjs/types').Quad): string {
  const name = graph.termType === 'DefaultGraph' ? '' : ` ${termText(graph)}`;
  return `${termText(subject)} ${termText(predicate)} ${termText(object)}${name} .`;
}

function notFound(error: unknown): void {
  expect(error).toMatchObject({ code: 'NOT_FOUND' });
}
