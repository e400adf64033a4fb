/** The `part`-th of `parts` equal shares of the tests of every category; both count from 1. */
export interface Share {
  readonly part: number;
  readonly parts: number;
}

/** Parses `2/3`, the second of three shares. Returns undefined for any other kind of text. */
export function parseShare(text: string): Share | undefined {
  const [, part, parts] = /^([1-9]\d{0,5})\/([1-9]\d{0,5})$/.exec(text) ?? [];
  if (part === undefined || Number(part) > Number(parts)) return undefined;
  return { part: Number(part), parts: Number(parts) };
}

/** Whether a share has the test at this index of a category: the tests are dealt out in turn. */
export function isInShare({ part, parts }: Share, index: number): boolean {
  return index % parts === part - 1;
}
