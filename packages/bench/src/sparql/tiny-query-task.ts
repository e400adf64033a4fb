import { UsageError } from '../arguments.ts';
import type { LoadInput } from '../load-input.ts';
import type { Answer, Outcome } from './answer.ts';
import { freshText } from './named-query.ts';
import type { Task } from './task.ts';

/** The known terms of a triple. */
export interface Lookup {
  readonly subject: string;
  readonly predicate: string;
}

const LOOKUPS = 100;
/** Longer lines are skipped. */
const MAX_LINE_BYTES = 1 << 14;
const NEWLINE = 10;

/**
 * A task with single-pattern, single-variable queries, in which the overhead of the call dominates
 * the lookup. One run looks up different triples of the document.
 */
export function tinyQueryTask(input: LoadInput): Task {
  const texts = sampleLookups(input, LOOKUPS).map(
    ({ subject, predicate }) => `SELECT ?value WHERE { <${subject}> <${predicate}> ?value }`,
  );
  return {
    name: 'tiny query',
    kind: 'query',
    operations: texts.length,
    anyRows: false,
    isFor: ({ language }) => language === 'sparql',
    prepare: async ({ store, delivery }) => ({
      isRepeatable: true,
      async run() {
        const outcomes: Outcome[] = [];
        for (const text of texts) {
          const outcome = await store.query(freshText(text), delivery);
          if (!outcome) return undefined;
          outcomes.push(outcome);
        }
        return () => sumOf(outcomes);
      },
    }),
  };
}

async function sumOf(outcomes: readonly Outcome[]): Promise<Answer> {
  let rows = 0;
  let chars = 0;
  for (const outcome of outcomes) {
    const answer = await outcome();
    rows += answer.rows;
    chars += answer.chars;
  }
  return { rows, chars };
}

/**
 * Samples subjects and predicates across a document in N-Triples or N-Quads. Throws `UsageError`
 * for another format, and if no subject is an IRI.
 */
export function sampleLookups({ name, bytes, contentType }: LoadInput, count: number): Lookup[] {
  if (!/n-(triples|quads)/.test(contentType)) {
    throw new UsageError(`${name}: queries are measured on N-Triples or N-Quads, whose lines can be looked up.`);
  }
  const decoder = new TextDecoder();
  const lookups: Lookup[] = [];
  for (let i = 0; i < count; i++) {
    const start = i === 0 ? 0 : bytes.indexOf(NEWLINE, Math.floor((bytes.length * i) / count)) + 1;
    const line = decoder.decode(bytes.subarray(start, start + MAX_LINE_BYTES));
    const match = /^<([^>]+)> <([^>]+)> .* \.\r?\n/.exec(line);
    if (match) lookups.push({ subject: match[1], predicate: match[2] });
  }
  if (lookups.length === 0) throw new UsageError(`${name}: no line begins with an IRI, so nothing can be looked up.`);
  return lookups;
}
