export const RETIRED: readonly { readonly phrase: RegExp; readonly instead: string }[];
export function findRetired(
  text: string,
  isMarkdown: boolean,
): { readonly line: number; readonly phrase: string; readonly instead: string }[];
