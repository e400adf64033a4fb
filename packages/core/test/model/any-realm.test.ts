import { createContext, runInContext } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EmbedderFailure } from '../../src/embedders.ts';
import { WorldsEngine, WorldsError } from '../../src/index.ts';
import { anySignal, asBytes, isAbortSignal, isError } from '../../src/model/any-realm.ts';
import { EmbedderLie } from '../../src/search/embedder-lie.ts';

const realm = createContext({});
const foreign = <Value = unknown>(code: string): Value => runInContext(code, realm) as Value;

/** A module evaluated once more; all others stay those that the tests of this process share. */
const copyOf = <Module>(file: string): Promise<Module> =>
  import(/* @vite-ignore */ new URL(`../../src/${file}?copy`, import.meta.url).href);

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

it('recognizes bytes and errors of another realm, but not objects that only claim to be', () => {
  expect(asBytes(foreign('Uint8Array.of(1, 2)'))).toEqual(Uint8Array.of(1, 2));
  expect(asBytes(foreign('new Uint16Array(2)'))).toBeUndefined();
  expect(asBytes({ [Symbol.toStringTag]: 'Uint8Array' })).toBeUndefined();
  expect(isError(foreign('new RangeError("x")'))).toBe(true);
  expect(isError(new DOMException('x'))).toBe(true);
  expect(isError({ message: 'x' })).toBe(false);
});

it('recognizes a WorldsError of another copy of the library, and distinguishes a subclass', async () => {
  const other = {
    ...(await copyOf<typeof import('../../src/model/worlds-error.ts')>('model/worlds-error.ts')),
    ...(await copyOf<typeof import('../../src/search/embedder-failure.ts')>('search/embedder-failure.ts')),
  };
  const error = new other.WorldsError('CONFLICT', 'x');
  expect(other.WorldsError).not.toBe(WorldsError);
  expect(other.EmbedderFailure).not.toBe(EmbedderFailure);
  expect(error instanceof WorldsError).toBe(true);
  expect(error instanceof EmbedderFailure).toBe(false);
  expect(new EmbedderFailure('x') instanceof WorldsError).toBe(true);
  expect(new EmbedderFailure('x') instanceof EmbedderFailure).toBe(true);
  expect(new other.EmbedderFailure('x') instanceof EmbedderFailure).toBe(true);
  expect(new EmbedderFailure('x') instanceof EmbedderLie).toBe(false);
  expect(new EmbedderLie('x') instanceof EmbedderLie).toBe(true);
  for (const value of [new Error('x'), { code: 'CONFLICT' }, null, undefined, 'x']) {
    expect(value instanceof (WorldsError as unknown as new () => object)).toBe(false);
  }
  expect(Object.keys(error)).not.toContain('rdf-worlds.WorldsError');
});

it('requests may come from another realm', async () => {
  const request = foreign<{ sources: string[]; query: string }>(
    `({ sources: ['w'], query: 'INSERT DATA { <urn:a> <urn:b> 1 }' })`,
  );
  expect((await engine.update(request)).inserted).toBe(1);
  const query = 'SELECT ?v { VALUES ?v { 0 } }';
  for (const bindings of ['new Map([["v", new Date(0)]])', '({ v: new Date(0) })']) {
    const result = await engine.select({
      query: query.replace('VALUES ?v { 0 }', 'BIND(?w AS ?v)'),
      bindings: foreign(bindings.replace('v', 'w')),
    });
    expect(await result.objects()).toEqual([{ v: new Date(0) }]);
  }
  expect((await engine.write({ source: 'w', insert: foreign('[]') })).inserted).toBe(0);
});

/** A signal that is not an AbortSignal of the host, as jsdom has one. */
class OtherSignal extends EventTarget {
  readonly [Symbol.toStringTag] = 'AbortSignal';
  aborted = false;
  reason: unknown;
  throwIfAborted(): void {}
  fire(): void {
    this.aborted = true;
    this.reason = foreign('Object.assign(new Error("late"), { name: "TimeoutError" })');
    this.dispatchEvent(new Event('abort'));
  }
}

it('signals may be of another library', async () => {
  const own = new OtherSignal();
  const signal = own as unknown as AbortSignal;
  expect(isAbortSignal(signal)).toBe(true);
  const either = anySignal([signal, new AbortController().signal]);
  const importing = engine.import({
    source: 'w',
    data: (async function* () {
      yield '<urn:a> ';
      await new Promise(() => undefined);
    })(),
    signal,
  });
  setImmediate(() => own.fire());
  await expect(importing).rejects.toMatchObject({ code: 'TIMEOUT' });
  expect(either.aborted).toBe(true);
  expect(anySignal([new AbortController().signal, signal]).aborted).toBe(true);
  await expect(engine.ask({ query: 'ASK {}', signal })).rejects.toMatchObject({ code: 'TIMEOUT' });
});
