import { type SparqlForm, WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { z } from 'zod';
import type { MemoryEngine } from '../agent-memory.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import { fitItems } from '../fit-items.ts';
import { readTime, timeInput } from '../term-input.ts';
import { TermText } from '../term-text.ts';
import { defineTool, READS } from '../tool.ts';
import { withoutDeclared } from '../without-declared.ts';
import { scopeOf, worldsInput } from '../world-input.ts';
import type { WorldName } from '../world-name.ts';

export const query = defineTool({
  name: 'query',
  title: 'Query with SPARQL',
  description:
    'Runs a read-only SPARQL query (SELECT, ASK, CONSTRUCT, DESCRIBE) for counting, joining and filtering. Call describe_world first for classes and predicates. The default graph has what holds now; GRAPH mem:Facts has provenance. Common prefixes need no declaration. Use LIMIT.',
  annotations: READS,
  example: { query: 'SELECT ?who { ?who v:works_at e:Acme } LIMIT 10' },
  input: z.strictObject({
    query: z.string().describe('SPARQL 1.1 or 1.2.'),
    worlds: worldsInput,
    limit: z.int().min(1).optional().describe('Most rows to return.'),
    recorded_at: timeInput.optional().describe('Reads the worlds as they were stored then.'),
  }),
  output: z.object({
    form: z.enum(['select', 'ask', 'construct', 'describe']),
    answer: z.boolean().optional(),
    variables: z.array(z.string()).optional(),
    rows: z.array(z.array(z.string().nullable())).optional(),
    triples: z.array(z.string()).optional(),
    truncated: z.boolean(),
    prefixes: z.record(z.string(), z.string()),
  }),
  async run({ query, worlds, limit, recorded_at }, { memory: { engine, scope, limits, prefixes }, signal }) {
    const at = recorded_at === undefined ? undefined : readTime(recorded_at, 'recorded_at');
    let sources = await scopeOf(scope, engine, worlds);
    if (at && !worlds?.length) sources = await asKeptAt(at, () => existingAt(engine, sources, at));
    if (sources.length === 0)
      throw new WorldsError('NOT_FOUND', 'There is no world to query; call list_worlds, or create_world to make one.');
    const text = prefixes.declarationsFor(query) + query;
    requireSparql(query);
    const form = await formOf(text, signal).catch((error: unknown) => {
      throw withoutDeclared(error, text.length - query.length);
    });
    if (form === 'update') {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        'query: this is an update, and this tool only reads; call remember, correct or forget to change facts.',
      );
    }
    const { timeoutMs, maxMemoryBytes } = limits;
    const canonicalOrder = scope.hidesSome(sources);
    const request = { query: text, sources, timeoutMs, maxMemoryBytes, canonicalOrder, signal, at };
    const maxRows = Math.min(limit ?? limits.maxRows, limits.maxRows);
    const terms = new TermText(prefixes, limits);
    // The heading, the note on truncation and the prefixes take part of the budget.
    const maxTokens = Math.max(1, limits.maxResultTokens - 300);
    if (form === 'ask') {
      const answer = await asKeptAt(at, () => engine.ask(request));
      return { text: String(answer), data: { form, answer, truncated: false, prefixes: {} } };
    }
    if (form === 'select') {
      const result = await asKeptAt(at, () => engine.select(request));
      const heading = result.variables.map((name) => `?${name}`).join(' | ');
      if (estimateTokens(heading) > maxTokens / 2) {
        throw new WorldsError(
          'LIMIT_EXCEEDED',
          `query: ${result.variables.length} variables do not fit into a result; select fewer.`,
        );
      }
      const rows: (string | null)[][] = [];
      let hasMore = false;
      for await (const row of result) {
        if ((hasMore = rows.length === maxRows)) break;
        rows.push(result.variables.map((name) => (row.has(name) ? terms.term(row.get(name)!) : null)));
      }
      const { items, lines, omitted } = fitItems(
        rows,
        (row) => row.map((cell) => cell ?? '').join(' | '),
        maxTokens - estimateTokens(heading),
      );
      const truncated = hasMore || omitted > 0;
      return {
        text: [heading, ...lines, rowsNote(lines.length, truncated), prefixNote(terms)].filter(Boolean).join('\n'),
        data: { form, variables: [...result.variables], rows: [...items], truncated, prefixes: terms.usedPrefixes() },
      };
    }
    const triples: string[] = [];
    let hasMore = false;
    for await (const { subject, predicate, object } of await asKeptAt(at, () => engine.construct(request))) {
      if ((hasMore = triples.length === maxRows)) break;
      triples.push(`${terms.term(subject)} ${terms.term(predicate)} ${terms.term(object)} .`);
    }
    const { items, lines, omitted } = fitItems(triples, (triple) => triple, maxTokens);
    const truncated = hasMore || omitted > 0;
    return {
      text: [...lines, rowsNote(lines.length, truncated), prefixNote(terms)].filter(Boolean).join('\n'),
      data: { form, triples: [...items], truncated, prefixes: terms.usedPrefixes() },
    };
  },
});

