import { type WorldChange, WorldsError } from '@rdf-worlds/core';
import { CRASHED, type SimulatedProcess, type SimulatedWorld } from './simulated-process.ts';

/** Time before a subscriber tries again, in milliseconds. */
const AGAIN_MS = 50;

/** A subscriber of a change feed, who continues where it was after each failure. */
export class SimulatedFeed {
  readonly namespace: string;
  private readonly process: SimulatedProcess;
  private readonly world: SimulatedWorld;
  /** Revision up to which it has seen everything; undefined before it has begun. */
  private after: number | undefined;
  private isStopped = false;
  /** Number of changes that it has received. */
  received = 0;

  constructor(process: SimulatedProcess, namespace: string, world: SimulatedWorld) {
    this.process = process;
    this.namespace = namespace;
    this.world = world;
  }

  get text(): string {
    return `The feed of ${this.namespace} in process ${this.process.number}`;
  }

  /** The revision that it has reached; undefined before it has begun. */
  get reached(): number | undefined {
    return this.after;
  }

  stop(): void {
    this.isStopped = true;
  }

  async run(): Promise<void> {
    const { process, world } = this;
    while (!this.isStopped) {
      await process.start();
      await this.follow().catch((error: unknown) => this.ended(error));
      await world.time.sleep(AGAIN_MS);
    }
  }

  private async follow(): Promise<void> {
    const { process, namespace, world } = this;
    let feed: AsyncGenerator<WorldChange> | undefined;
    if (this.after === undefined) {
      const found = await process.call((engine) => engine.getNamespace({ namespace }));
      if (found === CRASHED || found === null) return;
      this.after = found.revision;
    }
    while (!this.isStopped) {
      const next = await process.call((engine) => {
        feed ??= engine.changes({ namespace, after: this.after });
        return feed.next();
      });
      if (next === CRASHED || next.done) return;
      this.received++;
      world.trace.add(`${world.time.nowMs.toFixed(2)} feed ${process.scope.name} ${namespace} ${next.value.revision}`);
      world.oracle.fed(namespace, process.number, this.after, next.value);
      this.after = next.value.revision;
    }
  }

  private ended(error: unknown): void {
    const { oracle } = this.world;
    const code = error instanceof WorldsError ? error.code : undefined;
    // The namespace has no worlds at the moment, or the engine has been closed.
    if (code === 'NOT_FOUND' || this.isStopped) return;
    if (code !== 'TRUNCATED') {
      oracle.readFailed(this, error);
      return;
    }
    oracle.feedTruncated(this.namespace, this.process.number, this.after!);
    this.after = (error as WorldsError).revision ?? undefined;
  }
}
