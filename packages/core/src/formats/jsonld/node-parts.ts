import { type ExpandedObject, PARTS, push } from './expanded-objects.ts';

/** Number of properties of a node in one object. */
const PROPERTIES_A_PART = 1024;

/**
 * Distributes the properties of a node under expansion over objects. JavaScript enumerates all
 * members of an object in one step, which takes a tenth of a second for 200,000. So properties
 * beyond a number go to further objects, in the node's member {@link PARTS}.
 */
export class NodeParts {
  private readonly node: ExpandedObject;
  private readonly limit: number;
  private part: ExpandedObject;
  private properties = 0;
  private reversed: ExpandedObject | undefined;
  private reversedProperties = 0;

  constructor(node: ExpandedObject, { isSplit = true } = {}) {
    this.node = node;
    this.part = node;
    this.limit = isSplit ? PROPERTIES_A_PART : Number.POSITIVE_INFINITY;
  }

  /** Returns the object that takes values of a property. */
  of(property: string): ExpandedObject {
    if (property in this.node) return this.node;
    if (property in this.part) return this.part;
    if (this.properties === this.limit) {
      this.part = this.add();
      this.properties = 0;
    }
    this.properties++;
    return this.part;
  }

  /** Returns the object that takes nodes of a reverse property. */
  reversedOf(property: string): ExpandedObject {
    this.reversed ??= this.reverseOf(this.node);
    if (property in this.reversed) return this.reversed;
    if (this.reversedProperties === this.limit) {
      this.reversed = this.reverseOf(this.add());
      this.reversedProperties = 0;
    }
    this.reversedProperties++;
    return this.reversed;
  }

  private add(): ExpandedObject {
    const part: ExpandedObject = {};
    push(this.node, PARTS, part);
    return part;
  }

  private reverseOf(object: ExpandedObject): ExpandedObject {
    const reversed: ExpandedObject = {};
    object['@reverse'] = reversed;
    return reversed;
  }
}
