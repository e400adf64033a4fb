/** A summary of an answer, sufficient to compare the answers of two stores. */
export interface Answer {
  /** Number of solutions or triples; 1 for ASK; number of quads for a change or dump. */
  readonly rows: number;
  /**
   * Total UTF-16 units in the values of all bound terms, or of the subjects and objects of triples;
   * for ASK, 1 for true.
   */
  readonly chars: number;
}

/**
 * Computes the {@link Answer}. Called after the clock was stopped, so that work done only for the
 * comparison is not measured.
 */
export type Outcome = () => Answer | Promise<Answer>;

export interface NamedAnswer {
  readonly by: string;
  readonly answer: Answer;
}

/**
 * Describes the difference between an answer and its reference; undefined if they agree. With
 * `anyRows` (LIMIT without ORDER BY) only the number of rows is compared, because the choice of
 * rows is free.
 */
export function difference(
  work: string,
  anyRows: boolean,
  given: NamedAnswer,
  reference: NamedAnswer,
): string | undefined {
  const isSame =
    given.answer.rows === reference.answer.rows && (anyRows || given.answer.chars === reference.answer.chars);
  if (isSame) return undefined;
  const text = ({ by, answer: { rows, chars } }: NamedAnswer) => `${by} ${rows} rows of ${chars} characters`;
  return `${work}: ${text(given)}, ${text(reference)}`;
}
