export interface NamedQuery {
  readonly name: string;
  readonly text: string;
}

/** Whether the query wants some rows and leaves open which: LIMIT without ORDER BY. */
export function wantsAnyRows({ text }: NamedQuery): boolean {
  return /\bLIMIT\b/i.test(text) && !/\bORDER\s+BY\b/i.test(text);
}

let texts = 0;

/**
 * The text as nobody has seen it before, so that nothing which is remembered about it can help:
 * with a comment of its own in front.
 */
export function freshText(text: string): string {
  return `# ${++texts}\n${text}`;
}
