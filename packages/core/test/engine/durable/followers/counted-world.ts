import { dataFactory, type WorldsEngine } from '@rdf-worlds/core';

const { quad, namedNode, literal } = dataFactory;

/** Number of items that a state has. */
export const WINDOW = 50;

const COUNTER = namedNode('urn:counter');
const item = (n: number) => quad(namedNode(`urn:item/${n}`), namedNode('urn:text'), literal(`item number ${n}`));
const count = (n: number) => quad(COUNTER, namedNode('urn:value'), literal(`${n}`));

/** The commit that counts to a number: the number, and an item for each of the last ones. */
export function changeTo(n: number) {
  return {
    insert: [count(n), item(n)],
    delete: [...(n > 1 ? [count(n - 1)] : []), ...(n > WINDOW ? [item(n - WINDOW)] : [])],
  };
}

export interface CountedState {
  readonly counter: number;
  /** What is wrong with the state; empty if it is one that a commit has left. */
  readonly problems: readonly string[];
}

/** Reads a state whole, by one query. */
export async function stateOf(engine: WorldsEngine): Promise<CountedState> {
  const result = await engine.select({ sources: ['w'], query: 'SELECT ?s ?o { ?s ?p ?o }' });
  const counters: number[] = [];
  const items: number[] = [];
  for (const row of await result.array()) {
    const subject = row.get('s')!.value;
    if (subject === COUNTER.value) counters.push(Number(row.get('o')!.value));
    else items.push(Number(subject.slice('urn:item/'.length)));
  }
  const counter = counters[0] ?? 0;
  const wanted = Array.from({ length: Math.min(counter, WINDOW) }, (_, i) => counter - i).sort((a, b) => a - b);
  items.sort((a, b) => a - b);
  const problems: string[] = [];
  if (counters.length > 1) problems.push(`counters ${counters}`);
  if (`${items}` !== `${wanted}`) problems.push(`at ${counter}: items ${items}`);
  return { counter, problems };
}
