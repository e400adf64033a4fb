/**
 * Writes out the joins of a query over the `ids` layout. `{a price v, a comment? c}` are patterns,
 * each of a subject, a property and an object, which becomes a join of the views of the properties;
 * `?` makes it an outer join. Elsewhere `$a` is the id of a variable, and `v.text`, `v.language`,
 * `v.number` and `v.time` are columns of its term, which is then joined, too.
 */
export function idsSql(text: string): string {
  const group = /\{([^}]*)\}/.exec(text);
  if (!group) return text;
  const ids = new Map<string, string>();
  const optional = new Set<string>();
  const joins: string[] = [];
  for (const [at, pattern] of group[1].split(',').entries()) {
    const [subject, property, object] = pattern.trim().split(/\s+/);
    const isOptional = property.endsWith('?');
    const alias = `t${at}`;
    const conditions: string[] = [];
    for (const [variable, column] of [
      [subject, `${alias}.s`],
      [object, `${alias}.o`],
    ]) {
      const known = ids.get(variable);
      if (known !== undefined) conditions.push(`${column} = ${known}`);
      else {
        ids.set(variable, column);
        if (isOptional) optional.add(variable);
      }
    }
    const view = `${isOptional ? property.slice(0, -1) : property} ${alias}`;
    if (at === 0) joins.push(view);
    else if (conditions.length === 0) joins.push(`CROSS JOIN ${view}`);
    else joins.push(`${isOptional ? 'LEFT JOIN' : 'JOIN'} ${view} ON ${conditions.join(' AND ')}`);
  }
  const rest = text.replace(group[0], '');
  for (const [variable, column] of ids) {
    if (!new RegExp(`\\b${variable}\\.(text|language|number|time)\\b`).test(rest)) continue;
    joins.push(`${optional.has(variable) ? 'LEFT JOIN' : 'JOIN'} terms ${variable} ON ${variable}.id = ${column}`);
  }
  return text
    .replace(group[0], () => joins.join('\n  '))
    .replaceAll(/\$(\w+)/g, (_, variable: string) => {
      const column = ids.get(variable);
      if (column === undefined) throw new Error(`No pattern has the variable ${variable}: ${text}`);
      return column;
    });
}
