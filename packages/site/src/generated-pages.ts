import { FUNCTION_TEXTS } from '../../console/app/editor/function-texts.ts';
import { DEFAULT_REQUEST_LIMITS, limitExceeded, type RequestLimitName } from '../../core/src/model/request-limits.ts';
import type { FunctionRow } from '../../core/src/sparql/expressions/function-row.ts';
import { FUNCTIONS, IRI_FUNCTIONS } from '../../core/src/sparql/expressions/function-table.ts';
import { LIMITS } from '../../http/src/limits.ts';

/** Returns the page of the functions that a SPARQL expression can call, from the engine's table. */
export function functionsPage(): string {
  const isWord = (name: string) => /^[A-Z_0-9]+$/.test(name) && name !== 'IN';
  const named = [...FUNCTIONS.keys()].filter(isWord).sort();
  const operators = [...FUNCTIONS.keys()].filter((name) => !isWord(name)).sort();
  const aggregates = [...FUNCTION_TEXTS.keys()].filter((name) => !FUNCTIONS.has(name));
  const described = (names: readonly string[]) =>
    names
      .map((name) => {
        const known = FUNCTION_TEXTS.get(name);
        if (!known) throw new Error(`packages/console/app/editor/function-texts.ts has no text for ${name}.`);
        return `| \`${name}\` | ${known.parameters && `\`${known.parameters}\``} | ${escaped(known.text)} |`;
      })
      .join('\n');
  const casts = [...IRI_FUNCTIONS].map(([iri, row]) => `| \`${iri}\` | ${argumentsOf(row)} |`).join('\n');
  return `# SPARQL functions

The functions and operators of expressions, made from the table of the engine. How they work is in
[SPARQL 1.1, section 17.4](https://www.w3.org/TR/sparql11-query/#SparqlOps) and its
[1.2 draft](https://www.w3.org/TR/sparql12-query/#SparqlOps). See also
[SPARQL](/guides/sparql.md) and [differences from other engines](/reference/sparql-differences.md).

## Functions

| function | arguments | result |
|---|---|---|
${described(named)}

\`EXISTS\` and \`NOT EXISTS\` take a pattern.

## Aggregates

| aggregate | arguments | result |
|---|---|---|
${described(aggregates)}

## Functions with an IRI

| function | arguments |
|---|---|
${casts}

## Operators

${operators.map((name) => `\`${name}\``).join(', ')}
`;
}

function argumentsOf({ minArguments, maxArguments }: FunctionRow): string {
  if (maxArguments === Number.POSITIVE_INFINITY) return `${minArguments} or more`;
  return minArguments === maxArguments ? String(minArguments) : `${minArguments} to ${maxArguments}`;
}

/** Returns the page of all limits, from the tables of the core and of the HTTP service. */
export function limitsPage(): string {
  const ofRequests = (Object.keys(DEFAULT_REQUEST_LIMITS) as RequestLimitName[]).map((name) => {
    const [, limited, remedy] = /\((.*)\): (.*)\.$/s.exec(limitExceeded(name, DEFAULT_REQUEST_LIMITS).message)!;
    return `| \`${name}\` | ${DEFAULT_REQUEST_LIMITS[name].toLocaleString('en')} | ${escaped(limited)} | ${escaped(remedy)} |`;
  });
  const ofService = Object.entries(LIMITS).map(
    ([name, { default: value, bounds, code, status }]) =>
      `| \`${name}\` | ${value.toLocaleString('en')} | ${escaped(bounds)} | \`${code}\` | ${status ?? ''} |`,
  );
  return `# Limits

Both tables are made from those of the library. [Errors](/reference/errors.md) has what the codes
mean; a namespace can also have [quotas](/guides/worlds.md).

## Of every request

The option \`limits\` of \`WorldsEngine.open\` changes them. More than that throws \`LIMIT_EXCEEDED\`.

| limit | default | of | what to do |
|---|---|---|---|
${ofRequests.join('\n')}

## Of the HTTP service

| limit | default | of | code | status |
|---|---|---|---|---|
${ofService.join('\n')}
`;
}

const escaped = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
