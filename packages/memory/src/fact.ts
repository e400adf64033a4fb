import type * as RDF from '@rdfjs/types';

/** What is said about a triple when it is remembered. */
export interface FactContext {
  /** Where it comes from: IRIs, or words such as "said in a call". */
  readonly sources?: readonly string[] | undefined;
  /** From when the triple holds. Default: always did, as far as is known. */
  readonly validFrom?: Date | undefined;
  /** From when the triple no longer holds; later than `validFrom`. Default: holds still. */
  readonly validUntil?: Date | undefined;
  /** From 0 to 1. Default: not estimated. */
  readonly confidence?: number | undefined;
}

/** A triple of the default graph. */
export interface Triple {
  readonly subject: RDF.NamedNode | RDF.BlankNode;
  readonly predicate: RDF.NamedNode;
  readonly object: RDF.NamedNode | RDF.BlankNode | RDF.Literal | RDF.Quad;
}

/** A triple to remember. */
export interface NewFact extends Triple, FactContext {}

/** A triple with its provenance and its two times: when it holds, and when it was recorded. */
export interface Fact extends Triple {
  /** IRI of the fact, or the label (`_:...`) of a blank node; undefined without provenance. */
  readonly id: string | undefined;
  readonly sources: readonly string[];
  readonly validFrom: Date | undefined;
  readonly validUntil: Date | undefined;
  readonly confidence: number | undefined;
  /** Undefined for a triple that was stored without provenance. */
  readonly recordedAt: Date | undefined;
  /** Undefined while the fact is believed. */
  readonly retractedAt: Date | undefined;
  /** Why it was retracted. */
  readonly reason: string | undefined;
  /** Id of the fact that this one replaces. */
  readonly revisionOf: string | undefined;
}

/** Whether a fact is believed, and whether its time is past, present or future. */
export type FactStatus = 'current' | 'ended' | 'future' | 'retracted';

/** Returns what is believed of a fact, and whether its time is now. */
export function factStatus({ retractedAt, validFrom, validUntil }: Fact, now: Date): FactStatus {
  if (retractedAt) return 'retracted';
  if (validUntil && validUntil <= now) return 'ended';
  return validFrom && validFrom > now ? 'future' : 'current';
}

/**
 * Whether a fact was believed at one time and held at another: recorded at or before `recordedAt`
 * and not retracted by then; `validAt` in the half-open interval from `validFrom` to `validUntil`.
 */
export function heldAt(fact: Fact, { validAt, recordedAt }: { validAt: Date; recordedAt: Date }): boolean {
  if (fact.recordedAt && fact.recordedAt > recordedAt) return false;
  if (fact.retractedAt && fact.retractedAt <= recordedAt) return false;
  if (fact.validFrom && fact.validFrom > validAt) return false;
  return !(fact.validUntil && fact.validUntil <= validAt);
}
