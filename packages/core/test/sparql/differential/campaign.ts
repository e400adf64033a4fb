import { nativeEngine } from '../../../src/index.ts';
import type { SparqlEngine } from '../../../src/plugin.ts';
import {
  type Answer,
  agree,
  agreeReduced,
  isOrdered,
  isSubBag,
  isTelling,
  loosely,
  sameOrder,
  show,
} from './answer.ts';
import { Arena, BASE_IRI, type Trial } from './arena.ts';
import { FAST_PATHS, type FastPath, turnOff } from './fast-paths.ts';
import { withOtherConstants } from './other-constants.ts';
import { type Peer, vocabularyOf } from './peers.ts';

/** A query or update that two engines answered differently. */
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
  /** Further engines to compare with the naive one. */
  readonly peers: readonly Peer[];
  /** Stop after this many differences of the native engine. */
  readonly maxDifferences?: number;
  /** Runs each text in every setting. Default: in alternating halves of `FURTHER`. */
  readonly everySetting?: boolean;
}

export interface CampaignReport {
  queries: number;
  updates: number;
  telling: number;
  tooBig: number;
  /** Counts of expected errors, by code and message. */
  readonly refused: Map<string, number>;
  /** The number of texts that contain each feature, such as an operator or a function. */
  readonly histogram: Map<string, number>;
  /** The number of texts in which each function and aggregate returned a value. */
  readonly valued: Map<string, number>;
  /** Differences between the native and the naive engine. */
  readonly differences: Difference[];
  /** Reports by the name of the peer. */
  readonly peers: ReadonlyMap<string, PeerReport>;
}

export interface PeerReport {
  /** The number of answers that agree with the naive engine. */
  agreed: number;
  timeouts: number;
  /** Counts of known deviations, by name. */
  readonly deviations: Map<string, number>;
  /** Differences that no known deviation explains. */
  readonly differences: Difference[];
}

export const TEXTS_A_DATASET = 12;
/** One query in this many is a drill, which calls many functions; see `random/drills.ts`. */
const QUERIES_A_DRILL = 4;
/**
 * Timeout for answers of peers, which are then not compared: Comunica needs minutes for some joins.
 */
const PEER_TIMEOUT_MS = 1500;

/** A configuration of the native engine. */
interface Setting {
  readonly name: string;
  readonly engine: SparqlEngine;
  /** Fast paths that are off in this setting. */
  readonly without: readonly FastPath[];
  /** How often each text runs; the last answer counts. Default: 1. */
  readonly times?: number;
  /** Whether it runs behind texts that differ from it in constants alone. */
  readonly isOneOfMany?: boolean;
  /** Whether its plan was made before a commit. */
  readonly isPlannedBefore?: boolean;
}

/** Settings in which every text runs. */
const SETTINGS: readonly Setting[] = [
  { name: 'native', engine: nativeEngine(), without: [] },
  // The second run keeps its plan for the third.
  { name: 'native with kept plans', engine: nativeEngine(), without: [], times: 3 },
  { name: 'native with shared plans', engine: nativeEngine(), without: [], isOneOfMany: true },
];

/** A setting in which one text of this many runs, because it writes to the worlds. */
const PLANNED_BEFORE: Setting = {
  name: 'native with plans from before a commit',
  engine: nativeEngine(),
  without: [],
  isPlannedBefore: true,
};
const TEXTS_A_COMMIT = 3;

/**
 * Further settings. A short campaign runs each text in half of them, in turn; a long one in all.
 */
const FURTHER: readonly Setting[] = [
  { name: 'native, batchRows 1', engine: nativeEngine({ batchRows: 1 }), without: [] },
  { name: 'native, optimize false', engine: nativeEngine({ optimize: false }), without: [] },
  { name: 'native, batchRows 3', engine: nativeEngine({ batchRows: 3 }), without: [] },
  { name: 'native without fast paths', engine: nativeEngine(), without: FAST_PATHS },
];

/**
 * One setting per fast path, in turn: a fault may show only while a single fast path is off. Each
 * has its own engine, because a kept plan contains the fast paths of the setting that made it.
 */
const IN_TURN: readonly Setting[] = FAST_PATHS.map((path) => ({
  name: `native without ${path.name}`,
  engine: nativeEngine(),
  without: [path],
}));

