export interface NamedQuery {
  readonly name: string;
  readonly text: string;
}

/** Returns true if the choice of rows is free: LIMIT without ORDER BY. */
export function wantsAnyRows({ text }: NamedQuery): boolean {
  return /\bLIMIT\b/i.test(text) && !/\bORDER\s+BY\b/i.test(text);
}

let texts = 0;

/** Returns the text with a unique comment in front, which defeats caches of query texts. */
export function freshText(text: string): string {
  return `# ${++texts}\n${text}`;
}
