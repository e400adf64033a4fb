/** As much of an answer as tells whether two stores gave the same one. */
export interface Answer {
  /** Solutions or triples; 1 for ASK; of a change or a dump: the quads. */
  readonly rows: number;
  /**
   * UTF-16 units of the values of all bound terms together, of subjects and objects of triples; of
   * ASK 1 for true.
   */
  readonly chars: number;
}

/**
 * Gives the {@link Answer}. It is called when the clock has been stopped: what is only done in
 * order to compare is not measured.
 */
export type Outcome = () => Answer | Promise<Answer>;

export interface NamedAnswer {
  readonly by: string;
  readonly answer: Answer;
}

/**
 * What is wrong with an answer, as a sentence; undefined when it is right. With `anyRows` the
 * question leaves open which rows it wants (LIMIT without ORDER BY), so that only their number
 * counts.
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
