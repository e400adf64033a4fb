// `node --import` of this, bundled: what imports a package of the workspace gets the bundle beside
// it.
import { register } from 'node:module';

const hook = `export function resolve(specifier, context, next) {
  const [, name] = /^@rdf-worlds\\/([a-z-]+)$/.exec(specifier) ?? [];
  if (!name) return next(specifier, context);
  return { url: new URL(name + '.js', ${JSON.stringify(import.meta.url)}).href, shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