/** Runs random queries and updates over random worlds, and compares the answers of the engines. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { seed, queries, updates, maxDifferences = 20, everySetting = false } = options;
  const report: CampaignReport = {
    queries: 0,
    updates: 0,
    telling: 0,
    tooBig: 0,
    refused: new Map(),
    histogram: new Map(),
    valued: new Map(),
    differences: [],
    peers: new Map(
      options.peers.map(({ name }) => [name, { agreed: 0, timeouts: 0, deviations: new Map(), differences: [] }]),
    ),
  };
  const vocabulary = vocabularyOf(options.peers);
  for (let dataset = 0; report.queries < queries || report.updates < updates; dataset++) {
    const arena = await Arena.open(seed + dataset, nativeEngine(), vocabulary);
    for (let i = 0; i < TEXTS_A_DATASET && report.differences.length < maxDifferences; i++) {
      const wantsUpdate = report.updates * (queries + 1) < report.queries * updates || report.queries >= queries;
      const isDrill = report.queries % QUERIES_A_DRILL === QUERIES_A_DRILL - 1;
      const trial = await arena.trial(wantsUpdate && updates > 0 ? 'update' : isDrill ? 'drill' : 'query');
      if (!trial) {
        report.tooBig++;
        continue;
      }
      count(trial, report);
      const texts = report.queries + report.updates;
      const inTurn = IN_TURN[texts % IN_TURN.length];
      const further = everySetting ? FURTHER : FURTHER.filter((_, at) => at % 2 === texts % 2);
      const committed = trial.kind === 'query' && texts % TEXTS_A_COMMIT === 0 ? [PLANNED_BEFORE] : [];
      for (const setting of [...SETTINGS, ...further, inTurn, ...committed]) {
        const actual = await askIn(setting, arena, trial);
        if (!isRight(trial, actual)) report.differences.push(difference(setting.name, arena, trial, actual));
      }
      // Peers do not run SERVICE, or texts whose answers depend on an open order.
      if (trial.dependsOnOrder || trial.features.has('operator service')) continue;
      for (const peer of options.peers)
        if (peer.answers(trial, arena)) await compareWithPeer(peer, arena, trial, report.peers.get(peer.name)!);
    }
    await arena.close();
    if (report.differences.length >= maxDifferences) break;
  }
  return report;
}

async function askIn(
  { engine, without, times = 1, isOneOfMany = false, isPlannedBefore = false }: Setting,
  arena: Arena,
  { kind, text }: Trial,
): Promise<Answer> {
  const turnOn = turnOff(without);
  try {
    if (isOneOfMany) for (const other of withOtherConstants(text, BASE_IRI)) await arena.ask(engine, kind, other);
    if (isPlannedBefore) {
      await arena.overSome(async () => {
        for (let i = 0; i < 2; i++) await arena.ask(engine, kind, text);
      });
    }
    for (let i = 1; i < times; i++) await arena.ask(engine, kind, text);
    return await arena.ask(engine, kind, text);
  } finally {
    turnOn();
  }
}

function count({ kind, expected, features, valued }: Trial, report: CampaignReport): void {
  if (kind === 'query') report.queries++;
  else report.updates++;
  if (isTelling(expected)) report.telling++;
  const { refused, histogram } = report;
  if (expected.type === 'error') increment(refused, `${expected.code}: ${expected.message.slice(0, 90)}`);
  for (const feature of features) increment(histogram, feature);
  for (const name of valued) increment(report.valued, name);
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

async function compareWithPeer(peer: Peer, arena: Arena, trial: Trial, report: PeerReport): Promise<void> {
  const opinion = await arena.ask(peer.engine, trial.kind, trial.text, PEER_TIMEOUT_MS);
  if (agreesWith(trial, opinion)) {
    report.agreed++;
    return;
  }
  if (opinion.type === 'error' && opinion.code === 'TIMEOUT') {
    report.timeouts++;
    return;
  }
  // Computes the expected answer again with the peer's known semantics of expressions.
  const computed = await arena.otherwise(trial, peer.semantics);
  if (computed && agreesWith(computed, opinion)) {
    for (const name of deviatingFunctions(peer, trial)) increment(report.deviations, name);
    return;
  }
  const known = peer.deviations.find((one) => one.applies(computed ?? trial, opinion));
  if (known) increment(report.deviations, known.name);
  else report.differences.push(difference(peer.name, arena, computed ?? trial, opinion));
}

/** Whether the answer of a peer is right, apart from what engines may choose. */
function agreesWith(trial: Trial, opinion: Answer): boolean {
  const loose = { ...trial, expected: loosely(trial.expected), ...(trial.all ? { all: loosely(trial.all) } : {}) };
  return isRight(loose, loosely(opinion), { byOrder: false });
}

/** The deviations of expressions that the features of a text can trigger. */
function deviatingFunctions({ functionDeviations }: Peer, { features }: Trial): string[] {
  return functionDeviations
    .filter(({ functions }) => !functions || Object.keys(functions).some((name) => features.has(`function ${name}`)))
    .map(({ name }) => name);
}

function difference(between: string, arena: Arena, { text, expected }: Trial, actual: Answer): Difference {
  return { seed: arena.seed, between, text, data: arena.describe(), expected: show(expected), actual: show(actual) };
}

/**
 * Whether the specification permits an answer. With `byOrder`, rows must also be in the order of
 * the library, which decides where the specification leaves the order open.
 */
export function isRight(
  { text, expected, all, features }: Trial,
  actual: Answer,
  { byOrder } = { byOrder: true },
): boolean {
  if (expected.type === 'error' || actual.type === 'error') return agree(expected, actual);
  if (byOrder && !isOrdered(text, actual)) return false;
  if (all) return sameOrder(text, actual, expected) && isSubBag(actual, all);
  return features.has('operator reduced') ? agreeReduced(actual, expected) : agree(actual, expected);
}
