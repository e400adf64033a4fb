import assert from 'node:assert/strict';
import { type Worlds, WorldsError, type WorldsErrorCode } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { quadKey } from '../term-key.ts';

/** A case of the contract of worlds. */
export interface WorldsCase {
  readonly name: string;
  run(probe: WorldsProbe): Promise<void>;
}

export const EX = 'https://example.org/';

/** Uses worlds like an application. */
export class WorldsProbe {
  readonly worlds: Worlds;

  constructor(worlds: Worlds) {
    this.worlds = worlds;
  }

  /** Creates a world with a Turtle document. `ex:` is declared, and the base is the same. */
  async world(slug: string, turtle = ''): Promise<void> {
    await this.worlds.createWorld({ slug });
    if (turtle === '') return;
    const data = `PREFIX ex: <${EX}> BASE <${EX}> ${turtle}`;
    await this.worlds.import({ source: slug, data, contentType: 'text/turtle' });
  }

  /** Returns a world's quads in a short notation, sorted. Blank nodes have no names in it. */
  async contents(source: string): Promise<string[]> {
    const found: string[] = [];
    for await (const quad of this.worlds.quads({ source })) found.push(shown(quad));
    return found.sort();
  }
}

/** Prints a quad with short IRIs, and blank nodes as `_:`. */
export function shown(quad: RDF.BaseQuad): string {
  return quadKey(quad, () => '')
    .replaceAll(`<${EX}`, '<')
    .replaceAll('^^<http://www.w3.org/2001/XMLSchema#string>', '')
    .trimEnd();
}

/** Asserts that a call fails with a code and a message, at once or when its result is read. */
export async function fails(code: WorldsErrorCode, call: () => unknown, message: RegExp = /\S/): Promise<WorldsError> {
  let error: unknown;
  try {
    const result = await call();
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result)
      for await (const _ of result as AsyncIterable<unknown>);
  } catch (cause) {
    error = cause;
  }
  assert.ok(error instanceof WorldsError, `expected ${code}, got ${error === undefined ? 'a result' : String(error)}`);
  assert.equal(error.code, code, error.message);
  assert.match(error.message, message);
  return error;
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
