import {
  type NativeEngineOptions,
  nativeEngine,
  type PlanNode,
  type QueryPlan,
  WorldsEngine,
} from '../../../src/index.ts';

/**
 * A small dataset: 12 items in 3 shelves, a chain of parts, every second item with a price, two
 * with a note in a named graph.
 */
export async function openShop(options: NativeEngineOptions = {}): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ sparql: nativeEngine(options), textIndex: null });
  await engine.createWorld({ slug: 'shop' });
  const lines: string[] = [];
  for (let i = 0; i < 12; i++) {
    lines.push(`<urn:item${i}> <urn:name> "item ${i}" .`, `<urn:item${i}> <urn:shelf> <urn:shelf${i % 3}> .`);
    if (i % 2 === 0) lines.push(`<urn:item${i}> <urn:price> "${i}"^^<http://www.w3.org/2001/XMLSchema#integer> .`);
    if (i > 0) lines.push(`<urn:item${i - 1}> <urn:part> <urn:item${i}> .`);
    if (i < 2) lines.push(`<urn:item${i}> <urn:note> "note" <urn:notes> .`);
  }
  await engine.import({ source: 'shop', data: lines.join('\n') });
  return engine;
}

/** All nodes of a plan, each before its inputs. */
export function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...node.inputs.flatMap(nodesOf)];
}

/** The one node of an operator whose detail holds a text. */
export function nodeOf({ plan, text }: QueryPlan, operator: string, detail = ''): PlanNode {
  const found = nodesOf(plan).filter((node) => node.operator === operator && node.detail.includes(detail));
  if (found.length !== 1) throw new Error(`${found.length} nodes are "${operator} ${detail}":\n${text}`);
  return found[0];
}
