import { XSD_STRING } from '../../model/vocabulary.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { TextRelation } from '../exec/stored-texts.ts';
import type { Scope } from './scope.ts';

/** A condition that searches the text of a variable for a constant string. */
export interface TextCondition {
  readonly relation: TextRelation;
  readonly slot: number;
  /** Whether it applies to STR of the variable, which all literals and IRIs have. */
  readonly ofStr: boolean;
  readonly text: string;
}

const RELATIONS: ReadonlySet<string> = new Set<TextRelation>(['CONTAINS', 'STRSTARTS', 'STRENDS']);

/**
 * Recognizes `CONTAINS(?v, "text")`, STRSTARTS and STRENDS; returns undefined for any other
 * condition. Constants with a language tag are excluded, because the result depends on the language
 * of the other argument (section 17.4.3.1.2).
 */
export function textCondition(expression: Expression, scope: Scope): TextCondition | undefined {
  if (expression.type !== 'call' || !RELATIONS.has(expression.function)) return undefined;
  const [haystack, needle] = expression.arguments;
  if (needle?.type !== 'term' || needle.term.termType !== 'Literal') return undefined;
  const { value, language, datatype } = needle.term;
  if (language || datatype.value !== XSD_STRING) return undefined;
  const ofStr = haystack.type === 'call' && haystack.function === 'STR';
  const variable = ofStr ? haystack.arguments[0] : haystack;
  const slot = variable.type === 'variable' ? scope.find(variable.name) : undefined;
  if (slot === undefined) return undefined;
  return { relation: expression.function as TextRelation, slot, ofStr, text: value };
}
