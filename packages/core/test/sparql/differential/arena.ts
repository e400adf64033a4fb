import type * as RDF from '@rdfjs/types';
import { WorldsEngine } from '../../../src/index.ts';
import type { SparqlEngine } from '../../../src/plugin.ts';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';
import { type Answer, answerOf, errorAnswer, stateAnswer } from './answer.ts';
import { featuresOf } from './coverage.ts';
import { naiveEngine } from './naive/naive-engine.ts';
import { TooBig } from './naive/naive-evaluator.ts';
import type { Semantics } from './naive/semantics.ts';
import { Drills } from './random/drills.ts';
import { Random } from './random/random.ts';
import { RandomDataset } from './random/random-dataset.ts';
import { RandomQueries, type RandomQuery } from './random/random-query.ts';
import { RandomUpdates } from './random/random-update.ts';
import { NEW, OURS, type Vocabulary } from './random/terms.ts';
import { SwitchedEngine } from './switched-engine.ts';

/** The value of NOW() for all engines. */
const NOW = Date.parse('2026-01-02T03:04:05.678Z');
export const BASE_IRI = 'http://e/';
const DRILL_SEED = 0x5eed;
const PARTS_SEED = 0xc0de;

/** A query or update, with its expected answer. */
export interface Trial {
  readonly kind: 'query' | 'update';
  readonly text: string;
  /** The answer of the naive engine. */
  readonly expected: Answer;
  /**
   * The text without LIMIT and OFFSET, if the specification leaves open which rows these select.
   */
  readonly unsliced?: string;
  /** The answer to `unsliced`. */
  readonly all?: Answer;
  /** Whether the answer depends on an order that other engines may choose differently. */
  readonly dependsOnOrder: boolean;
  /** The operators, functions and clauses that it contains. */
  readonly features: ReadonlySet<string>;
  /** The functions and aggregates that returned a value at least once. */
  readonly valued: ReadonlySet<string>;
}

/** Random worlds, over which several engines run the same texts in turn. */
export class Arena {
  readonly seed: number;
  readonly data: RandomDataset;
  private readonly engine: WorldsEngine;
  private readonly switched: SwitchedEngine;
  private readonly queries: RandomQueries;
  private readonly updates: RandomUpdates;
  private readonly drills: Drills;
  private readonly naive: SparqlEngine;
  /** Separate generators, so that drills and parts do not change the other texts of a seed. */
  private readonly parts: Random;
  private noted = new Set<string>();
  private valued = new Set<string>();

  private constructor(
    seed: number,
    random: Random,
    data: RandomDataset,
    engine: WorldsEngine,
    switched: SwitchedEngine,
  ) {
    this.seed = seed;
    this.data = data;
    this.engine = engine;
    this.switched = switched;
    const note = (feature: string) => this.noted.add(feature);
    this.queries = new RandomQueries(random, data, note);
    this.updates = new RandomUpdates(random, data, note);
    this.naive = naiveEngine({ gave: (name) => this.valued.add(name) });
    this.parts = new Random(seed ^ PARTS_SEED);
    this.drills = new Drills(new Random(seed ^ DRILL_SEED), data, note);
  }

  /**
   * @param loader the engine that runs the updates of the setup; any engine will do
   * @param vocabulary the terms of the data and the texts. Default: one of those for the library's
   *   own engine
   */
  static async open(seed: number, loader: SparqlEngine, vocabulary?: Vocabulary): Promise<Arena> {
    const random = new Random(seed);
    const worlds = random.weighted([
      [5, 1],
      [2, 2],
      [1, 3],
    ]);
    const data = new RandomDataset(random, worlds, vocabulary ?? (random.chance(0.2) ? NEW : OURS));
    const switched = new SwitchedEngine(loader);
    const engine = await WorldsEngine.open({ sparql: switched, textIndex: null, clock: () => NOW });
    for (let world = 0; world < data.worlds.length; world++) {
      const slug = `w${world}`;
      await engine.createWorld({ slug });
      await engine.import({ source: slug, data: data.nQuads(world) });
      switched.rollsBack = false;
      for (const graph of data.emptyGraphs(world))
        await engine.update({ query: `CREATE GRAPH ${graph}`, sources: [slug] });
      switched.rollsBack = true;
    }
    return new Arena(seed, random, data, engine, switched);
  }

