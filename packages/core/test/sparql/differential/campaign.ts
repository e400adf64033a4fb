import { comunicaEngine } from '@rdf-worlds/comunica';
import { nativeEngine, type SparqlEngine, WorldsEngine } from '../../../src/index.ts';
import {
  type Answer,
  agree,
  agreeReduced,
  answerOf,
  errorAnswer,
  isOrdered,
  isSubBag,
  isTelling,
  loosely,
  sameOrder,
  show,
  stateAnswer,
} from './answer.ts';
import { COMUNICA_DEVIATIONS } from './comunica-deviations.ts';
import { naiveEngine } from './naive-engine.ts';
import { TooBig } from './naive-evaluator.ts';
import { Random } from './random.ts';
import { RandomDataset } from './random-dataset.ts';
import { RandomQueries, type RandomQuery } from './random-query.ts';
import { RandomUpdates } from './random-update.ts';
import { SwitchedEngine } from './switched-engine.ts';

/** A text that two engines answered differently. */
export interface Difference {
  readonly seed: number;
  readonly between: string;
  readonly text: string;
  readonly data: string;
  readonly expected: string;
  readonly actual: string;
}

export interface CampaignOptions {
  readonly seed: number;
  readonly queries: number;
  readonly updates: number;
  /** Ask Comunica too. */
  readonly comunica: boolean;
  /** Stop after so many differences of the native engine. */
  readonly maxDifferences?: number;
}

export interface CampaignReport {
  queries: number;
  updates: number;
  telling: number;
  tooBig: number;
  /** What the native and the naive engine both refuse, by message. */
  readonly refused: Map<string, number>;
  /** Answers that Comunica was asked for and agreed with. */
  comunicaAgreed: number;
  comunicaTimeouts: number;
  readonly histogram: Map<string, number>;
  /** Native against naive, or against itself. */
  readonly differences: Difference[];
  /** Comunica against the two that agree, where it is known to differ: by name. */
  readonly comunicaDeviations: Map<string, number>;
  /** And where it is not. */
  readonly comunicaDifferences: Difference[];
}

const TEXTS_A_DATASET = 12;
/** Comunica walks some joins for minutes; then it has no opinion. */
const COMUNICA_TIMEOUT_MS = 1500;
const NOW = Date.parse('2026-01-02T03:04:05.678Z');
/** How many texts of one dataset go to the hostile settings. */
const VARIANTS: readonly SparqlEngine[] = [
  nativeEngine({ batchRows: 1 }),
  nativeEngine({ batchRows: 3 }),
  nativeEngine({ optimize: false }),
];
const VARIANT_NAMES = ['batchRows 1', 'batchRows 3', 'optimize false'];

/** Runs random queries and updates over random worlds, and compares what the engines make of them. */
export async function runCampaign({
  seed,
  queries,
  updates,
  comunica,
  maxDifferences = 20,
}: CampaignOptions): Promise<CampaignReport> {
  const histogram = new Map<string, number>();
  const report: CampaignReport = {
    queries: 0,
    updates: 0,
    telling: 0,
    tooBig: 0,
    refused: new Map(),
    comunicaAgreed: 0,
    comunicaTimeouts: 0,
    histogram,
    differences: [],
    comunicaDeviations: new Map(),
    comunicaDifferences: [],
  };
  for (let dataset = 0; report.queries < queries || report.updates < updates; dataset++) {
    const arena = await Arena.open(seed + dataset, report, comunica);
    for (let i = 0; i < TEXTS_A_DATASET && report.differences.length < maxDifferences; i++) {
      const wantsUpdate = report.updates * (queries + 1) < report.queries * updates || report.queries >= queries;
      if (wantsUpdate && updates > 0) await arena.update();
      else await arena.query();
    }
    await arena.close();
    if (report.differences.length >= maxDifferences) break;
  }
  return report;
}

/** Some worlds that texts are tried on. */
class Arena {
  private readonly seed: number;
  private readonly report: CampaignReport;
  private readonly engine: WorldsEngine;
  private readonly switched: SwitchedEngine;
  private readonly data: RandomDataset;
  private readonly native = nativeEngine();
  private readonly naive = naiveEngine();
  private readonly comunica: SparqlEngine | undefined;
  private readonly queries: RandomQueries;
  private readonly updates: RandomUpdates;
  private used = new Set<string>();

  private constructor(
    seed: number,
    report: CampaignReport,
    engine: WorldsEngine,
    switched: SwitchedEngine,
    data: RandomDataset,
    random: Random,
    comunica: boolean,
  ) {
    this.seed = seed;
    this.report = report;
    this.engine = engine;
    this.switched = switched;
    this.data = data;
    this.comunica = comunica ? comunicaEngine() : undefined;
    const use = (feature: string) => this.used.add(feature);
    this.queries = new RandomQueries(random, data.merged, use);
    this.updates = new RandomUpdates(random, data.merged, use);
  }

  static async open(seed: number, report: CampaignReport, comunica: boolean): Promise<Arena> {
    const random = new Random(seed);
    const data = new RandomDataset(
      random,
      random.weighted([
        [5, 1],
        [2, 2],
        [1, 3],
      ]),
    );
    const switched = new SwitchedEngine(nativeEngine());
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
    return new Arena(seed, report, engine, switched, data, random, comunica);
  }

  async close(): Promise<void> {
    await this.engine.close();
  }

