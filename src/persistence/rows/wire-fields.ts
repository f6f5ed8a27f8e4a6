import { columnNamed } from '../naming-strategy.js';

/** A property as the interface names it: in snake case, like its column. */
type WireName<Property extends string, Name extends string = ''> = Property extends `${infer First}${infer Rest}`
  ? WireName<Rest, `${Name}${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}`>
  : Name;

/** A value as the interface shows it. */
type WireValue<Value> = Value extends Date ? string : Value;

type InputValue<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/** Properties of a row as the interface shows them. */
export type Wire<Row, Named extends keyof Row & string> = {
  [Property in Named as WireName<Property>]: WireValue<Row[Property]>;
};

/** Properties of a row as a request gives them; it leaves out what it does not set. */
export type WireInput<Row, Named extends keyof Row & string> = {
  readonly [Property in Named as WireName<Property>]?: InputValue<Row[Property]>;
};

/** When a row was made and last changed, as the interface shows it. */
export function shownTimes<Updated extends Date | null>(row: {
  readonly createdAt: Date;
  readonly updatedAt: Updated;
}): { readonly created_at: string; readonly updated_at: WireValue<Updated> } {
  return {
    created_at: row.createdAt.toISOString(),
    updated_at: (row.updatedAt?.toISOString() ?? null) as WireValue<Updated>,
  };
}

/** What is said of a field of a resource. */
export interface Field<Value> {
  /** What it is in a new row whose request leaves it out; without it, requests have it or the service sets it. */
  readonly initial?: Value;
  /** Set for a field that no request changes once the row is there. */
  readonly fixed?: true;
}

/** The fields of a resource by their properties, in the order in which responses show them. */
export type FieldsOf<Row, Named extends keyof Row & string> = { readonly [Property in Named]: Field<Row[Property]> };

/** Fields that rows have by their properties, and requests and responses by the names of the columns. */
export class WireFields<Row extends object, Named extends keyof Row & string> {
  private readonly names: readonly (readonly [property: Named, name: string])[];

  constructor(private readonly fields: FieldsOf<Row, Named>) {
    this.names = (Object.keys(fields) as Named[]).map((property) => [property, columnNamed(property)]);
  }

  /** The fields as the interface shows them: times as texts. */
  shown(row: Pick<Row, Named>): Wire<Row, Named> {
    const shown = this.names.map(([property, name]) => {
      const value: unknown = row[property];
      return [name, value instanceof Date ? value.toISOString() : value];
    });
    return Object.fromEntries(shown) as Wire<Row, Named>;
  }

  made(input: WireInput<Row, Named>): Pick<Row, Named> {
    const described = this.names.filter(([property]) => 'initial' in this.fields[property]);
    const initial = described.map(([property]) => [property, this.fields[property].initial]);
    return { ...(Object.fromEntries(initial) as Pick<Row, Named>), ...this.given(input) };
  }

  /** A row as a request changes it: a field that it leaves out stays, and null clears one. */
  changed<Whole extends Pick<Row, Named>>(before: Whole, input: WireInput<Row, Named>): Whole {
    return { ...before, ...this.given(input, ({ fixed }) => fixed !== true) };
  }

  private given(
    input: WireInput<Row, Named>,
    isTaken: (field: Field<unknown>) => boolean = () => true,
  ): Partial<Pick<Row, Named>> {
    const values = input as Readonly<Record<string, unknown>>;
    const given = this.names.filter(([property, name]) => values[name] !== undefined && isTaken(this.fields[property]));
    return Object.fromEntries(given.map(([property, name]) => [property, values[name]])) as Partial<Pick<Row, Named>>;
  }
}
