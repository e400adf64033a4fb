import { z } from 'zod';
import { type Fact, factStatus } from './fact.ts';
import type { TermText } from './term-text.ts';

/**
 * A fact in the structured content of a result. Terms are as in Turtle, with the prefixes of the
 * tools.
 */
export const factData = z.object({
  fact: z.string().optional(),
  subject: z.string(),
  predicate: z.string(),
  object: z.string(),
  status: z.enum(['current', 'ended', 'future', 'retracted']),
  from: z.string().optional(),
  until: z.string().optional(),
  recorded: z.string().optional(),
  retracted: z.string().optional(),
  confidence: z.number().optional(),
  sources: z.array(z.string()).optional(),
  reason: z.string().optional(),
  replaces: z.string().optional(),
});

export type FactData = z.output<typeof factData>;

/** Returns a fact as data; fields that say nothing are absent. */
export function factAsData(fact: Fact, text: TermText, now: Date): FactData {
  const { id, subject, predicate, object, sources, validFrom, validUntil, confidence, reason, revisionOf } = fact;
  return {
    ...(id !== undefined && { fact: idText(id, text) }),
    subject: text.term(subject),
    predicate: text.term(predicate),
    object: text.term(object),
    status: factStatus(fact, now),
    ...(validFrom && { from: timeText(validFrom) }),
    ...(validUntil && { until: timeText(validUntil) }),
    ...(fact.recordedAt && { recorded: fact.recordedAt.toISOString() }),
    ...(fact.retractedAt && { retracted: fact.retractedAt.toISOString() }),
    ...(confidence !== undefined && { confidence }),
    ...(sources.length > 0 && { sources: sources.map((source) => cutSource(source, text)) }),
    ...(reason !== undefined && { reason: cutSource(reason, text) }),
    ...(revisionOf !== undefined && { replaces: idText(revisionOf, text) }),
  };
}

/** Returns a fact as one line: the triple, then in brackets what is known of it. */
export function factLine(fact: FactData, { withSubject = true }: { readonly withSubject?: boolean } = {}): string {
  const { subject, predicate, object } = fact;
  return `${withSubject ? `${subject} ` : ''}${predicate} ${object}${notes(fact)}`;
}

function notes(fact: FactData): string {
  const { status, from, until, recorded, retracted, confidence, sources, reason, replaces } = fact;
  const parts = [
    fact.fact,
    status === 'current' ? undefined : status.toUpperCase(),
    (from ?? until) === undefined ? undefined : `valid ${from ?? '…'} to ${until ?? 'now'}`,
    confidence === undefined ? undefined : `confidence ${confidence}`,
    sources === undefined ? undefined : `source ${sources.join(', ')}`,
    recorded === undefined ? undefined : `recorded ${recorded}`,
    retracted === undefined ? undefined : `retracted ${retracted}`,
    reason === undefined ? undefined : `because ${reason}`,
    replaces === undefined ? undefined : `replaces ${replaces}`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : `  [${parts.join('; ')}]`;
}

function idText(id: string, text: TermText): string {
  return id.startsWith('_:') ? id : text.iri(id);
}

/** The day, for a time that is the start of one. */
export function timeText(date: Date): string {
  return date.toISOString().replace(/T00:00:00\.000Z$/, '');
}

function cutSource(source: string, text: TermText): string {
  const cut = text.cut(source);
  return cut.endsWith('"') ? source : cut;
}
