/** A query and the worlds it reads, as the address of the page has them. */
export interface SharedQuery {
  readonly text: string;
  readonly worlds: readonly string[];
}

/** Longer texts are not written into the address: browsers and chats cut long ones. */
const MAX_TEXT = 4_000;

/**
 * Returns the query of a fragment such as `#query=ASK%20{}&world=people`; undefined without one.
 */
export function queryOfFragment(fragment: string): SharedQuery | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const text = fields.get('query');
  return text === null ? undefined : { text, worlds: fields.getAll('world') };
}

/** Returns the fragment of a query; undefined if it is too long for an address. */
export function fragmentOf({ text, worlds }: SharedQuery): string | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const fields = new URLSearchParams([['query', text], ...worlds.map((world) => ['world', world])]);
  return `#${fields}`;
}