/** Returns those of the worlds that existed at a time. */
async function existingAt(
  engine: Pick<MemoryEngine, 'getWorld'>,
  worlds: readonly WorldName[],
  at: Date,
): Promise<WorldName[]> {
  const existing: WorldName[] = [];
  for (const source of worlds) if (await engine.getWorld({ source, at })) existing.push(source);
  return existing;
}

/**
 * Runs a read of the past. Throws `TRUNCATED` if that is no longer kept, with what to do instead;
 * the engine's message has revisions, which not all callers may know.
 */
async function asKeptAt<Result>(at: Date | undefined, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (cause) {
    if (!at || !(cause instanceof WorldsError && cause.code === 'TRUNCATED')) throw cause;
    throw new WorldsError(
      'TRUNCATED',
      `recorded_at: the history of the engine does not reach back to ${at.toISOString()}; its option history (rdf-worlds mcp --history-ms) says how long the past is kept. What facts said then is in GRAPH mem:Facts; call state_at for one entity.`,
    );
  }
}

/**
 * Returns the form of a query by an engine of its own, which holds nothing: an update must not
 * reach the worlds, wherever these are.
 */
async function formOf(query: string, signal: AbortSignal | undefined): Promise<SparqlForm> {
  await using parser = await WorldsEngine.open({ textIndex: null });
  return (await parser.prepare({ query, signal })).form;
}

const SPARQL = /^(?:\s|#[^\n\r]*)*(?:\w+\b)/;
/** Words that begin a query or an update; updates are refused with advice of their own. */
const FIRST_WORDS = new Set(
  'SELECT ASK CONSTRUCT DESCRIBE PREFIX BASE VERSION INSERT DELETE WITH LOAD CLEAR DROP CREATE ADD MOVE COPY'.split(
    ' ',
  ),
);

/** Throws INVALID_SPARQL for a text that is evidently no SPARQL, with what to do instead. */
function requireSparql(query: string): void {
  const word = SPARQL.exec(query)?.[0].split(/\s/).at(-1)?.toUpperCase();
  if (word !== undefined && FIRST_WORDS.has(word)) return;
  const problem = query.trimStart().startsWith('```')
    ? 'leave out the ``` around the query'
    : 'a query begins with SELECT, ASK, CONSTRUCT, DESCRIBE or PREFIX. For a question in words, call search; for a name, find_entity';
  throw new WorldsError('INVALID_SPARQL', `query: this is not SPARQL: ${problem}.`);
}

function rowsNote(count: number, isTruncated: boolean): string {
  if (count === 0) return isTruncated ? 'The rows are too long to show; select fewer variables.' : NO_ROWS;
  if (!isTruncated) return `(${count} ${count === 1 ? 'row' : 'rows'})`;
  return `(truncated after ${count} rows: there are more; aggregate with COUNT, filter, or use LIMIT and OFFSET with ORDER BY)`;
}

const NO_ROWS =
  'No rows. If you expected some, check the names: describe_world lists predicates and classes, find_entity finds the IRI of a name.';

function prefixNote(terms: TermText): string {
  return Object.entries(terms.usedPrefixes())
    .map(([name, iri]) => `${name}: <${iri}>`)
    .join(' ');
}
