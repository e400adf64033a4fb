import type { TermScore, TextIndex } from '../contracts/text-index.ts';
import type { FieldScore } from './fields/field-ranking.ts';
import { type Snippet, snippetOf } from './snippet.ts';
import { countedScores } from './text-ranking.ts';

/** A query word that matched, and its field. */
export interface MatchedTerm extends FieldScore {
  /**
   * Whether it is part of the text score: a word counts once, in the field where it scores highest.
   */
  readonly counted: boolean;
}

/** Explains why a triple is a hit. */
export interface HitExplanation {
  /**
   * Matched query words by field, including words added by feedback. Empty for a hit by vector
   * only.
   */
  readonly terms: readonly MatchedTerm[];
  /**
   * Sum of the counted scores (BM25), which determines the text rank. Null if it is not a text hit.
   */
  readonly textScore: number | null;
  /**
   * Cosine similarity of the query's and the text's vector, which determines the vector rank. Null
   * if it is not a vector hit.
   */
  readonly similarity: number | null;
  /** The part of the text with the most matches. */
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
