import { walk } from './syntax-tree.ts';

/**
 * Comunica keeps variables in plain objects, where these legal names (SPARQL 1.1 grammar rule 166)
 * mean something else.
 */
const UNSAFE: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/**
 * The names that one text may use inside of Comunica: fresh ones, legal in SPARQL and unused in the
 * text, and stand-ins for the names that Comunica cannot handle.
 */
export class VariableNames {
  private readonly prefix: string;
  private counter = 0;

  private constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** Reads the names of a syntax tree, and renames the unsafe ones in it. */
  static of(ast: unknown): VariableNames {
    const used = new Set<string>();
    const unsafe: { value: string }[] = [];
    const rows: Record<string, unknown>[] = [];
    walk(ast, (node) => {
      if (node.type === 'term' && node.subType === 'variable') {
        used.add(node['value'] as string);
        if (UNSAFE.includes(node['value'] as string)) unsafe.push(node as unknown as { value: string });
      }
      if (node.type === 'pattern' && node.subType === 'values') rows.push(...(node['values'] as typeof rows));
      return undefined;
    });
    let prefix = '_w';
    while ([...used].some((name) => name.startsWith(prefix))) prefix += '_';
    const names = new VariableNames(prefix);
    for (const term of unsafe) term.value = names.inner(term.value);
    for (const row of rows) {
      for (const name of UNSAFE) {
        const own = Object.getOwnPropertyDescriptor(row, name);
        if (!own) continue;
        row[names.inner(name)] = own.value;
        delete row[name];
      }
    }
    return names;
  }

  /** The name inside of Comunica of a variable of the text. */
  inner(name: string): string {
    const index = UNSAFE.indexOf(name);
    return index < 0 ? name : `${this.prefix}u${index}`;
  }

  /** The name in the text of a variable of Comunica's. */
  outer(name: string): string {
    const index = name.startsWith(`${this.prefix}u`) ? Number(name.slice(this.prefix.length + 1)) : -1;
    return UNSAFE[index] ?? name;
  }

  fresh(): string {
    return `${this.prefix}${this.counter++}`;
  }
}
