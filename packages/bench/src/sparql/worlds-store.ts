import { type QueryResult, WorldsEngine } from '@rdf-worlds/core';
import type { LoadInput } from '../load-input.ts';
import type { Answer, Outcome } from './answer.ts';
import { countLines } from './count-lines.ts';
import { RowChecksum, TRIPLE } from './row-checksum.ts';
import type { SparqlStore } from './sparql-store.ts';

const SOURCE = 'measured';

/** A world in its own engine, without a text index. */
export class WorldsStore implements SparqlStore {
  private readonly engine: WorldsEngine;

  private constructor(engine: WorldsEngine) {
    this.engine = engine;
  }

  static async open(): Promise<WorldsStore> {
    const engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: SOURCE });
    return new WorldsStore(engine);
  }

  async load({ bytes, contentType }: LoadInput): Promise<void> {
    await this.engine.import({ source: SOURCE, data: bytes, contentType });
    await this.engine.settle();
  }

  async query(text: string): Promise<Outcome> {
    const answer = await readAll(await this.engine.query({ query: text, sources: [SOURCE] }));
    return () => answer;
  }

  /** Reads the whole answer. Rejects with `ABORTED` once the signal fires. */
  async read(text: string, signal?: AbortSignal): Promise<Answer> {
    return readAll(await this.engine.query({ query: text, sources: [SOURCE], signal }));
  }

  async checksum(text: string): Promise<RowChecksum> {
    const sum = new RowChecksum();
    const result = await this.engine.query({ query: text, sources: [SOURCE] });
    switch (result.type) {
      case 'boolean':
        sum.add(['ask'], [String(result.value)]);
        break;
      case 'bindings': {
        const names = result.variables;
        for await (const batch of result.batches) {
          for (let row = 0; row < batch.length; row++) {
            sum.add(
              names,
              names.map((_, column) => batch.term(row, column)?.value),
            );
          }
        }
        break;
      }
      case 'quads':
        for await (const batch of result.batches) {
          for (const { subject, predicate, object } of batch) {
            sum.add(TRIPLE, [subject.value, predicate.value, object.value]);
          }
        }
        break;
      case 'update':
        throw new Error('An update is no query.');
    }
    return sum;
  }

  async update(...texts: string[]): Promise<void> {
    for (const query of texts) await this.engine.update({ query, sources: [SOURCE] });
    await this.engine.settle();
  }

  async dump(): Promise<Outcome> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.engine.exportStream({ source: SOURCE })) chunks.push(chunk);
    return () => ({ rows: countLines(chunks), chars: 0 });
  }

  async countQuads(): Promise<number> {
    return (await this.engine.stats()).quads;
  }

  async release(): Promise<void> {
    await this.engine.close();
  }
}

/** Reads the value of every term of every row. */
export async function readAll(result: QueryResult): Promise<Answer> {
  let rows = 0;
  let chars = 0;
  switch (result.type) {
    case 'boolean':
      return { rows: 1, chars: Number(result.value) };
    case 'bindings':
      for await (const batch of result.batches) {
        rows += batch.length;
        for (let row = 0; row < batch.length; row++) {
          for (let column = 0; column < result.variables.length; column++) {
            chars += batch.term(row, column)?.value.length ?? 0;
          }
        }
      }
      return { rows, chars };
    case 'quads':
      for await (const batch of result.batches) {
        rows += batch.length;
        for (const { subject, object } of batch) chars += subject.value.length + object.value.length;
      }
      return { rows, chars };
    case 'update':
      throw new Error('An update is no query.');
  }
}
