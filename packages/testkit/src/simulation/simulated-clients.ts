import { WorldsError } from '@rdf-worlds/core';
import type { SeededRandom } from '../seeded-random.ts';
import type { ReadOperation, WriteOperation } from './simulated-operation.ts';
import { CRASHED, type SimulatedProcess, type SimulatedWorld } from './simulated-process.ts';
import * as reads from './simulated-reads.ts';
import * as writes from './simulated-writes.ts';
import { describe, isExplained } from './simulation-oracle.ts';
import type { OperationKind, SimulationWorkload } from './simulation-workload.ts';

/** The clients of a run, who remember together which revisions and lines there have been. */
export class SimulatedClients {
  private readonly world: SimulatedWorld;
  private readonly workload: SimulationWorkload;
  /** By namespace, the newest revision that an answer has shown. */
  private readonly revisions = new Map<string, number>();
  /** Lines that were written to a world. */
  private readonly lines = new Map<string, string[]>();
  private ids = 0;
  /** What is running, for the report of what has not ended. */
  readonly running = new Map<number, string>();

  constructor(world: SimulatedWorld, workload: SimulationWorkload) {
    this.world = world;
    this.workload = workload;
  }

  /** Creates most worlds, so that the clients find something to do. */
  async createWorlds(process: SimulatedProcess, random: SeededRandom): Promise<void> {
    for (const namespace of this.workload.namespaces) {
      for (const slug of this.workload.slugs) {
        const target = { id: ++this.ids, namespace, slug };
        if (random.chance(0.9)) await this.write(process, random, writes.createOperation(target));
      }
    }
  }

  /** Commits to each namespace: nothing that went wrong before may prevent it. */
  async writeOnceMore(process: SimulatedProcess, random: SeededRandom): Promise<void> {
    for (const namespace of this.workload.namespaces) {
      const [slug] = this.workload.slugs;
      await this.write(process, random, writes.createOperation({ id: ++this.ids, namespace, slug }));
      await this.write(process, random, writes.incrementOperation({ id: ++this.ids, namespace, slug }));
    }
  }

  /** Runs a client of a process, which does one operation after the other. */
  async run(process: SimulatedProcess, random: SeededRandom, operations: number): Promise<void> {
    const { time } = this.world;
    for (let done = 0; done < operations; done++) {
      await time.sleep(-Math.log(1 - random.next()) * this.workload.thinkMs);
      await process.start();
      await this.one(process, random);
    }
  }

