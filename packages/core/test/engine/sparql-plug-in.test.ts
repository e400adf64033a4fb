import { expect, it } from 'vitest';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';
import type { SparqlEngine } from '../../src/plugin.ts';

/** A promise that is not a `Promise`, as some libraries make them. */
function later<Value>(value: Value | Promise<Value>): Promise<Value> {
  const promise = Promise.resolve(value);
  // biome-ignore lint/suspicious/noThenProperty: this is what is tested
  return { then: promise.then.bind(promise) } as Promise<Value>;
}

const native = nativeEngine();
/** How an engine may answer: at once, with a promise, with another kind of promise. */
const ANSWERS = {
  'at once': <Value>(value: Value) => value,
  'by promises': <Value>(value: Value) => Promise.resolve(value),
  'by promises of its own making': <Value>(value: Value) => later(value),
};

it.each(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[])('an engine may answer %s', async (how) => {
  const answer = ANSWERS[how] as <Value>(value: Value) => Value;
  const sparql: SparqlEngine = {
    name: 'wrapped',
    prepare(text, options) {
      const prepared = native.prepare(text, options) as Exclude<ReturnType<typeof native.prepare>, Promise<unknown>>;
      return answer(
        prepared.type === 'update'
          ? { type: 'update', execute: (view, given) => answer(prepared.execute(view, given)) }
          : {
              type: 'query',
              form: prepared.form,
              evaluate: (source, given) => answer(prepared.evaluate(source, given)),
            },
      );
    },
  };
  await using engine = await WorldsEngine.open({ sparql });
  await engine.createWorld({ slug: 'w' });
  const sources = ['w'];
  for (const options of [{}, { signal: new AbortController().signal }, { timeoutMs: 60_000 }]) {
    await engine.update({
      query: 'INSERT DATA { <urn:s> <urn:p> 1, 2 }; DELETE DATA { <urn:s> <urn:p> 2 }',
      sources,
      ...options,
    });
    expect(await engine.ask({ query: 'ASK { ?s ?p 1 }', sources, ...options })).toBe(true);
    const rows = await (await engine.select({ query: 'SELECT * { ?s ?p ?o }', sources, ...options })).array();
    expect(rows.map((row) => row.get('o')?.value)).toEqual(['1']);
    await expect(engine.query({ query: 'SELECT', sources, ...options })).rejects.toMatchObject({
      code: 'INVALID_SPARQL',
    });
  }
});