  async close(): Promise<void> {
    await this.engine.close();
  }

  /**
   * Returns a new random text with its expected answer, or undefined if that is too large for the
   * nested loops of the naive engine.
   */
  async trial(wanted: 'query' | 'update' | 'drill'): Promise<Trial | undefined> {
    const kind = wanted === 'update' ? 'update' : 'query';
    this.noted = new Set();
    this.valued = new Set();
    const { text, unsliced, dependsOnOrder } = this.randomText(wanted);
    try {
      const expected = await this.ask(this.naive, kind, text);
      const all = unsliced === undefined ? {} : { unsliced, all: await this.ask(this.naive, kind, unsliced) };
      return { kind, text, expected, ...all, dependsOnOrder, features: this.features(text), valued: this.valued };
    } catch (error) {
      if (error instanceof TooBig) return undefined;
      throw error;
    }
  }

  private randomText(wanted: 'query' | 'update' | 'drill'): RandomQuery {
    switch (wanted) {
      case 'query':
        return this.queries.query();
      case 'drill':
        return this.drills.query();
      case 'update':
        return { text: this.updates.update(), dependsOnOrder: false };
    }
  }

  /** Runs a text on an engine. Updates are rolled back, so that all texts read the same worlds. */
  async ask(engine: SparqlEngine, kind: 'query' | 'update', text: string, timeoutMs?: number): Promise<Answer> {
    const { switched } = this;
    switched.current = engine;
    switched.state = undefined;
    const sources = this.data.worlds.map((_, world) => ({ slug: `w${world}`, write: world === 0 }));
    try {
      const result = await this.engine.query({ query: text, sources, baseIri: BASE_IRI, timeoutMs });
      if (kind === 'query') return await answerOf(result, switched.labels);
    } catch (error) {
      if (error instanceof TooBig) throw error;
      return switched.state ? stateAnswer(switched.state, switched.labels) : errorAnswer(error);
    }
    throw new Error('The update was not rolled back.');
  }

  /** Does some work while the worlds have only a part of their quads. */
  async overSome(work: () => Promise<void>): Promise<void> {
    const without: [source: string, quads: RDF.Quad[]][] = [];
    for (let world = 0; world < this.data.worlds.length; world++) {
      const source = `w${world}`;
      const quads: RDF.Quad[] = [];
      for await (const quad of this.engine.quads({ source })) if (this.parts.chance(0.3)) quads.push(quad);
      await this.engine.write({ source, delete: quads });
      without.push([source, quads]);
    }
    await work();
    for (const [source, quads] of without) await this.engine.write({ source, insert: quads });
  }

  /** Returns the trial with the answer of the naive engine under other semantics of expressions. */
  async otherwise(trial: Trial, semantics: Semantics): Promise<Trial | undefined> {
    const naive = naiveEngine({ semantics });
    try {
      const expected = await this.ask(naive, trial.kind, trial.text);
      return {
        ...trial,
        expected,
        ...(trial.unsliced === undefined ? {} : { all: await this.ask(naive, trial.kind, trial.unsliced) }),
      };
    } catch (error) {
      if (error instanceof TooBig) return undefined;
      throw error;
    }
  }

  /** The worlds as N-Quads. */
  describe(): string {
    const { data } = this;
    return data.worlds
      .map((_, world) => `# w${world}, empty: ${data.emptyGraphs(world).join(' ')}\n${data.nQuads(world)}`)
      .join('');
  }

  private features(text: string): Set<string> {
    try {
      return new Set([...featuresOf(prepareOperation(text, { baseIri: BASE_IRI })), ...this.noted]);
    } catch {
      // All engines refuse a text that does not parse, and it has no features.
      return new Set();
    }
  }
}