  async query(): Promise<void> {
    this.used = new Set();
    const query = this.queries.query();
    const expected = await this.ask(this.naive, query.text);
    if (expected === 'too big') return void this.report.tooBig++;
    const all = query.unsliced === undefined ? undefined : await this.ask(this.naive, query.unsliced);
    if (all === 'too big') return void this.report.tooBig++;
    this.report.queries++;
    this.count(expected);
    const check = (actual: Answer, byOrder: boolean): boolean =>
      isRight(query, expected, all, actual, this.used.has('REDUCED'), byOrder);

    const actual = (await this.ask(this.native, query.text)) as Answer;
    if (!check(actual, true)) this.differ('native', query.text, expected, actual);
    for (const [at, variant] of VARIANTS.entries()) {
      const other = (await this.ask(variant, query.text)) as Answer;
      if (!check(other, true)) this.differ(`native, ${VARIANT_NAMES[at]}`, query.text, expected, other);
    }
    if (!this.comunica || query.dependsOnOrder) return;
    const opinion = (await this.ask(this.comunica, query.text)) as Answer;
    if (isRight(query, loosely(expected), all && loosely(all), loosely(opinion), this.used.has('REDUCED'), false))
      this.report.comunicaAgreed++;
    else this.deviate(query.text, expected, opinion);
  }

  async update(): Promise<void> {
    this.used = new Set();
    const text = this.updates.update();
    const expected = await this.apply(this.naive, text);
    if (expected === 'too big') return void this.report.tooBig++;
    this.report.updates++;
    this.count(expected);
    const actual = (await this.apply(this.native, text)) as Answer;
    if (!agree(expected, actual)) this.differ('native', text, expected, actual);
    for (const [at, variant] of VARIANTS.entries()) {
      const other = (await this.apply(variant, text)) as Answer;
      if (!agree(expected, other)) this.differ(`native, ${VARIANT_NAMES[at]}`, text, expected, other);
    }
    if (!this.comunica) return;
    const opinion = (await this.apply(this.comunica, text)) as Answer;
    if (agree(expected, opinion)) this.report.comunicaAgreed++;
    else this.deviate(text, expected, opinion);
  }

  private count(expected: Answer): void {
    if (isTelling(expected)) this.report.telling++;
    if (expected.type === 'error') {
      const { refused } = this.report;
      const reason = `${expected.code}: ${expected.message.slice(0, 90)}`;
      refused.set(reason, (refused.get(reason) ?? 0) + 1);
    }
    for (const feature of this.used) this.report.histogram.set(feature, (this.report.histogram.get(feature) ?? 0) + 1);
  }

  private differ(who: string, text: string, expected: Answer, actual: Answer): void {
    this.report.differences.push(this.difference(who, text, expected, actual));
  }

  private deviate(text: string, expected: Answer, actual: Answer): void {
    if (actual.type === 'error' && actual.code === 'TIMEOUT') return void this.report.comunicaTimeouts++;
    const known = COMUNICA_DEVIATIONS.find((one) => one.applies(text, expected, actual));
    const { comunicaDeviations } = this.report;
    if (known) comunicaDeviations.set(known.name, (comunicaDeviations.get(known.name) ?? 0) + 1);
    else this.report.comunicaDifferences.push(this.difference('comunica', text, expected, actual));
  }

  private difference(who: string, text: string, expected: Answer, actual: Answer): Difference {
    const data = this.data.worlds
      .map((_, world) => `# w${world}, empty: ${this.data.emptyGraphs(world).join(' ')}\n${this.data.nQuads(world)}`)
      .join('');
    return { seed: this.seed, between: who, text, data, expected: show(expected), actual: show(actual) };
  }

  private get sources(): string[] {
    return this.data.worlds.map((_, world) => `w${world}`);
  }

  private async ask(engine: SparqlEngine, text: string): Promise<Answer | 'too big'> {
    this.switched.current = engine;
    try {
      const timeoutMs = engine === this.comunica ? COMUNICA_TIMEOUT_MS : undefined;
      const result = await this.engine.query({ query: text, sources: this.sources, baseIri: 'http://e/', timeoutMs });
      return await answerOf(result, this.switched.labels);
    } catch (error) {
      if (error instanceof TooBig) return 'too big';
      return errorAnswer(error);
    }
  }

  private async apply(engine: SparqlEngine, text: string): Promise<Answer | 'too big'> {
    this.switched.current = engine;
    this.switched.state = undefined;
    try {
      const sources = this.sources.map((source, world) => ({ slug: source, write: world === 0 }));
      const timeoutMs = engine === this.comunica ? COMUNICA_TIMEOUT_MS : undefined;
      await this.engine.query({ query: text, sources, baseIri: 'http://e/', timeoutMs });
      throw new Error('The update was not rolled back.');
    } catch (error) {
      if (error instanceof TooBig) return 'too big';
      return this.switched.state ? stateAnswer(this.switched.state, this.switched.labels) : errorAnswer(error);
    }
  }
}

function isRight(
  { text, unsliced }: RandomQuery,
  expected: Answer,
  all: Answer | undefined,
  actual: Answer,
  isReduced: boolean,
  byOrder: boolean,
): boolean {
  if (expected.type === 'error' || actual.type === 'error') return agree(expected, actual);
  if (byOrder && !isOrdered(text, actual)) return false;
  if (unsliced !== undefined && all) return sameOrder(text, actual, expected) && isSubBag(actual, all);
  return isReduced ? agreeReduced(actual, expected) : agree(actual, expected);
}
