import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it } from 'vitest';
import { chatTurns } from '../../bench/src/search/collections/chat-turns.ts';
import { ndcgAt10, recallAt10 } from '../../bench/src/search/relevance.ts';
import { callTool, textOf } from './a-client.ts';
import { aCommandClient, aFolder } from './a-command.ts';

/** Generated conversations to compare on: MCP_RELEVANCE_SEEDS=5 is the full campaign. */
const SEEDS = Number(process.env['MCP_RELEVANCE_SEEDS'] ?? 1);
/** Hits asked for: several may be of one turn. */
const LIMIT = 30;
/** Below what one call may pass. */
const MAX_LENGTH = 900_000;
/** A richer search may lose this much of a measure, or twice its standard error if that is more. */
const NOISE = 0.01;
const TIMEOUT_MS = 300_000;

/** Texts of labels, and what has no word in common with them but is said in the same talks. */
const LABELS = ['boots summit ridge backpack', 'guitar concert chords band', 'server deploy database bug'];
const RELATED = ['trail glacier hut', 'melody drummer lyrics', 'laptop outage backup'];

type Collection = ReturnType<typeof chatTurns>;

async function store(client: Client, { quads }: Collection): Promise<void> {
  const lines = quads.map(
    ({ subject, predicate, object }) => `<${subject.value}> <${predicate.value}> ${JSON.stringify(object.value)} .\n`,
  );
  const importing = async (world: string, document: string) => {
    const result = await callTool(client, 'import_document', {
      world,
      document,
      content_type: 'application/n-triples',
    });
    if (result.isError) throw new Error(textOf(result));
  };
  for (let text = ''; lines.length > 0; text = '') {
    while (lines.length > 0 && text.length + lines.at(-1)!.length < MAX_LENGTH) text += lines.pop()!;
    await importing('chat', text);
  }
  const label = 'http://www.w3.org/2000/01/rdf-schema#label';
  await importing('labels', LABELS.map((text, i) => `<urn:label:${i}> <${label}> "${text}" .\n`).join(''));
}

/** The subjects that the tool finds for each question, best first. */
async function answers(client: Client, { queries }: Collection): Promise<string[][]> {
  const found: string[][] = [];
  for (const { text } of queries) {
    const result = await callTool(client, 'search', { query: text, worlds: ['chat'], limit: LIMIT });
    if (result.isError) throw new Error(textOf(result));
    const { hits } = result.structuredContent as { hits: { subject: string }[] };
    found.push([...new Set(hits.map(({ subject }) => subject.slice(1, -1)))]);
  }
  return found;
}

/** Asks until vectors have been learnt and nothing moves any longer. */
async function settledAnswers(client: Client, collection: Collection): Promise<string[][]> {
  await expect
    .poll(
      async () => {
        const reasons: string[] = [];
        for (const name of RELATED) reasons.push(textOf(await callTool(client, 'find_entity', { name })));
        return reasons.join('\n');
      },
      { timeout: TIMEOUT_MS, interval: 500 },
    )
    .toContain('similar meaning');
  for (let before = ''; ; ) {
    const found = await answers(client, collection);
    const now = JSON.stringify(found);
    if (now === before) return found;
    before = now;
  }
}

/** A mean difference, query by query, and its standard error. */
function gain(values: readonly number[], others: readonly number[]): { mean: number; error: number } {
  const gains = values.map((value, i) => value - others[i]!);
  const mean = gains.reduce((sum, value) => sum + value, 0) / gains.length;
  const squares = gains.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (gains.length - 1) / gains.length) };
}

it.each(Array.from({ length: SEEDS }, (_, i) => i + 1))(
  '--embedder offline is no worse than words alone on conversations, seed %i',
  async (seed) => {
    const collection = chatTurns(seed);
    const args = ['--data', aFolder(), '--world', 'chat', '--world', 'labels'];
    const words = await aCommandClient(args);
    await store(words.client, collection);
    const byWords = await answers(words.client, collection);
    // The labels are found by their vectors alone.
    for (const name of RELATED)
      expect(textOf(await callTool(words.client, 'find_entity', { name }))).toContain('Nobody');
    await words.client.close();
    const offline = await aCommandClient([...args, '--embedder', 'offline']);
    const byVectors = await settledAnswers(offline.client, collection);
    expect(byVectors).not.toEqual(byWords);
    for (const measure of [ndcgAt10, recallAt10]) {
      const of = (found: string[][]) => collection.queries.map(({ gains }, i) => measure(gains, found[i]!));
      const [before, after] = [of(byWords), of(byVectors)];
      // The tool finds what the engine finds: without this, both could be nothing.
      expect(before.reduce((sum, value) => sum + value, 0) / before.length).toBeGreaterThan(0.5);
      const { mean, error } = gain(after, before);
      expect({ measure: measure.name, mean, error, isWorse: mean < -Math.max(NOISE, 2 * error) }).toMatchObject({
        isWorse: false,
      });
    }
  },
  TIMEOUT_MS,
);
