import type { WorldsEngine } from '@rdf-worlds/core';
import type { EngineUnderTest } from './engine-under-test.ts';

/**
 * An engine that is closed and opened again before each reading that follows on a change: so that
 * every answer is of what the storage has.
 */
export class ReopenedEngine implements EngineUnderTest {
  readonly #open: () => Promise<WorldsEngine>;
  #engine: WorldsEngine;
  #isChanged = false;
  /** Somebody serves the engine, until the worlds of the test go. */
  #isServed = false;

  private constructor(open: () => Promise<WorldsEngine>, engine: WorldsEngine) {
    this.#open = open;
    this.#engine = engine;
  }

  static async open(open: () => Promise<WorldsEngine>): Promise<ReopenedEngine> {
    return new ReopenedEngine(open, await open());
  }

  createWorld(options: Parameters<EngineUnderTest['createWorld']>[0]): Promise<unknown> {
    return this.#changing().createWorld(options);
  }

  deleteWorld(options: Parameters<EngineUnderTest['deleteWorld']>[0]): Promise<void> {
    this.#isServed = false;
    return this.#changing().deleteWorld(options);
  }

  import(options: Parameters<EngineUnderTest['import']>[0]): Promise<unknown> {
    return this.#changing().import(options);
  }

  write(options: Parameters<EngineUnderTest['write']>[0]): Promise<unknown> {
    return this.#changing().write(options);
  }

  async export(options: Parameters<EngineUnderTest['export']>[0]): Promise<Uint8Array> {
    return (await this.#reopened()).export(options);
  }

  async canonicalize(
    options: Parameters<EngineUnderTest['canonicalize']>[0],
  ): ReturnType<EngineUnderTest['canonicalize']> {
    return (await this.#reopened()).canonicalize(options);
  }

  async *quads(options: Parameters<EngineUnderTest['quads']>[0]): ReturnType<WorldsEngine['quads']> {
    yield* (await this.#reopened()).quads(options);
  }

  async sparql(options: Parameters<EngineUnderTest['sparql']>[0]): ReturnType<EngineUnderTest['sparql']> {
    const engine = await this.#reopened();
    const results = await engine.sparql(options);
    const isUpdate = results === null;
    this.#isChanged ||= isUpdate;
    return results;
  }

  async opened(): Promise<WorldsEngine> {
    const engine = await this.#reopened();
    this.#isServed = true;
    return engine;
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  #changing(): WorldsEngine {
    this.#isChanged = true;
    return this.#engine;
  }

  async #reopened(): Promise<WorldsEngine> {
    if (this.#isChanged && !this.#isServed) {
      await this.#engine.close();
      this.#engine = await this.#open();
      this.#isChanged = false;
    }
    return this.#engine;
  }
}
