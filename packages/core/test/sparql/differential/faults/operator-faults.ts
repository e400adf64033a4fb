import { Batch, type Stream } from '../../../../src/sparql/exec/batch.ts';
import { Distinct } from '../../../../src/sparql/exec/distinct.ts';
import { type Execution, isPause } from '../../../../src/sparql/exec/execution.ts';
import { Filter } from '../../../../src/sparql/exec/filter.ts';
import { Group } from '../../../../src/sparql/exec/group.ts';
import { HashJoin } from '../../../../src/sparql/exec/hash-join.ts';
import type { Operator } from '../../../../src/sparql/exec/operator.ts';
import { Order } from '../../../../src/sparql/exec/order.ts';
import { ProbeJoin } from '../../../../src/sparql/exec/probe-join.ts';
import { Scan } from '../../../../src/sparql/exec/scan.ts';
import { Union } from '../../../../src/sparql/exec/union.ts';
import { methodFault, type PlantedFault } from './planted-fault.ts';

type Run = Operator['run'];

/** Goes wrong where one batch ends and the next begins: with small batches that is soon. */
const BATCH_ROWS = 3;

function fault(name: string, { prototype }: { readonly prototype: Operator }, make: (right: Run) => Run): PlantedFault {
  return methodFault(name, prototype, 'run', make, { batchRows: BATCH_ROWS });
}

/** The first rows of a batch. */
function shortened(batch: Batch, length: number): Batch {
  const copy = new Batch(batch.columns, batch.capacity);
  copy.length = length;
  return copy;
}

/** An operator that forgets the last row of each batch that is full. */
const losesRows = (name: string, operator: { readonly prototype: Operator }) =>
  fault(
    `${name} loses a row where a batch is full`,
    operator,
    (right) =>
      function* (this: Operator, execution: Execution): Stream {
        for (const rows of right.call(this, execution)) {
          if (isPause(rows) || rows.length < BATCH_ROWS) yield rows;
          else if (rows.length > 1) yield shortened(rows, rows.length - 1);
        }
      },
  );

/** An operator that stops after its first batch. */
const stopsEarly = (name: string, operator: { readonly prototype: Operator }) =>
  fault(
    `${name} stops after a batch`,
    operator,
    (right) =>
      function* (this: Operator, execution: Execution): Stream {
        for (const rows of right.call(this, execution)) {
          yield rows;
          if (!isPause(rows)) return;
        }
      },
  );

/** Faults of single operators. */
export const OPERATOR_FAULTS: readonly PlantedFault[] = [
  losesRows('a scan', Scan),
  losesRows('a probe join', ProbeJoin),
  losesRows('a hash join', HashJoin),
  stopsEarly('a filter', Filter),
  stopsEarly('a group', Group),
  stopsEarly('a union', Union),
  stopsEarly('an order', Order),
  fault(
    'DISTINCT forgets what earlier batches had',
    Distinct,
    (right) =>
      function* (this: Operator, execution: Execution): Stream {
        const [input] = this.inputs;
        for (const rows of execution.run(input)) {
          if (isPause(rows)) {
            yield rows;
            continue;
          }
          const alone: Operator = {
            ...this,
            inputs: [
              {
                ...input,
                *run() {
                  yield rows;
                },
              },
            ],
          };
          yield* right.call(alone, execution);
        }
      },
  ),
];
