/** JSON Schemas of zod schemas. A named schema is written once into `components` and referenced. */
import { z } from 'zod';

export type Json = Record<string, unknown>;
type Side = 'input' | 'output';

export class JsonSchemas {
  readonly components: Record<string, Json> = {};
  readonly #registries: Record<Side, z.core.$ZodRegistry<{ id: string }>>;

  constructor(named: Record<string, z.ZodType>) {
    this.#registries = { input: z.registry<{ id: string }>(), output: z.registry<{ id: string }>() };
    for (const [id, schema] of Object.entries(named)) {
      this.#registries.output.add(schema, { id });
      // A default or a transformation makes the request differ from the answer: such a schema has no name in requests.
      const [asked, answered] = [convert(schema, 'input'), convert(schema, 'output')];
      if (JSON.stringify(asked) === JSON.stringify(answered)) this.#registries.input.add(schema, { id });
    }
  }

  write(schema: z.ZodType, side: Side): Json {
    // Wrapped in an object, so that the name of the schema itself is used too.
    const { properties, $defs } = convert(z.object({ it: schema }), side, this.#registries[side]) as {
      properties: { it: Json };
      $defs?: Record<string, Json>;
    };
    for (const [name, { id: _id, ...definition }] of Object.entries($defs ?? {})) {
      this.components[name] = toReferences(definition) as Json;
    }
    return toReferences(properties.it) as Json;
  }
}

function convert(schema: z.ZodType, io: Side, registry: z.core.$ZodRegistry<{ id: string }> = z.registry()): Json {
  const { $schema: _schema, ...json } = z.toJSONSchema(schema, {
    io,
    metadata: registry,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => refine(zodSchema as unknown as z.ZodType, jsonSchema as Json, io),
  });
  return json;
}

/** Adds what zod leaves out, and relaxes what it states more strictly than the API promises. */
function refine(schema: z.ZodType, json: Json, io: Side): void {
  const { def } = schema._zod as { def: { type: string; in?: z.ZodType; out?: z.ZodType } };
  // A later server may add members to an answer within the same version.
  if (json['additionalProperties'] === false) delete json['additionalProperties'];
  if (def.type === 'bigint') json['type'] = 'integer';
  if (io === 'output' && def.type === 'pipe' && def.out?._zod.def.type === 'transform' && def.in) {
    Object.assign(json, convert(def.in, io));
  }
  const { description, format } = (z.globalRegistry.get(schema) ?? {}) as Json;
  if (description !== undefined) json['description'] = description;
  if (format !== undefined) json['format'] = format;
}

function toReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' ? String(inner).replace('#/$defs/', '#/components/schemas/') : toReferences(inner),
    ]),
  );
}