  private async one(process: SimulatedProcess, random: SeededRandom): Promise<void> {
    const { workload } = this;
    const id = ++this.ids;
    const namespace = random.pick(workload.namespaces);
    const target = { id, namespace, slug: random.pick(workload.slugs) };
    const kind = this.pick(random);
    switch (kind) {
      case 'create':
        return this.write(process, random, writes.createOperation(target));
      case 'delete':
        return this.write(process, random, writes.deleteOperation(target));
      case 'deleteNamespace':
        return this.write(process, random, writes.deleteNamespaceOperation(target));
      case 'label':
        return this.write(process, random, writes.labelOperation(target));
      case 'fork':
        return this.write(process, random, writes.forkOperation(target, random.pick(workload.slugs)));
      case 'write': {
        const known = this.linesOf(target);
        const remove = known.filter(() => random.chance(0.2)).slice(0, 3);
        // Lines that may be there, too: then they change nothing.
        const again = known.filter((text) => random.chance(0.15) && !remove.includes(text)).slice(0, 2);
        const fresh = random.chance(0.9) ? writes.newLines(id, 1 + random.below(3)) : [];
        known.push(...fresh);
        return this.write(process, random, writes.writeOperation(target, remove, [...fresh, ...again]));
      }
      case 'insertData': {
        const known = this.linesOf(target);
        const fresh = random.chance(0.9) || known.length === 0 ? writes.newLines(id, 1 + random.below(2)) : [];
        known.push(...fresh);
        const insert = fresh.length > 0 ? fresh : [random.pick(known)].filter((text) => !text.includes('^^'));
        return this.write(process, random, writes.insertDataOperation(target, insert));
      }
      case 'deleteWhere':
        return this.write(process, random, writes.deleteWhereOperation(target, writes.subjectOf(random.below(5))));
      case 'increment':
        return this.write(process, random, writes.incrementOperation(target));
      case 'incrementIf': {
        const seen = await this.read(process, reads.datasetRead({ ...target, consistency: 'bounded' }));
        if (seen === undefined || seen === 'NOT_FOUND') return;
        return this.write(process, random, writes.incrementIfOperation(target, reads.datasetOf(seen)));
      }
      case 'import': {
        const fresh = writes.newLines(id, 1 + random.below(6));
        this.linesOf(target).push(...fresh);
        const mode = random.chance(0.3) ? 'replace' : 'merge';
        return this.write(process, random, writes.importOperation(target, fresh, mode, this.pauses(random)));
      }
      case 'patch': {
        const known = this.linesOf(target);
        const remove = known.filter(() => random.chance(0.2)).slice(0, 3);
        const fresh = writes.newLines(id, 1 + random.below(3));
        known.push(...fresh);
        return this.write(process, random, writes.patchOperation(target, remove, fresh, this.pauses(random)));
      }
      case 'dropGraph':
        return this.write(process, random, writes.dropGraphOperation(target, writes.graphOf(random.below(3))));
      case 'past': {
        const newest = this.revisions.get(namespace) ?? 0;
        return this.readPast(process, target, Math.max(1, newest - random.below(25)));
      }
      case 'read':
      case 'search':
      case 'roam': {
        const revision = this.revisions.get(namespace);
        const consistency: 'latest' | 'bounded' = random.chance(0.4) ? 'latest' : 'bounded';
        const read = { ...target, consistency, ...(kind === 'roam' ? { token: revision } : {}) };
        await this.read(process, this.readOf(read, random, kind === 'search'));
        return;
      }
      default:
        return this.maintain(process, id, kind, namespace);
    }
  }

