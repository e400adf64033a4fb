import type { WorldChange, WorldsEngine, WorldsErrorCode } from '@rdf-worlds/core';
import type { ModelState } from './world-model.ts';

/** The effect of an operation on a state of the model. */
export interface ModelEffect {
  /** Codes of errors, one of which it gets; undefined if it succeeds. */
  readonly refusals?: readonly WorldsErrorCode[];
  /** Its result, without revisions. */
  readonly result?: string;
  /** The state after its commit; undefined if it commits nothing. */
  readonly next?: ModelState;
  /** The commit as a change feed shows it; undefined for the deletion of a namespace. */
  readonly change?: ModelChange;
  /** The world whose revision it returns. */
  readonly slug?: string;
}

export interface ModelChange {
  readonly slug: string;
  readonly kind: WorldChange['kind'];
  readonly inserted: readonly string[];
  readonly deleted: readonly string[];
}

/** The answer of a write. */
export interface WriteAnswer {
  readonly result: string;
  /** Revision of the world; undefined if the call returns none. */
  readonly revision?: number | undefined;
}

/** A write of a client, which is one commit at most. */
export interface WriteOperation {
  /** For the trace. */
  readonly text: string;
  readonly namespace: string;
  /** Whether it may delete a namespace: an error then does not tell whether it did. */
  readonly mayDrop?: boolean;
  /** Calls the engine. */
  run(engine: WorldsEngine): Promise<WriteAnswer>;
  /** Returns its effect on a state. `revision` is that of its commit. */
  apply(state: ModelState, revision: number): ModelEffect;
}

/** A read of a client. */
export interface ReadOperation {
  readonly text: string;
  readonly namespace: string;
  /** Whether it asks for the latest state. */
  readonly isLatest: boolean;
  /** Revision that the client knows from elsewhere: it must see that one or a later one. */
  readonly token?: number | undefined;
  /** Calls the engine, and returns what it has seen. */
  run(engine: WorldsEngine): Promise<string>;
  /** Returns what it must see in a state: a text, or the code of an error. */
  observe(state: ModelState): string;
}
