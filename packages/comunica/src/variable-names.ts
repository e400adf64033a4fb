import { walk } from './syntax-tree.ts';

/**
 * Legal names (SPARQL 1.1 grammar rule 166) that collide with inherited members, since Comunica
 * keeps variables in plain objects.
 */
const UNSAFE: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/**
 * The variable names that one text uses inside Comunica: fresh names, legal in SPARQL and unused in
 * the text, and replacements for names that Comunica cannot handle.
 */
export class VariableNames {
  private readonly prefix: string;
  private counter = 0;

  private constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** Collects the names in a syntax tree and renames the unsafe ones in it. */
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

  /** Returns the name inside Comunica of a variable of the text. */
  inner(name: string): string {
    const index = UNSAFE.indexOf(name);
    return index < 0 ? name : `${this.prefix}u${index}`;
  }

  /** Returns the name in the text of a variable inside Comunica. */
  outer(name: string): string {
    const index = name.startsWith(`${this.prefix}u`) ? Number(name.slice(this.prefix.length + 1)) : -1;
    return UNSAFE[index] ?? name;
  }

  fresh(): string {
    return `${this.prefix}${this.counter++}`;
  }
}
