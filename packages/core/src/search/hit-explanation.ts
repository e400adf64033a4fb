import type { TermScore, TextIndex } from '../storage/text-index.ts';
import type { FieldScore } from './fields/field-index.ts';
import { type Snippet, snippetOf } from './snippet.ts';
import { countedScores } from './text-ranking.ts';

/** A word of the query that was found, and where. */
export interface MatchedTerm extends FieldScore {
  /**
   * Whether it is part of the text score: a word counts once, in the field where it counts most.
   */
  readonly counted: boolean;
}

/** Why a triple is a hit. */
export interface HitExplanation {
  /**
   * The words of the query that were found, by field; of feedback also those that it added. Empty
   * for a hit by its vector alone.
   */
  readonly terms: readonly MatchedTerm[];
  /**
   * The sum of what the words count for (BM25): what the text rank is about. Null for no text hit.
   */
  readonly textScore: number | null;
  /**
   * The cosine of the query's and the text's vector: what the vector rank is about. Null for no
   * vector hit.
   */
  readonly similarity: number | null;
  readonly snippet: Snippet;
}

export interface ExplainedDocument {
  readonly literal: { readonly text: string; readonly language: string };
  readonly textScores: readonly TermScore[];
  readonly nameScores: readonly FieldScore[];
  readonly textScore: number | null;
  readonly similarity: number | null;
}

export function explainHit(index: TextIndex | undefined, document: ExplainedDocument): HitExplanation {
  const { literal, textScores, nameScores, textScore, similarity } = document;
  const counted = countedScores(textScores, nameScores);
  const terms = [
    ...textScores.map((score) => ({ ...score, field: 'text' as const, counted: counted.has(score) })),
    ...nameScores.map((score) => ({ ...score, counted: counted.has(score) })),
  ];
  const found = new Set(textScores.map(({ term }) => term));
  const matches = index?.highlight?.(literal.text, literal.language, found) ?? [];
  return { terms, textScore, similarity, snippet: snippetOf(literal.text, matches) };
}