  private pick(random: SeededRandom): OperationKind {
    const entries = Object.entries(this.workload.weights) as [OperationKind, number][];
    let left = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [kind, weight] of entries) if ((left -= weight) < 0) return kind;
    return 'read';
  }

  /** How long a document takes to arrive: mostly it is there at once. */
  private pauses(random: SeededRandom): readonly number[] {
    if (random.chance(0.6)) return [];
    return Array.from({ length: 1 + random.below(3) }, () => random.next() * random.pick([10, 100, 1000]));
  }

  private readOf(target: reads.ReadTarget, random: SeededRandom, isSearch: boolean): ReadOperation {
    if (isSearch) return reads.searchRead(target, random.pick(['common', 'odd', 'n2']), random.chance(0.4));
    const { exportRead, datasetRead, selectRead, joinRead, recordRead, listRead } = reads;
    return random.pick([exportRead, exportRead, datasetRead, selectRead, joinRead, recordRead, listRead])(target);
  }

  private linesOf({ namespace, slug }: { namespace: string; slug: string }): string[] {
    const key = `${namespace}/${slug}`;
    let known = this.lines.get(key);
    if (!known) this.lines.set(key, (known = []));
    return known;
  }

  /** Runs a write and has its outcome judged. */
  async write(process: SimulatedProcess, random: SeededRandom, operation: WriteOperation): Promise<void> {
    const { oracle } = this.world;
    const number = oracle.invoked(operation, process.number);
    await this.traced(process, operation.text, async () => {
      try {
        const answer = await process.call((engine) => operation.run(engine), number);
        // Whether it has taken effect shows only in the log.
        if (answer === CRASHED) return 'crashed';
        oracle.answered(number, answer);
        this.learn(operation.namespace, answer.revision);
        return `${answer.result} ${answer.revision}`;
      } catch (error) {
        const isUnknown = oracle.failed(number, error);
        if (isUnknown && error instanceof WorldsError && error.commit && random.chance(0.7))
          await this.ask(process, number, operation, error.commit);
        return codeOf(error);
      }
    });
  }

  /** Asks for the outcome of a write. */
  private async ask(
    process: SimulatedProcess,
    number: number,
    { namespace, text }: WriteOperation,
    commit: string,
  ): Promise<void> {
    try {
      const status = await process.call((engine) => engine.commitStatus({ namespace, commit }));
      if (status !== CRASHED) this.world.oracle.statusOf(number, status);
    } catch (error) {
      const isForgotten = error instanceof WorldsError && (error.code === 'TRUNCATED' || error.code === 'IN_DOUBT');
      if (!isForgotten) this.world.oracle.readFailed({ text: `The status of ${text}` }, error);
    }
  }

  /** Runs a read and has what it sees judged. Returns that; undefined if it fails. */
  async read(process: SimulatedProcess, operation: ReadOperation): Promise<string | undefined> {
    const { oracle } = this.world;
    const bounds = oracle.bounds(operation, process.number);
    let seen: string | undefined;
    await this.traced(process, operation.text, async () => {
      try {
        const value = await process.call((engine) => operation.run(engine));
        if (value === CRASHED) return 'crashed';
        oracle.observed(operation, process.number, bounds, value);
        seen = value;
        return `${value.length}`;
      } catch (error) {
        oracle.readFailed(operation, error);
        return codeOf(error);
      }
    });
    return seen;
  }

  /** Reads a world as of a revision and has what it sees judged. */
  private async readPast(
    process: SimulatedProcess,
    { id, namespace, slug }: { id: number; namespace: string; slug: string },
    revision: number,
  ): Promise<void> {
    const { oracle } = this.world;
    const text = `#${id} export ${namespace}/${slug} at ${revision}`;
    const past = { namespace, slug, revision, isCommitted: oracle.hasRevision(namespace, revision) };
    await this.traced(process, text, async () => {
      try {
        const value = await process.call(async (engine) => {
          await engine.catchUp({ namespace, revision });
          return reads.linesOfExport(await engine.export({ source: { namespace, slug }, at: revision }));
        });
        if (value === CRASHED) return 'crashed';
        oracle.observedPast(text, past, value);
        return `${value.length}`;
      } catch (error) {
        oracle.pastFailed(text, past, error);
        return codeOf(error);
      }
    });
  }

  private async maintain(
    process: SimulatedProcess,
    id: number,
    kind: 'checkpoint' | 'compact' | 'forget',
    namespace: string,
  ): Promise<void> {
    const { oracle } = this.world;
    const text = `#${id} ${kind} ${namespace}`;
    await this.traced(process, text, async () => {
      try {
        await process.call<unknown>((engine) =>
          kind === 'checkpoint'
            ? engine.checkpoint({ namespace })
            : engine.compact({ namespace, forgetChanges: kind === 'forget' }),
        );
        return 'done';
      } catch (error) {
        // Others keep writing.
        const isRefused = error instanceof WorldsError && error.code === 'CONFLICT';
        if (!isRefused && !isExplained(error)) oracle.violate('errors', `${text} has failed: ${describe(error)}`);
        return codeOf(error);
      }
    });
  }

  private async traced(process: SimulatedProcess, text: string, work: () => Promise<string>): Promise<void> {
    const { trace, time } = this.world;
    const key = ++this.ids;
    this.running.set(key, `${text} of ${process.scope.name}`);
    trace.add(`${time.nowMs.toFixed(2)} ${process.scope.name} ${text}`);
    const outcome = await work();
    trace.add(`${time.nowMs.toFixed(2)} ${process.scope.name} ${text}: ${outcome}`);
    this.running.delete(key);
  }

  private learn(namespace: string, revision: number | undefined): void {
    if (revision === undefined) return;
    this.revisions.set(namespace, Math.max(revision, this.revisions.get(namespace) ?? 0));
  }
}

function codeOf(error: unknown): string {
  return error instanceof WorldsError ? error.code : String(error);
}
