import { z } from 'zod';
import type { FactContext } from './fact.ts';
import { readTime, timeInput } from './term-input.ts';

/** The fields that say something about a fact, in the arguments of tools. */
export const contextFields = {
  source: z.string().max(2_000).optional().describe('Where it comes from: a URL, or words.'),
  from: timeInput.optional().describe('Time from which it holds, such as 2024-05.'),
  until: timeInput.optional().describe('Time from which it no longer holds.'),
  confidence: z.number().min(0).max(1).optional().describe('0 to 1.'),
};

export interface ContextInput {
  readonly source?: string | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly confidence?: number | undefined;
}

/** Reads the context of a fact; `defaults` are those of the whole call. */
export function readContext(given: ContextInput, defaults: ContextInput, field: string): FactContext {
  const { source, from, until, confidence } = { ...defaults, ...defined(given) };
  return {
    sources: source === undefined ? [] : [source],
    validFrom: from === undefined ? undefined : readTime(from, `${field}from`),
    validUntil: until === undefined ? undefined : readTime(until, `${field}until`),
    confidence,
  };
}

function defined<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}
