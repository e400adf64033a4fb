import { WorldsError } from '@rdf-worlds/core';
import type { EvaluateOptions, PreparedUpdate, UpdateView } from '@rdf-worlds/core/plugin';
import { createGraph, emptyGraphs, transferGraph } from './graph-management.ts';
import { type Modification, PreparedModification } from './modification.ts';
import { Pacer } from './pacer.ts';
import type { Bindings, Preparation } from './prepared-query.ts';
import { checkServices } from './service.ts';
import type { TranslatedOperation, TranslatedUpdate } from './translation.ts';

type Step = (view: UpdateView, options: EvaluateOptions, pacer: Pacer) => Promise<void>;

/**
 * An update request: its operations run in order, each over the result of the previous one (SPARQL
 * 1.1 Update section 3).
 */
export class ComunicaUpdate implements PreparedUpdate {
  readonly type = 'update' as const;
  private readonly update: TranslatedUpdate;
  private readonly preparation: Preparation;
  private readonly steps: readonly Step[];

  /** Throws UNSUPPORTED for LOAD and SERVICE without SILENT. */
  constructor(update: TranslatedUpdate, preparation: Preparation) {
    this.update = update;
    this.preparation = preparation;
    this.steps = update.operations.flatMap((operation) => this.step(operation) ?? []);
  }

  get isBlind(): boolean {
    return this.update.operations.every(isBlind);
  }

  get namesDataset(): boolean {
    return this.update.operations.some(
      (operation) =>
        operation.kind === 'modify' && (operation.dataset !== undefined || operation.withGraph !== undefined),
    );
  }

  bind(bindings: Bindings): PreparedUpdate {
    return this.preparation.bind(bindings) as PreparedUpdate;
  }

  async execute(view: UpdateView, options: EvaluateOptions): Promise<void> {
    // SPARQL 1.1 Protocol section 2.2.3: giving both is an error.
    if (options.dataset && this.namesDataset) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        'Both the update (USING or WITH) and the request name graphs: use only one of the two.',
      );
    }
    const pacer = new Pacer(options.signal);
    try {
      for (const step of this.steps) {
        pacer.check();
        await step(view, options, pacer);
      }
    } finally {
      pacer.close();
    }
  }

  /** Returns undefined for an operation without effect. */
  private step(operation: TranslatedOperation): Step | undefined {
    switch (operation.kind) {
      case 'modify':
        return this.modify(operation);
      case 'load':
        // Section 3.1.4: SILENT makes a failing LOAD succeed. Documents are never fetched here, so
        // every LOAD fails.
        if (operation.silent) return undefined;
        throw new WorldsError(
          'UNSUPPORTED',
          `LOAD <${operation.document}> is refused: updates do not fetch documents here. Import the document instead.`,
        );
      case 'create':
        return (view) => createGraph(view, operation);
      case 'clear':
      case 'drop':
        return (view) => emptyGraphs(view, operation);
      default:
        return (view, _, pacer) => transferGraph(view, operation, pacer);
    }
  }

  private modify(operation: Modification): Step {
    const { substitution, services, toolbox } = this.preparation;
    const where = operation.where && checkServices(substitution.operation(operation.where), services.allowedEndpoints);
    const modification = new PreparedModification(operation, where, substitution);
    return (view, { now, signal, dataset, search, canonicalOrder }) => {
      const { baseIri } = this.update;
      const setting = { toolbox, now, signal, baseIri, services, search, canonicalOrder };
      return modification.execute(view, setting, dataset);
    };
  }
}

/** Whether no outcome of an operation depends on the quads or on which graphs exist. */
function isBlind(operation: TranslatedOperation): boolean {
  switch (operation.kind) {
    case 'modify':
      // INSERT DATA and DELETE DATA have no WHERE.
      return operation.where === undefined;
    case 'load':
      return true;
    case 'create':
      return operation.silent;
    case 'clear':
    case 'drop':
      // DEFAULT, NAMED and ALL never fail; the graph of an IRI may not exist.
      return operation.silent || typeof operation.graph === 'string';
    default:
      return false;
  }
}
